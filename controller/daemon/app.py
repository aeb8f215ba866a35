"""The life cycle of the daemon: lock its files, recover the table, open for play, stop cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import time

from controller.configuration.model import Configuration
from controller.control.address import AddressError, ControlAddress
from controller.control.peers import Groups
from controller.control.serving.server import ControlServer
from controller.daemon.devices.device import check_ports
from controller.daemon.health.installed import program_self_test
from controller.daemon.journaling.keeping import Keeping, media_self_test, recovery_self_test
from controller.daemon.journaling.played_rounds import PlayedRounds
from controller.daemon.outside import Outside
from controller.daemon.people_desk import Desk
from controller.daemon.quiet_moments import Closing, Collecting
from controller.daemon.readiness.report import ReadinessReporter
from controller.daemon.runtime import Runtime, disks_of
from controller.daemon.service_manager import STOPS, Notifier, ServiceManager, patiently
from controller.daemon.table_handler import answering
from controller.daemon.workshop import Workshop
from controller.journal.errors import DiskFailed, JournalError, StateInUse
from controller.journal.opening import make_directory
from controller.journal.store import Journal
from controller.table.events.of_controller import ControllerStopped
from controller.upkeep.due import close_if_due, first_written
from controller.upkeep.known_elsewhere import must_not_be_gone
from controller.upkeep.reserve import keep_room
from controller.upkeep.signing import Signing, signing_of
from drivers.api import DriverError

_log = logging.getLogger(__name__)

STOP_S = 1.8
"""Total time of a stop for clients, ports, disk and media, also when one of them hangs; the rest of
the promised two seconds is left to the interpreter."""

CLIENTS_S = 0.7
"""The part of it in which clients may still get their answers."""

PORTS_S = 0.3
"""The part in which ports are closed; a USB transfer may keep its port for longer."""

LAST_FILES_S = 0.4
"""The part that is kept for the end: the last head and the second copy, side by side."""

START_AGAIN = -1
"""No exit status: the program is to be started again in the same process."""


class CannotStart(Exception):
    """The message names what is held or missing; ``heals``: a later start may find it well."""

    def __init__(self, what: str, *, heals: bool = False) -> None:
        super().__init__(what)
        self.heals = heals


class DiskEnded(Exception):
    """The table was stopped because its journal could not be written; it is said already."""


async def serve(config: Configuration) -> int:
    """Run the table until a stop: 0 after a clean one, 1 when it could not continue, or
    :data:`START_AGAIN`. Raises :class:`CannotStart` and :class:`DiskEnded`."""
    loop, outside = asyncio.get_running_loop(), Outside()
    with contextlib.ExitStack() as undo:
        try:
            must_not_be_gone(config)
            make_directory(config.state_directory)
            signing = signing_of(config)
            keep_room(config.state_directory)
            close_if_due(config, signing, outside)
            journal = Journal(config.state_directory, signing.key, boot_id=outside.boot_id())
            undo.callback(journal.close)
            keeping = Keeping(config, journal, loop)
            undo.callback(lambda: keeping.close(time.monotonic() + LAST_FILES_S))
            address = ControlAddress(config.control.socket)
        except (StateInUse, AddressError, JournalError) as error:
            heals = isinstance(error, DiskFailed) or getattr(error, "heals", False)
            raise CannotStart(str(error), heals=heals) from error
        undo.callback(address.release)
        try:
            check_ports(config.devices.values())
            life = _Life(config, journal, signing, keeping, address, loop, outside)
        except DriverError as error:
            raise CannotStart(str(error)) from error
        undo.pop_all()
    return await life.run_until_stopped()


class _Life:
    def __init__(
        self,
        config: Configuration,
        journal: Journal,
        signing: Signing,
        keeping: Keeping,
        address: ControlAddress,
        loop: asyncio.AbstractEventLoop,
        outside: Outside,
    ) -> None:
        self._config = config
        self._journal = journal
        self._keeping = keeping
        self._loop = loop
        self._stopping = asyncio.Event()
        self._failure = ""
        self._again = False
        self._notifier = Notifier()
        self._runtime = Runtime(
            *(config, journal, signing, outside, loop, self._fail),
            lambda after: patiently(journal.iterate(after), self._notifier),
        )
        self._collecting = Collecting(self._runtime.owner, loop)
        self._runtime.self_tests += [
            program_self_test(),
            media_self_test(config),
            recovery_self_test(config),
        ]
        self._runtime.handler.show_facts("upkeep", keeping.facts)
        control = config.control
        groups = Groups(control.dealers, control.supervisors, control.viewers)
        readiness = ReadinessReporter(
            self._runtime.owner,
            self._runtime.handler,
            self._runtime.drawing,
            config,
            outside,
            disks_of(config),
            signing.trusted,
            self._runtime.witnesses.readiness,
        )
        workshop = Workshop(self._runtime.owner, self._runtime.fleet, outside, readiness.report)
        self._manager = ServiceManager(
            self._notifier, loop, config.table.id, self._runtime.committer, self._stopping
        )
        self._runtime.waiting.state = self._manager.waits
        keys = tuple(dict.fromkeys([*signing.trusted, signing.key.public]))
        self._rounds = PlayedRounds(config.state_directory, heads=(config.heads, keys))
        self._server = ControlServer(
            address,
            answering(
                self._runtime.handler,
                workshop,
                self._rounds,
                self._runtime.witnesses,
                Desk(config.people, self._runtime.owner, loop.time),
            ),
            groups,
        )
        first = first_written(journal)
        self._closing = Closing(
            config, self._runtime.owner, outside, loop, first, self._start_again
        )

    async def run_until_stopped(self) -> int:
        for number in STOPS:
            self._loop.add_signal_handler(number, self._stopping.set)
        self._loop.set_exception_handler(self._unforeseen)
        try:
            self._runtime.committer.start()
            if await self._write_start():
                await self._open()
                await self._stopping.wait()
        finally:
            await self._close()
        if self._runtime.disk_failure:
            raise DiskEnded(self._runtime.disk_failure)
        if self._failure:
            return 1
        if self._again:
            for number in STOPS:  # from here on it ends the process as it ends any other
                signal.signal(number, signal.SIG_DFL)
        return START_AGAIN if self._again else 0

    def _start_again(self) -> None:
        self._again = True
        for number in STOPS:  # not in the loop, which does not turn until the end
            signal.signal(number, self._stop_for_good)
        self._stopping.set()

    def _stop_for_good(self, *_: object) -> None:
        self._again = False

    async def _write_start(self) -> bool:
        """Whether the start record is durable before a stop is requested or the disk fails."""
        settled = asyncio.ensure_future(self._runtime.submit_start())
        stopping = self._loop.create_task(self._stopping.wait())
        await asyncio.wait((settled, stopping), return_when=asyncio.FIRST_COMPLETED)
        settled.cancel()
        stopping.cancel()
        return not self._stopping.is_set()

    async def _open(self) -> None:
        config = self._config
        self._runtime.open()
        self._keeping.start(
            self._runtime.owner.report_finding,
            self._runtime.owner.table.holds.conditions,
            self._runtime.sealing.tree,
        )
        await self._server.start()
        self._collecting.begin_collecting()
        self._closing.start()
        self._manager.is_ready()
        _log.info("table %s plays %s", config.table.id, config.table.rules.id)

    def _fail(self, reason: str) -> None:
        """Stop: play must not continue on what cannot be stored or understood."""
        if not self._failure:
            self._failure = reason
            _log.critical("the table stops: %s", reason)
        self._stopping.set()

    def _unforeseen(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """An exception in one of our callbacks leaves an unknown state, so the daemon stops. A
        failure in one client's connection (no ``handle``) affects no one else."""
        loop.default_exception_handler(context)
        if "handle" in context:
            self._fail(f"unforeseen: {context.get('exception')!r}")

    async def _close(self) -> None:
        until = time.monotonic() + STOP_S
        self._manager.ends(again=self._again)
        self._closing.close()
        self._rounds.stop()
        self._runtime.witnesses.close()
        self._collecting.close()
        await self._server.close(grace_s=CLIENTS_S)
        await self._runtime.close(PORTS_S)
        durable_by = until - LAST_FILES_S
        if not self._failure:
            self._runtime.owner.submit(ControllerStopped())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_left(durable_by)):
                    await self._runtime.owner.settled()
        if self._runtime.committer.close(_left(durable_by)):
            sealing = self._runtime.sealing.last()
            self._keeping.close(until)
            if sealing is not None:
                sealing.join(_left(until))
            self._rounds.join(until)
            self._runtime.witnesses.join(until)
            self._journal.close()
        else:
            # Nothing unacknowledged was promised, so the disk is given no more time.
            why = self._runtime.committer.journal_holder() or "the disk has not taken them"
            self._fail(f"the last entries are not stored in the time that a stop has: {why}")


def _left(until: float) -> float:
    return max(0.0, until - time.monotonic())
