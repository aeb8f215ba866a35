"""Plays a case through the real drivers, table and journal, in virtual time, and compares.

The rules:

- The daemon is that of :mod:`controller.daemon.runtime`, its clock the journal's, its journal a new
  one that begins with the table as it was. The devices are :class:`~.line.PlayedLine`.
- Time begins :data:`LEAD_S` before the capture does, so that every link that was up is up by then.
- A draw takes the numbers that were taken: the mapping is this program's.
- Compared are the entries, one by one, with what came of each (cards, settlements, states), and
  what each device was told. Entries about the controller itself, and how a link came up, are not.
"""

from __future__ import annotations

import asyncio
import logging
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from controller.control.handler import BadCommand, RequestRefused
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.daemon import drawing
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.draw.generator import Drawn
from controller.draw.generator import draw as real_draw
from controller.draw.weights import Weights
from controller.files.media import FreeRoom
from controller.forms.json_values import checked
from controller.journal.model import DRAW, Draft, Entry
from controller.journal.store import Journal
from controller.program import this_program
from controller.replay.replay import SNAPSHOT
from controller.upkeep.signing import signing_of
from drivers.api import DeviceConfig, DeviceListener
from drivers.table_link.driver import TableLink
from hil_tests.replay.case import Case, configuration
from hil_tests.replay.exchanges import half_of
from hil_tests.replay.exported import compare
from hil_tests.replay.line import PlayedLine
from hil_tests.virtual_time.disk import Plan, VirtualCommitter
from hil_tests.virtual_time.world import VirtualLoop, World

LEAD_S: Final = 2.0
TAIL_S: Final = 1.0
"""What was said at the very end may be stored a little later now."""
MOST_TOLD: Final = 20
SELF_TEST: Final = "SELF_TEST"


@dataclass(slots=True)
class Replayed:
    """What came of it: the first ``differences`` in plain words, none where all is as it was;
    ``entries`` that were compared, and ``seconds`` of table time; ``troubles``, what is wrong with
    the ends of the captures, which are good up to there."""

    differences: list[str] = field(default_factory=list)
    entries: int = 0
    seconds: float = 0.0
    troubles: list[str] = field(default_factory=list)


def play(case: Case) -> Replayed:
    """Play it."""
    with tempfile.TemporaryDirectory(prefix="replay-") as folder, _quiet():
        table = _Table(case, Path(folder))
        try:
            with patch.object(drawing, "draw", table.draw):
                table.run_case()
        finally:
            table.close()
    table.came.troubles = case.troubles
    return table.came


