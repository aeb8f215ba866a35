"""One life of the controller's process: the real owner, drawing, fleet, journal and table, whose
commits come when the model has them come.

What a life does between two commits happens at one moment of virtual time, so no clock of the
daemon runs out: a meter that is overdue is not in the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from controller import ENGINE_VERSION
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.daemon.committer import Committed
from controller.daemon.devices.fleet import Fleet
from controller.daemon.drawing import Drawing
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.daemon.table_handler import TableHandler
from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft, Entry
from controller.journal.opening import make_directory
from controller.journal.schema import FORMAT
from controller.journal.store import Journal
from controller.replay.recovery import recover
from controller.table.events.reading import read_event
from controller.table.settings import Settings
from drivers.api import Answer, DeviceConfig, DeviceEvent, DeviceListener, Identity, LinkUp, Value
from hil_tests.virtual_time.world import VirtualLoop, World
from proof.models.draw.steps import Step
from proof.models.draw.unit import Unit, UnitLink

SETTINGS: Final = Settings(
    table="T1",
    rules=load_rules("mbs-pontoon-pandemonium-v5"),
    decks=8,
    boxes=7,
    limits=Limits(1000, 500000, 100, 50000, 100),
    devices=("shoe", "jackpot"),
    spin_ms=30_000,
    weights=tuple((multiplier, 1) for multiplier in range(257, 1, -1)),
)
WALL: Final = "2026-11-23T20:00:00.000+00:00"
DEALER: Final = Peer(1, 0, 0, "dealer", frozenset())
SUPERVISOR: Final = Peer(2, 0, 0, "floor", frozenset())
_NO_ENTRY: Final[Any] = None
"""Nobody looks at the entry; with the defect there is none yet."""
_CARDS: Final = ((1, 1), (9, 2), (13, 1))  # a Pontoon for box 1, a nine for the dealer


class Cut(BaseException):
    """The process ended between two writes of a commit."""


class CutJournal(Journal):
    """The journal, in whose next commit the process may end: at :attr:`cut`. ``apart``: a defect;
    the row is written in a transaction of its own."""

    cut: Step | None = None
    apart = False

    def _sign(self, last: Entry) -> None:
        if self.apart:
            self.connection.execute("COMMIT")
            self.connection.execute("BEGIN IMMEDIATE")
        if self.cut is Step.KILL_BEFORE_ROW:
            raise Cut
        super()._sign(last)
        if self.cut is Step.KILL_BEFORE_COMMIT:
            raise Cut


class HandCommitter:
    """:class:`controller.daemon.outside.Committing`: what is submitted waits until it is told to be
    committed. ``durable`` is told of every entry that is. ``early``: a defect; what follows from it
    does not wait."""

    def __init__(
        self,
        journal: Journal,
        loop: VirtualLoop,
        durable: Callable[[Entry], None],
        *,
        early: bool = False,
    ) -> None:
        self.handed_over: Callable[[], None] = lambda: None
        self.durable: Callable[[], None] = lambda: None
        self.settled: Callable[[], None] = lambda: None
        self.early = early
        self.waiting: list[tuple[Draft, Committed]] = []
        self._untold: list[Committed] = []
        self._durable = durable
        self._journal = journal
        self._loop = loop
        self._turning = False

    def start(self) -> None:
        """There is no thread."""

    def submit(self, draft: Draft, committed: Committed) -> None:
        """It waits."""
        self.waiting.append((draft, committed))
        self._untold.append(committed)
        if not self._turning:
            self._turning = True
            self._loop.call_soon(self._turn)

    def longest_s(self) -> float:
        """Commits take no time here."""
        return 0.0

    def in_the_disk(self) -> bool:
        """There is none."""
        return False

    def journal_holder(self) -> str:
        """Nobody else writes it."""
        return ""

    def age_s(self) -> float:
        """Nothing is ever late."""
        return 0.0

    def close(self, within_s: float | None = None) -> bool:
        """What waits is lost."""
        return True

    def _turn(self) -> None:
        self._turning = False
        self.handed_over()
        if self.early:
            told, self._untold = self._untold, []
            for committed in told:
                committed(_NO_ENTRY)
            self.durable()
            self.settled()

    def write(self) -> Sequence[Entry]:
        """All that waits becomes durable, in one transaction; nobody is told."""
        drafts = [draft for draft, _ in self.waiting]
        self.waiting.clear()
        entries = self._journal.append(drafts, 1, WALL) if drafts else []
        for entry in entries:
            self._durable(entry)
        return entries

    def commit(self) -> None:
        """All that waits becomes durable, and what follows from it happens."""
        told, self._untold = self._untold, []
        entries = self.write()
        if not self.early:
            for committed, entry in zip(told, entries, strict=True):
                committed(entry)
            self.durable()
            self.settled()


class ShoeLink:
    """The link of the shoe: what is needed to deal, and nobody answers."""

    def __init__(self, listener: DeviceListener) -> None:
        self.listener = listener
        self.last_event = 0

    def start(self) -> None:
        """It comes up when cards are dealt."""

    async def close(self) -> None:
        """Nobody is told."""

    def statistics(self) -> Mapping[str, int]:
        """None."""
        return {}

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """Done at once."""
        told = {"last_event": self.last_event} if name == "GATE" else {}
        asyncio.get_running_loop().call_soon(done, Answer(name, fields=told))

    def acknowledge(self, session: int, event_no: int) -> None:
        """It forgets nothing anyway."""

    def up(self) -> None:
        """HELLO was answered."""
        identity = Identity("shoe", "S1", (1, 0, 0), "00" * 8, 1)
        self.listener.link_up(LinkUp("shoe", identity, 7, False, 0, 0))

    def card(self, rank: int, suit: int) -> None:
        """A card leaves the shoe."""
        self.last_event += 1
        fields = {"rank": rank, "suit": suit, "flags": 0, "card_uid": 0, "remaining": 0xFFFF}
        self.listener.device_event(DeviceEvent("shoe", 7, self.last_event, 1, "CARD", fields))


class Process:
    """A life over the journal in ``folder``; ``bits`` is the generator; ``durable`` is told of
    every entry that is. ``entries`` is what it reads of the journal at its start, all of it unless
    there is a defect."""

    def __init__(
        self,
        world: World,
        folder: Path,
        unit: Unit,
        boot: str,
        bits: Callable[[int], int],
        durable: Callable[[Entry], None],
        *,
        early: bool = False,
        apart: bool = False,
        entries: Callable[[Journal], Callable[[int], Iterable[Entry]]] = lambda j: j.iterate,
    ) -> None:
        self.world, self.loop, self.boot = world, VirtualLoop(world), boot
        self.stopped: list[str] = []
        make_directory(folder)
        self.journal = CutJournal(folder, ControllerKey(folder / "key"), boot_id=boot)
        self.journal.apart = apart
        self.committer = HandCommitter(self.journal, self.loop, durable, early=early)
        self._unit = unit
        recovered = recover(self.journal, entries(self.journal))
        self.owner = Owner(recovered, self.committer, self.loop, self.stopped.append)
        self.handler = TableHandler(self.owner)
        self.drawing = Drawing(self.owner, self.loop, bits)
        self.owner.accompany(self.drawing.accompany)
        self.owner.follow(self.drawing.attend)
        configs = {
            name: DeviceConfig(name, port=f"/dev/null/{name}", kind=name)
            for name in SETTINGS.devices
        }
        outside = Outside(open_device=self._open, bits=bits)
        self.fleet = Fleet(
            self.owner, self.journal, configs, self.loop, outside, self.drawing.meter_told
        )

    def _open(
        self,
        config: DeviceConfig,
        _: object,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> UnitLink | ShoeLink:
        if config.kind == "shoe":
            self.shoe = ShoeLink(listener)
            return self.shoe
        self.link = UnitLink(self._unit, listener, resume)
        return self.link

    def begin_process(self) -> None:
        """The start record, durable, and what follows from it."""
        body = {
            "boot_id": self.boot,
            "settings": SETTINGS.dump(),
            "versions": {"engine": ENGINE_VERSION, "format": FORMAT},
        }
        self.inside(lambda: self.owner.submit(read_event("start", body)))
        self.owner.follow(self.fleet.attend)
        self.inside(self.committer.commit)
        self.fleet.start()

    def inside(self, what: Callable[[], object]) -> None:
        """Have it happen in the loop, and all that follows at this moment."""
        self.loop.call_soon(what)
        self.world.run_for(0.0)

    def start_saying(self, saying: Any) -> None:
        """Have somebody say something; the answer waits for the commit."""
        self.inside(lambda: self.loop.create_task(saying))

    def deal(self) -> None:
        """From a new table to the offer of the button to box 1, durable."""
        self.inside(self.shoe.up)
        self.inside(self.link.join)
        self.inside(self.committer.commit)
        for command in ("open", "wager 1 main 10", "wager 1 pandemonium 1", "close"):
            self.start_saying(self.handler.command(Request(1, "dealer", command), DEALER))
            self.inside(self.committer.commit)
        while self.link.coming:
            self.inside(self.link.event)
        self.inside(self.committer.commit)
        for rank, suit in _CARDS:
            self.inside(lambda rank=rank, suit=suit: self.shoe.card(rank, suit))  # type: ignore[misc]
            self.inside(self.committer.commit)
        assert self.owner.table.state == "jackpot.armed", self.owner.table.state

    def kill_process(self) -> None:
        """SIGKILL: what was not committed is lost."""
        self.loop.die()
        self.journal.close()
