"""One life of the controller's process: the real owner, drawing, fleet, journal and table, whose
commits come when the model has them come.

What a life does between two commits happens at one moment of virtual time, so no clock of the
daemon runs out: a meter that is overdue is not in the model.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
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
from controller.journal.model import Entry
from controller.journal.opening import make_directory
from controller.journal.schema import FORMAT
from controller.journal.store import Journal
from controller.replay.recovery import recover
from controller.table.events.reading import read_event
from controller.table.settings import Settings
from drivers.api import Answer, DeviceConfig, DeviceListener, Identity, Value
from hil_tests.virtual_time.disk import Plan, VirtualCommitter
from hil_tests.virtual_time.world import VirtualLoop, World
from proof.held_link import HeldLink
from proof.models.draw.steps import Step
from proof.models.draw.unit import Unit, UnitLink
from proof.models.playing import Bench

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
WALL: Final = datetime(2026, 11, 23, 20, tzinfo=UTC)
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


class HandCommitter(VirtualCommitter):
    """What is submitted waits until it is told to be committed. ``early``: a defect; what follows
    from it does not wait."""

    early = False

    @property
    def waits(self) -> bool:
        """Whether anything does."""
        return bool(self._waiting or self._gathered)

    def _turn(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._waiting += [(draft, _untold) for draft, _ in gathered] if self.early else gathered
        self.handed_over()
        if self.early:
            self._report_batch([(committed, _NO_ENTRY) for _, committed in gathered])

    def write(self) -> list[tuple[Committed, Entry]]:
        """All that waits becomes durable, in one transaction; nobody is told."""
        return self._commit() if self._waiting else []

    def commit(self) -> None:
        """All that waits becomes durable, and what follows from it happens."""
        batch = self.write()
        if not self.early:
            self._report_batch(batch)

    def _report_batch(self, batch: list[tuple[Committed, Entry]]) -> None:
        self._report_committed(batch)
        self.durable()
        self.settled()


def _raise(error: Exception) -> None:
    raise error


def _untold(_: Entry) -> None:
    """It was told before."""


class ShoeLink(HeldLink):
    """The link of the shoe: what is needed to deal."""

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """Done at once."""
        super().command(name, fields, done)
        told = {"last_event": self.last_event} if name == "GATE" else {}
        asyncio.get_running_loop().call_soon(self.answer, told)

    def greet(self) -> None:
        """HELLO was answered."""
        self.come_up(Identity("shoe", "S1", (1, 0, 0), "00" * 8, 1), 0)

    def card(self, rank: int, suit: int) -> None:
        """A card leaves the shoe."""
        fields = {"rank": rank, "suit": suit, "flags": 0, "card_uid": 0, "remaining": 0xFFFF}
        self.event("CARD", fields, 1)


class ProcessBench(Bench):
    """What a process has around it, defects among it: ``early``, what follows from a commit does
    not wait for it; ``apart``, the signed row is in another transaction than the entries."""

    early = apart = False

    def __init__(self, folder: Path, bounds: Mapping[str, int]) -> None:
        super().__init__(folder, bounds)
        self.world, self.unit, self.boot = World(), Unit(), 1
        self.bits = random.Random(1).getrandbits
        self.drawn_for: list[int | None] = []

    def entries_of(self, journal: Journal) -> Callable[[int], Iterable[Entry]]:
        """What a process that starts reads of its journal."""
        return journal.iterate

    def note_durable(self, entry: Entry) -> None:
        """An entry is stored."""
        if entry.type == "draw":
            if entry.offer in self.drawn_for:
                self.wrong.append(f"offer {entry.offer} is drawn twice")
            self.drawn_for.append(entry.offer)


class Process:
    """A life over the journal in the bench's folder; what it has of the bench may be defects."""

    def __init__(self, bench: ProcessBench) -> None:
        self.world, self.loop = bench.world, VirtualLoop(bench.world)
        self.boot, self._unit = f"boot-{bench.boot}", bench.unit
        self.stopped: list[str] = []
        make_directory(bench.folder)
        key = ControllerKey(bench.folder / "key")
        self.journal = CutJournal(bench.folder, key, boot_id=self.boot)
        self.journal.apart = bench.apart
        self.committer = HandCommitter(
            *(self.journal, self.loop, _raise, Plan(), (lambda: 1, lambda: WALL)),
            *(bench.note_durable, random.Random(1)),
        )
        self.committer.early = bench.early
        recovered = recover(self.journal, bench.entries_of(self.journal))
        self.owner = Owner(recovered, self.committer, self.loop, self.stopped.append)
        self.handler = TableHandler(self.owner)
        self.drawing = Drawing(self.owner, self.loop, bench.bits)
        self.owner.accompany(self.drawing.accompany)
        self.owner.follow(self.drawing.attend)
        configs = {
            name: DeviceConfig(name, port=f"/dev/null/{name}", kind=name)
            for name in SETTINGS.devices
        }
        outside = Outside(open_device=self._open, bits=bench.bits)
        self.fleet = Fleet(
            self.owner, self.journal, configs, self.loop, outside, self.drawing.meter_told
        )

    def _open(
        self, config: DeviceConfig, _: object, listener: DeviceListener, resume: tuple[int, int]
    ) -> UnitLink | ShoeLink:
        if config.kind == "shoe":
            self.shoe = ShoeLink("shoe", listener, (7, 0))
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
        self.inside(self.shoe.greet)
        self.inside(self.link.join)
        self.inside(self.committer.commit)
        for command in ("open", "wager 1 main 10", "wager 1 pandemonium 1", "close"):
            self.start_saying(self.handler.command(Request(1, "dealer", command), DEALER))
            self.inside(self.committer.commit)
        while self.link.coming:
            self.inside(self.link.next_event)
        self.inside(self.committer.commit)
        for rank, suit in _CARDS:
            self.inside(lambda rank=rank, suit=suit: self.shoe.card(rank, suit))  # type: ignore[misc]
            self.inside(self.committer.commit)
        assert self.owner.table.state == "jackpot.armed", self.owner.table.state

    def kill_process(self) -> None:
        """SIGKILL: what was not committed is lost."""
        self.loop.die()
        self.journal.close()
