"""The runtime: the table recovered from its journal, with its owner, commit thread and devices.

What a process adds around it (signals, socket, service manager) is in :mod:`controller.daemon.app`.
With another :class:`~controller.daemon.outside.Outside` the same code runs in another world.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from controller import ENGINE_VERSION, STORES, __version__
from controller.configuration.model import Configuration
from controller.counters.balance import Balance
from controller.daemon.devices.fleet import Fleet
from controller.daemon.drawing import Drawing
from controller.daemon.health.clock import ClockWatch, newest_written
from controller.daemon.health.findings import SelfTest, run_self_tests
from controller.daemon.health.memory import MemoryWatch
from controller.daemon.health.pace import PaceWatch, Waiting
from controller.daemon.health.watches import (
    DiskWatch,
    WatchedPlace,
    Watches,
    WordsWatch,
    as_self_test,
    round_bytes,
)
from controller.daemon.journaling.sealing import Sealing
from controller.daemon.log_messages import HoldLog, log_place
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.daemon.quiet_moments import Snapshots
from controller.daemon.table_handler import TableHandler
from controller.daemon.witnesses import Witnesses
from controller.journal import schema
from controller.journal.errors import CommitFailed
from controller.journal.model import FORMAT
from controller.journal.store import Journal
from controller.program import this_program
from controller.replay.recovery import Entries, recover
from controller.table.events.event import Event
from controller.table.events.of_controller import ConditionChanged, ControllerStarted
from controller.table.events.of_people import SupervisorCommanded
from controller.table.holds import ACCEPTED
from controller.table.settings import Settings
from controller.upkeep.signing import Signing

_log = logging.getLogger(__name__)

FIRST_OFFER_BITS = 31
"""Bits of the first offer's number; half of the numbers are left for later offers."""
MOST_TOLD = 5
"""Number of differences on replay that are listed one by one, and of characters of each."""
MOST_WORDS = 300


def settings_of(config: Configuration) -> Settings:
    """The table's settings, as the journal stores them."""
    return Settings(
        table=config.table.id,
        rules=config.table.rules,
        decks=config.table.decks,
        boxes=config.table.boxes,
        limits=config.table.limits,
        devices=tuple(config.devices),
        spin_ms=config.spin_ms,
        weights=config.weights.pairs if config.weights else (),
        kinds=tuple(
            sorted((one.name, one.kind) for one in config.devices.values() if one.kind != one.name)
        ),
        day_begins=config.table.day_begins,
    )


def disks_of(config: Configuration) -> list[WatchedPlace]:
    """The directories that the table writes: its journal, and what is stored apart from it."""
    places = [WatchedPlace("the journal", config.state_directory)]
    if config.heads.parent != config.state_directory:
        places.append(WatchedPlace("the signed heads", config.heads.parent, needed=False))
    if config.copy is not None:
        places.append(WatchedPlace("the second copy", config.copy, needed=False))
    return places


