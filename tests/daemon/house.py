"""Owner, fleet, commit thread and a real journal, with devices that are only their links.

The seam is the outermost one, :class:`drivers.api.DeviceLink`: what the daemon sends a device is
noted in ``sent``, in order and for all devices, and answered when the test says so (or at once, for
devices in ``prompt``).
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from controller import ENGINE_VERSION
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.daemon.committer import Committer
from controller.daemon.devices.fleet import Fleet
from controller.daemon.drawing import Drawing
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.daemon.table_handler import TableHandler
from controller.evidence.verify import verify
from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.schema import FORMAT
from controller.replay.recovery import recover, snapshot
from controller.replay.replay import SNAPSHOT
from controller.table.events.reading import read_event
from controller.table.settings import Settings
from controller.table.showing.status_fields import StatusHold
from drivers.api import DeviceConfig, DeviceListener
from drivers.vocabulary import DISPLAY
from tests.daemon.fake_link import FakeLink
from tests.journal.helpers import opened

KINDS = ("shoe", "shuffler", "jackpot", "keypad")
SETTINGS = Settings(
    table="T1",
    rules=load_rules("mbs-pontoon-pandemonium-v5"),
    decks=8,
    boxes=7,
    limits=Limits(1000, 500000, 100, 50000, 100),
    devices=KINDS,
    spin_ms=30_000,  # nothing here waits for it; a slow disk is not to be a silent meter
    weights=((25, 1), (10, 3)),
)
DEALER = Peer(1, 0, 0, "dealer", frozenset())


class House:
    """A table that runs; see :func:`open_house`."""

    def __init__(
        self,
        state: Path,
        boot_id: str,
        known: Mapping[str, FakeLink],
        bits: Callable[[int], int] = secrets.randbits,
        displays: Sequence[str] = (),
    ) -> None:
        loop = asyncio.get_running_loop()
        self.state = state
        self.sent: list[tuple[str, str, dict[str, Any]]] = []
        self.prompt: set[str] = {*KINDS, *displays}
        self.links: dict[str, FakeLink] = {}
        self.stopped: list[str] = []
        self.failed: list[Exception] = []
        self.boot_id = boot_id
        self.journal = opened(state, boot_id=boot_id)
        recovered = recover(self.journal, self.journal.iterate)
        self.differences = recovered.differences
        self.committer = Committer(self.journal, loop, self.failed.append)

        def open_device(
            config: DeviceConfig, _: object, listener: DeviceListener, resume: tuple[int, int]
        ) -> FakeLink:
            link = self.links[config.name] = FakeLink(config.name, self, listener)
            if config.name in known:  # the device goes on where it was
                link.last_event = known[config.name].last_event
                link.meter = known[config.name].meter
            assert resume[1] <= link.last_event
            return link

        kinds = {kind: kind for kind in KINDS} | dict.fromkeys(displays, DISPLAY)
        configs = {
            name: DeviceConfig(name, port=f"/dev/null/{name}", kind=kind)
            for name, kind in kinds.items()
        }
        self.settings = replace(
            SETTINGS, devices=tuple(kinds), kinds=tuple((name, DISPLAY) for name in displays)
        )
        outside = Outside(open_device=open_device, bits=bits)
        self.owner = Owner(recovered, self.committer, loop, self.stopped.append)
        self.handler = TableHandler(self.owner)
        self.drawing = Drawing(self.owner, loop, bits)
        self.owner.accompany(self.drawing.accompany)
        self.owner.follow(self.drawing.attend)
        self.fleet = Fleet(
            self.owner, self.journal, configs, loop, outside, self.drawing.meter_told
        )

    async def begin(self) -> None:
        """As the daemon does at its start."""
        self.committer.start()
        body = {
            "boot_id": self.boot_id,
            "settings": self.settings.dump(),
            "versions": {"engine": ENGINE_VERSION, "format": FORMAT},
        }
        self.owner.submit(read_event("start", body))
        await self.owner.settled()
        self.owner.follow(self.fleet.attend)
        self.handler.show_facts("devices", self.fleet.report)
        self.drawing.meter_silent = self.fleet.look_at_unit
        self.fleet.start()

    async def all_up(self) -> None:
        for link in self.links.values():
            link.up()
        await self.quiet()

    async def quiet(self) -> None:
        """Until everything is durable and nobody has anything to send any more."""
        stable = 0
        while stable < 3:
            before = len(self.sent), self.owner.submitted
            await self.owner.settled()
            await turns(2)
            waits = any(self.links[name].outstanding for name in self.prompt)
            changed = before != (len(self.sent), self.owner.submitted)
            stable = 0 if waits or changed else stable + 1

    async def dealer(self, *commands: str) -> None:
        for command in commands:
            await self.handler.command(Request(1, "dealer", command), DEALER)
            await self.quiet()

    async def deal(self, *cards: str) -> None:
        """Cards like ``9C`` leave the shoe."""
        for card in cards:
            self.links["shoe"].event("CARD", **card_fields(card))
            await self.quiet()

    async def begin_round(self, *cards: str) -> None:
        """With a wager of 10 on box 1, and these cards dealt."""
        await self.dealer("open", "wager 1 main 10", "close")
        await self.deal(*cards)

    def saying(
        self, command: str, who: Peer = DEALER, *, do: str = "dealer", **given: Any
    ) -> asyncio.Task[dict[str, Any]]:
        """A command that is given, and may wait for its answer."""

        async def answer() -> dict[str, Any]:
            return dict(await self.handler.command(Request(1, do, command, **given), who))

        return asyncio.ensure_future(answer())

    async def say(self, command: str, who: Peer = DEALER, **given: Any) -> dict[str, Any]:
        """Give a command; the answer."""
        answer = await self.saying(command, who, **given)
        await self.quiet()
        return answer

    async def order(self, command: str, who: Peer = DEALER, **given: Any) -> dict[str, Any]:
        """The same of a supervisor, with name and reason."""
        given = {"by": "Ida", "why": "as seen", **given}
        return await self.say(command, who, do="supervisor", **given)

    async def at(self) -> int:
        """The status's ``at``."""
        return int((await self.handler.status())["at"])

    async def hold(self) -> StatusHold:
        """What is told of the hold that there is."""
        held = (await self.handler.status())["held"]
        assert held is not None
        return held

    async def fault(self) -> str | None:
        """Why play is held, if it is."""
        held = (await self.handler.status())["held"]
        return held["fault"] if held else None

    def store_snapshot(self) -> None:
        self.owner.record(Draft(SNAPSHOT, snapshot(self.owner.counted, self.owner.shown)))

    def commands(self, device: str) -> list[tuple[str, dict[str, Any]]]:
        """What the device was told, acknowledgements left out."""
        return [(name, f) for who, name, f in self.sent if who == device and name != "EVENT_ACK"]

    def acknowledged(self, device: str) -> list[int]:
        return [f["no"] for who, name, f in self.sent if who == device and name == "EVENT_ACK"]

    def verified(self) -> bool:
        with JournalReader(self.state) as reader:
            return not verify(reader).findings

    def entries(self, kind: str) -> list[Mapping[str, Any]]:
        with JournalReader(self.state) as reader:
            return [entry.body for entry in reader.iterate() if entry.type == kind]

    async def end(self) -> None:
        self.drawing.close()
        self.owner.close()
        self.committer.close()
        self.journal.close()


