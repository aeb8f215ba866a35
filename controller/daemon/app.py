"""The daemon's life: claim what is ours, recover the table, open for play, stop in good order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import time
from collections.abc import Iterable, Iterator
from typing import Any

from controller.configuration.model import Configuration
from controller.control.address import AddressError, ControlAddress
from controller.control.peers import Groups
from controller.control.server import ControlServer
from controller.daemon.box import Box
from controller.daemon.health.installed import program_self_test
from controller.daemon.journaling.keeping import (
    Keeping,
    media_self_test,
    must_not_be_gone,
    recovery_self_test,
)
from controller.daemon.notify import Notifier
from controller.daemon.outside import Outside
from controller.daemon.workshop import Workshop
from controller.journal.errors import JournalError, StateInUse
from controller.journal.model import Entry
from controller.journal.store import Journal
from controller.table.events import Event
from drivers.api import DriverError, PortBusyError
from drivers.carriers.serial_port import close_port, open_port

_log = logging.getLogger(__name__)

WATCHDOG_SHARE = 3
"""The watchdog is fed so many times in its period."""

STOP_S = 1.8
"""Within this time a stop is through with clients, ports, disk and media, whatever hangs, together;
what is left of the promised two seconds is the interpreter's."""

READY_AGAIN_S = 0.1
"""When to say again that the table is ready, where the service manager has too much to read."""

CLIENTS_S = 0.7
"""The part of it in which clients may still get their answers."""

PORTS_S = 0.3
"""The part in which ports are closed; a USB transfer may keep its port for longer."""

LAST_FILES_S = 0.4
"""The part that is kept for the end: the last head and the second copy, side by side."""

TELL_EVERY = 10_000
"""Entries of the journal after which the service manager is told that the start goes on."""

MORE_TIME_US = 60_000_000
"""What it is asked to wait from then on: a year's journal takes longer than any fixed limit."""


class CannotStart(Exception):
    """What is needed is held by another process, or cannot be had; the message says which."""


async def serve(config: Configuration) -> int:
    """Run the table until it is told to stop; 0 in good order, 1 when it could not go on.

    Raises:
        CannotStart: state, socket or a port is another process's, or cannot be used.
    """
    loop, outside = asyncio.get_running_loop(), Outside()
    with contextlib.ExitStack() as undo:
        try:
            must_not_be_gone(config)
            journal = Journal(config.state_directory, boot_id=outside.boot_id())
            undo.callback(journal.close)
            keeping = Keeping(config, journal, loop)
            undo.callback(lambda: keeping.close(time.monotonic() + LAST_FILES_S))
            address = ControlAddress(config.control.socket)
        except (StateInUse, AddressError, JournalError) as error:
            raise CannotStart(str(error)) from error
        undo.callback(address.release)
        _check_ports(config)
        try:
            life = _Life(config, journal, keeping, address, loop, outside)
        except DriverError as error:
            raise CannotStart(str(error)) from error
        undo.pop_all()
    return await life.run()


def _check_ports(config: Configuration) -> None:
    """A port that another process holds is not waited for: two controllers fight over it."""
    for device in config.devices.values():
        if device.port is None:
            continue
        try:
            close_port(open_port(device.port, device.baud))
        except PortBusyError as error:
            raise CannotStart(f"devices.{device.name}: {error}") from error
        except DriverError:
            continue  # a missing device is no reason not to open the table for the rest


def patiently(entries: Iterable[Entry], notifier: Notifier) -> Iterator[Entry]:
    """The entries, and a word to the service manager now and then, lest it end a long recovery."""
    for entry in entries:
        if entry.seq % TELL_EVERY == 0:
            told = f"STATUS=recovering the table: entry {entry.seq} of the journal"
            notifier.send(f"EXTEND_TIMEOUT_USEC={MORE_TIME_US}", told)
        yield entry