class Runtime:
    """The running table without the process around it. ``stop`` is called with why it cannot go on;
    ``entries`` gives the journal's behind a number. ``self_tests`` run at the start, in order; no
    device is contacted before, nor while a fault keeps devices closed."""

    def __init__(
        self,
        config: Configuration,
        journal: Journal,
        signing: Signing,
        outside: Outside,
        loop: asyncio.AbstractEventLoop,
        stop: Callable[[str], None],
        entries: Entries,
    ) -> None:
        self._config = config
        self._outside = outside
        self._loop, self._stop = loop, stop
        recovered = recover(journal, entries)
        shown = recovered.differences[:MOST_TOLD]
        for difference in shown:
            _log.error("journal: %s", difference)
        self._differences = [difference[:MOST_WORDS] for difference in shown]
        self.disk_failure = ""
        """Why the journal could be written no more; empty while it can."""
        self.committer = outside.committer(journal, loop, self._cannot_write)
        self.sealing = Sealing(config, journal, signing, outside, loop, entries)
        self.witnesses = Witnesses(config, self.sealing, outside, loop)
        facts = {
            "started": outside.wall().isoformat(timespec="seconds"),
            "state_directory": str(config.state_directory),
            "journal": self.sealing.facts,
            "program": this_program().as_status(),
            "configuration": {"path": str(config.path), "digest": config.digest},
            "log": log_place(),
        }
        self.owner = Owner(recovered, self.committer, loop, stop)
        self.handler = TableHandler(self.owner, facts)
        self.drawing = Drawing(self.owner, loop, outside.bits)
        self.owner.accompany(self.drawing.accompany)
        self.owner.follow(self.drawing.attend)
        disk = DiskWatch(
            disks_of(config),
            outside.room,
            round_bytes(config.state_directory, self.owner.table.round_number),
        )
        memory = MemoryWatch(outside.memory)
        committer = self.committer  # another program that writes is not a slow disk
        pace = PaceWatch(
            committer.longest_s, lambda: 0.0 if committer.journal_holder() else committer.age_s()
        )
        say = self.owner.say_waiting
        self.waiting = Waiting(loop, committer.age_s, say, committer.journal_holder)
        clock = ClockWatch(
            outside.wall,
            outside.mono_ns,
            newest_written(journal, self.owner.table.setup.clock_since),
            outside.synchronised,
            self.owner.table.holds.conditions.get("clock-ahead", ""),
        )
        zone = WordsWatch("zone-unknown", [lambda: outside.zone().trouble])
        self._clock, self._journal = clock, journal
        self.owner.accompany(self._accept_clock)
        self.self_tests: list[SelfTest] = [
            as_self_test("the room on the disk", disk),
            as_self_test("main memory", memory),
            as_self_test("the clock", clock),
            as_self_test("the time zone", zone),
            self.drawing.self_test,
            self.sealing.self_test,
        ]
        self._opened = False
        self._shut: asyncio.Task[None] | None = None
        self.owner.subscribe(Snapshots(self.owner, recovered.since).write_if_due)
        self._balance = Balance()
        self.owner.subscribe(self._reconcile)
        self.fleet = Fleet(
            self.owner, journal, config.devices, loop, outside, self.drawing.meter_told
        )
        self._unfollow: Callable[[], None] = lambda: None
        self._leave_the_ports: Callable[[], None] = lambda: None
        looking = (
            disk,
            pace,
            memory,
            clock,
            zone,
            self.fleet.flaps,
            self.fleet.floods,
            self.fleet.lately,
            self.witnesses,
        )
        self._watches = Watches(loop, looking, self.owner.report_finding)

    def _cannot_write(self, error: Exception) -> None:
        self.disk_failure = str(error) if isinstance(error, CommitFailed) else ""
        self._stop(f"the journal cannot be written: {error}")

    def submit_start(self) -> Awaitable[None]:
        """Submit the start record; done when it is durable."""
        config = self._config
        self.owner.submit(
            ControllerStarted(
                boot_id=self._outside.boot_id(),
                settings=settings_of(config).dump(),
                versions={
                    "controller": __version__,
                    "engine": ENGINE_VERSION,
                    "stores": STORES,
                    FORMAT: schema.FORMAT,
                },
                program=this_program().as_body(),
                digests=this_program().digests | config.digests,
                configuration=dict(config.values),
                sealing=self.sealing.record(),
                found=self.sealing.found,
                # A unit that was used with an earlier journal may still report a press of an
                # offer with a small number: no number of an offer may be used twice at a table.
                first_offer=self._outside.bits(FIRST_OFFER_BITS) + 1,
                differences=tuple(self._differences),
            )
        )
        self.waiting.start()  # what a start stores waits as anything else does
        for verdict in run_self_tests(self.self_tests, self.owner.table.holds.conditions):
            self.owner.report_finding(verdict)
        self.drawing.begin_cycles()
        self.sealing.start(self.owner)
        self.witnesses.follow_heads(self.owner)
        self.handler.show_facts("journal", self.witnesses.facts)
        return self.owner.settled()

    def _accept_clock(self, event: Event) -> None:
        """End the notices that a supervisor has accepted, in the same transaction, unless the clock
        cannot be right; times up to here count no more."""
        ended = [code for code in ACCEPTED if code in self.owner.table.outcome.ended]
        if isinstance(event, SupervisorCommanded) and ended and self._clock.accept():
            detail, since = "a supervisor has accepted the time", self._journal.head.seq
            for code in ended:
                change = ConditionChanged(
                    fault=code, present=False, detail=detail, clock_since=since
                )
                self.owner.submit(change)

    def _reconcile(self) -> None:
        """After commits: whether the counters agree with the settled round (JKP-03), which is
        named, so that a report about another one is new. It ends by no later round: wrong counts
        stay in sums."""
        wrong = self._balance.discrepancies(self.owner.counted.counters, self.owner.table)
        if wrong:
            detail = f"round {self.owner.table.round_number}: {'; '.join(wrong)}"
            self.owner.condition("counters-differ", detail)

    def open(self) -> None:
        """Open ports and command the devices; not while a fault keeps devices closed."""
        self._unfollow = self.owner.follow(self.fleet.attend)
        self.handler.show_facts("devices", self.fleet.report)
        self.drawing.meter_silent = self.fleet.look_at_unit
        self._watches.start()
        HoldLog(self.owner)
        self._leave_the_ports = self.owner.subscribe(self._mind_the_ports)
        self._mind_the_ports()

    def _mind_the_ports(self) -> None:
        """Open or close the devices' ports as the table wants it; what was closed is opened by a
        new start, which tests and queries all of them first."""
        wanted = self.owner.published.devices_open
        if wanted and self._shut is not None:
            self._stop("devices may be spoken to again: the controller is to be started anew")
        elif wanted and not self._opened:
            self._opened = True
            self.fleet.start()
        elif not wanted and self._opened and self._shut is None:
            _log.critical("no device is spoken to any more: %s", self.owner.table.reason)
            self._shut = self._loop.create_task(self.fleet.shut())

    async def close(self, within_s: float | None = None) -> None:
        """Close every port within that time (None: without limit) and stop all timers; a port that
        hangs stays open until the process ends."""
        self._leave_the_ports()
        self._stop = _log.debug  # it is being stopped
        self._watches.close()
        self.waiting.close()
        self.sealing.close()
        self.witnesses.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                if self._shut is not None:
                    await self._shut
                await self.fleet.close()
        self._unfollow()
        self.drawing.close()
        self.owner.close()