@asynccontextmanager
async def open_house(
    state: Path,
    boot_id: str = "boot-1",
    known: Mapping[str, FakeLink] | None = None,
    bits: Callable[[int], int] = secrets.randbits,
    displays: Sequence[str] = (),
) -> AsyncIterator[House]:
    """A house from its start to its end; ``known``: the devices as an earlier one left them;
    ``bits``: the generator; ``displays``: names of such devices beside the others."""
    house = House(state, boot_id, known or {}, bits, displays)
    try:
        await house.begin()
        yield house
    finally:
        await house.end()


@asynccontextmanager
async def played(state: Path) -> AsyncIterator[House]:
    """A house whose devices are all up; its journal is verified behind it."""
    async with open_house(state) as house:
        await house.all_up()
        yield house
    assert house.verified()


@contextmanager
def locked(state: Path) -> Iterator[None]:
    """The journal's database held by another connection: a commit waits, as for a slow disk."""
    path = next(state.glob("*.sqlite3"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


async def turns(count: int = 50) -> None:
    """Let the loop turn; after the first of these turns it has lingered for a commit in vain."""
    for _ in range(count):
        await asyncio.sleep(0)


RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def card_fields(text: str) -> dict[str, int]:
    rank, suit = text[:-1], text[-1]
    return {
        "rank": RANKS.get(rank) or int(rank),
        "suit": "CDHS".index(suit) + 1,
        "flags": 0,
        "card_uid": 0,
        "remaining": 0xFFFF,
    }