class _Life:
    def __init__(
        self,
        config: Configuration,
        journal: Journal,
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
        self._notifier = Notifier()
        self._box = Box(config, journal, outside, loop, self._fail, self._entries)
        self._box.self_tests += [
            program_self_test(),
            media_self_test(config),
            recovery_self_test(config),
        ]
        self._box.owner.show("upkeep", keeping.facts)
        groups = Groups(config.control.dealers, config.control.supervisors)
        workshop = Workshop(self._box.owner.table, self._box.fleet, outside, config.devices)
        self._server = ControlServer(address, self._box.owner, groups, technician=workshop)

    def _entries(self, after: int) -> Iterator[Entry]:
        return patiently(self._journal.iterate(after), self._notifier)

    async def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._stopping.set)
        self._loop.set_exception_handler(self._unforeseen)
        self._box.committer.start()
        try:
            if await self._begin():
                await self._open()
                await self._stopping.wait()
        finally:
            await self._close()
        return 1 if self._failure else 0

    async def _begin(self) -> bool:
        """The start record; whether it is durable before somebody or the disk says stop."""
        settled = asyncio.ensure_future(self._box.begin())
        stopping = self._loop.create_task(self._stopping.wait())
        await asyncio.wait((settled, stopping), return_when=asyncio.FIRST_COMPLETED)
        settled.cancel()
        stopping.cancel()
        return not self._stopping.is_set()

    async def _open(self) -> None:
        config = self._config
        self._box.open()
        self._keeping.start(self._box.owner.condition, self._box.owner.table.holds.conditions)
        await self._server.start()
        # What is here now stays: the collector need not go through it again, which takes longer
        # than a commit and would come between a card and its acknowledgement.
        gc.collect()
        gc.freeze()
        self._say_ready()
        _log.info("table %s plays %s", config.table.id, config.table.rules.id)
        if self._notifier.watchdog_s:
            self._feed_watchdog()

    def _say_ready(self) -> None:
        """Until it is heard: systemd ends a service that is never ready."""
        if self._stopping.is_set():
            return
        if not self._notifier.send("READY=1", f"STATUS=table {self._config.table.id}"):
            self._loop.call_later(READY_AGAIN_S, self._say_ready)

    def _feed_watchdog(self) -> None:
        """Only while this loop turns and the oldest uncommitted event is young."""
        period = self._notifier.watchdog_s
        if self._box.committer.age_s() < period / 2:
            self._notifier.send("WATCHDOG=1")
        if not self._stopping.is_set():
            self._loop.call_later(period / WATCHDOG_SHARE, self._feed_watchdog)

    def _fail(self, reason: str) -> None:
        """Stop: what cannot be stored or understood must not be played on."""
        if not self._failure:
            self._failure = reason
            _log.critical("the table stops: %s", reason)
        self._stopping.set()

    def _unforeseen(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What raises in a callback of ours was halfway through something: to go on is to guess.
        A client's conversation that fails (no ``handle``) costs nobody else anything."""
        loop.default_exception_handler(context)
        if "handle" in context:
            self._fail(f"unforeseen: {context.get('exception')!r}")

    async def _close(self) -> None:
        until = time.monotonic() + STOP_S
        self._notifier.send("STOPPING=1")
        await self._server.close(grace_s=CLIENTS_S)
        await self._box.close(PORTS_S)
        durable_by = until - LAST_FILES_S
        if not self._failure:
            self._box.owner.submit(Event("stop", {}))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_left(durable_by)):
                    await self._box.owner.settled()
        if self._box.committer.close(_left(durable_by)):
            sealing = self._box.sealing.last()
            self._keeping.close(until)
            sealing.join(_left(until))
            self._journal.close()
        else:
            # What was not acknowledged was never promised; the disk is given no more time.
            self._fail("the disk has not taken the last entries in the time that a stop has")


def _left(until: float) -> float:
    return max(0.0, until - time.monotonic())