@contextmanager
def _quiet() -> Iterator[None]:
    """A daemon whose devices are torn out says a lot."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


class _Table:
    """The table of a case."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.came = Replayed()
        self._case = case
        self._from_start = case.counted is None
        self._origin_ns = case.begins_ns - int(LEAD_S * 1e9)
        self._world = World()
        self._loop = VirtualLoop(self._world)
        self._stored: list[Entry] = []
        self._stopped = ""
        self._tickets = [entry.body for entry in case.window if entry.type == DRAW]
        self._first_offer = _first_offer(case)
        self._random = random.Random(case.boot_id)
        wall = datetime.fromisoformat(case.window[0].wall).astimezone(UTC)
        self._wall = wall - timedelta(seconds=LEAD_S)
        config = configuration(case, folder)
        self._lines = {name: self._line(name) for name in case.devices}
        signing = signing_of(config)
        self._journal = Journal(folder, signing.key, boot_id=case.boot_id)
        if case.counted is not None:
            # What is to be tried is this program, not whether it is the one that was approved.
            case.counted.table.setup.digests = this_program().digests | config.digests
            # From the events the links know where to go on, from the snapshot the table.
            events = sorted(case.stored.values(), key=lambda entry: entry.seq)
            drafts = [*(entry.draft for entry in events), Draft(SNAPSHOT, case.counted.dump())]
            self._journal.append(drafts, self._origin_ns, wall.isoformat())
        outside = Outside(
            boot_id=lambda: case.boot_id,
            wall=lambda: self._wall + timedelta(seconds=self._world.now),
            mono_ns=self._clock_ns,
            bits=self._bits,
            open_device=self._open_device,
            room=lambda _: FreeRoom(1 << 40),
            committer=self._committer,
            aside=lambda _, work, then, __: then(work()),
        )
        self._runtime = Runtime(
            config, self._journal, signing, outside, self._loop, self._stop, self._journal.iterate
        )

    # ---- the world around it ------------------------------------------------------------------

    def _clock_ns(self) -> int:
        return self._origin_ns + round(self._world.now * 1e9)

    def _line(self, name: str) -> PlayedLine:
        case, head = self._case, self._case.devices[name]
        stored = case.stored.get((name, head.get("session", 0)))
        return PlayedLine(
            name,
            head,
            half_of(sight for sight in case.sights if sight.device == name),
            int(stored.event_no or 0) if stored else 0,
            (case.begins_ns, case.ends_ns),
            self._clock_ns,
            self._differ,
        )

    def _open_device(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> TableLink:
        line = self._lines[config.name]
        return TableLink(
            config, loop, listener, resume, 1, lambda carrier: line.attach(self._loop, carrier)
        )

    def _committer(
        self,
        journal: Journal,
        _: asyncio.AbstractEventLoop,
        failed: Callable[[Exception], None],
    ) -> VirtualCommitter:
        clocks = self._clock_ns, lambda: self._wall + timedelta(seconds=self._world.now)
        durable = self._stored.append
        return VirtualCommitter(journal, self._loop, failed, Plan(), clocks, durable, self._random)

    def _bits(self, count: int) -> int:
        if self._first_offer is not None:
            first, self._first_offer = self._first_offer, None
            return first - 1
        return self._random.getrandbits(count)

    def draw(self, weights: Weights, bits: Callable[[int], int]) -> Drawn:
        """Draw with the numbers that were taken."""
        if not self._tickets:
            self._differ("there is a draw, and the journal has none any more")
            return real_draw(weights, bits)
        taken = self._tickets.pop(0)
        rejected = checked(list[int], taken["rejected"])
        numbers = iter([*rejected, checked(int, taken["ticket"])])
        return real_draw(weights, lambda _: next(numbers))

    def _stop(self, reason: str) -> None:
        if not self._stopped:
            self._stopped = reason
            self._differ(f"the controller stops: {reason}")

    def _differ(self, what: str) -> None:
        if len(self.came.differences) < MOST_TOLD:
            self.came.differences.append(f"at {self._world.now - LEAD_S:.3f} s: {what}")

    # ---- the play -----------------------------------------------------------------------------

    def run_case(self) -> None:
        """From the start of the controller to the end of the capture."""
        case = self._case
        self._runtime.committer.start()
        if self._from_start:
            self._world.run_for((case.window[0].mono_ns - self._origin_ns) / 1e9)
        begun = self._loop.create_task(_wait(self._runtime.submit_start))
        self._world.run_until(begun.done, LEAD_S)
        self._loop.call_soon(self._runtime.open)
        if not self._from_start:
            self._world.run_for(LEAD_S - self._world.now)
        before = 0 if self._from_start else len(self._stored)
        for name, line in self._lines.items():
            line.schedule_sights()
            for asked in line.half.commands:
                if asked.name == SELF_TEST:
                    self._loop.call_at((asked.at_ns - self._origin_ns) / 1e9, self._test, name)
        for at_ns, entry in case.said:
            self._loop.call_at((at_ns - self._origin_ns) / 1e9, self._start_entry, entry)
        self._world.run_for((case.ends_ns - self._clock_ns()) / 1e9)
        self._world.run_for(TAIL_S)
        for line in self._lines.values():
            line.report_missing()
        self.came.entries, differences = compare(
            case.window, self._stored[before:], from_start=self._from_start
        )
        for difference in differences:
            self._differ(difference)
        self.came.seconds = (case.ends_ns - case.begins_ns) / 1e9

    def _test(self, name: str) -> None:
        """The technician's, who is in no journal."""
        fleet = self._runtime.fleet
        if why := fleet.devices[name].may_test():
            self._differ(f"{name}: is not told to test itself: {why}")
        else:
            fleet.commanding.self_test(fleet.devices[name], lambda _: None)

    def _start_entry(self, entry: Entry) -> None:
        self._loop.create_task(self._entered(entry))

    async def _entered(self, entry: Entry) -> None:
        body: Mapping[str, Any] = entry.body
        handler = self._runtime.handler
        who = self._peer_of(body, entry.type)
        try:
            if entry.type == "dealer":
                await handler.command(Request(1, "dealer", body["command"]), who)
            else:
                await handler.command(
                    Request(1, "supervisor", body["command"], body["by"], body["why"]), who
                )
        except (RequestRefused, BadCommand) as refused:
            if not any(told.get("refused") for told in body["after"].get("answered", ())):
                self._differ(f"entry {entry.seq}, {body['command']!r}, is refused: {refused}")

    def _peer_of(self, body: Mapping[str, Any], usual: str) -> Peer:
        """Who gave a command."""
        name, uid = str(body.get("user", usual)), int(body["uid"])
        return Peer(1, uid, uid, name, frozenset(), person=body.get("person"))

    def close(self) -> None:
        """Nothing of it goes on."""
        self._loop.die()
        self._runtime.owner.close()
        self._journal.close()


def _first_offer(case: Case) -> int | None:
    start = case.window[0] if case.counted is None else None
    return checked(int, start.body["first_offer"]) if start is not None else None


async def _wait(what: Callable[[], Any]) -> None:
    await what()
