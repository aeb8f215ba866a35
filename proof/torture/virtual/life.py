"""One life of the daemon: from its start on what the journal holds to its end, whatever that is.

Its clocks, its chance and its disk are the world's. Everything that it commits and that leaves
through its wires passes by the ledger; where a life ends is decided there too.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from controller.configuration.model import Configuration
from controller.control.handler import BadCommand, RequestRefused
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.daemon.health.memory import ProcessMemory
from controller.daemon.outside import Outside
from controller.daemon.readiness.report import ReadinessReporter
from controller.daemon.runtime import Runtime
from controller.files.media import FreeRoom
from controller.journal.opening import make_directory
from controller.journal.store import Journal
from controller.table.events.reading import read_event
from controller.upkeep.signing import signing_of
from drivers.api import DeviceConfig, DeviceListener
from drivers.table_link.driver import LAST_ID
from hil_tests.virtual_time.disk import Plan, VirtualCommitter
from hil_tests.virtual_time.world import Crash, VirtualLoop, World
from proof.torture.virtual.devices import Device
from proof.torture.virtual.ledger import Ledger
from proof.torture.virtual.watched_link import WatchedLink
from proof.torture.virtual.wire import VirtualCarrier

EPOCH = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
DEALER = Peer(1, 0, 0, "dealer", frozenset())
SUPERVISOR = Peer(2, 0, 0, "floor", frozenset({"supervisor"}))
ANSWER_S = 30.0
"""Longer than anything that an answer may have to wait for."""
PLENTY = 1 << 40
"""Bytes of room on the disk and in main memory."""


@dataclass(slots=True)
class Fate:
    """How a life is to end: at which send (None: not), and by its disk; and its clocks: ``boot``
    names the boot, which began at ``booted``; ``skew_s`` is how wrong the wall clock is."""

    boot: int = 1
    booted: float = 0.0
    skew_s: float = 0.0
    sends_left: int | None = None
    disk: Plan = field(default_factory=Plan)


class Life:
    """A life of the daemon over the journal in ``config``'s state directory."""

    def __init__(
        self,
        world: World,
        config: Configuration,
        devices: Mapping[str, Device],
        ledger: Ledger,
        fate: Fate,
        source: random.Random,
    ) -> None:
        self._world = world
        self._devices = devices
        self._ledger = ledger
        self.fate = fate
        self._random = source
        self.loop = VirtualLoop(world)
        self.stopped = ""
        self._answers = 0
        make_directory(config.state_directory)
        signing = signing_of(config)
        self.journal = Journal(config.state_directory, signing.key, boot_id=f"boot-{fate.boot}")
        outside = Outside(
            boot_id=lambda: f"boot-{fate.boot}",
            wall=self._wall,
            mono_ns=self._mono_ns,
            bits=source.getrandbits,
            open_device=self._open_device,
            room=lambda _: FreeRoom(PLENTY),
            memory=lambda: ProcessMemory(own=0, left=PLENTY),
            committer=self._committer,
            aside=lambda _, work, then, __: then(work()),
        )
        self.runtime = Runtime(
            config, self.journal, signing, outside, self.loop, self._stop, self.journal.iterate
        )
        self._readiness = ReadinessReporter(
            self.runtime.owner,
            self.runtime.handler,
            self.runtime.drawing,
            config,
            outside,
            [],
            signing.trusted,
            self.runtime.witnesses.readiness,
        )

    # ---- the world around it ------------------------------------------------------------------

    def _wall(self) -> datetime:
        return EPOCH + timedelta(seconds=self._world.now + self.fate.skew_s)

    def _mono_ns(self) -> int:
        return int((self._world.now - self.fate.booted) * 1e9)

    def _open_device(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> WatchedLink:
        line = self._devices[config.name].line
        link = WatchedLink(
            config,
            loop,
            listener,
            resume,
            self._random.randint(1, LAST_ID),
            lambda carrier: VirtualCarrier(self.loop, line, carrier, self._sending),
        )
        link.ledger, link.device = self._ledger, config.name
        return link

    def _committer(
        self,
        journal: Journal,
        _: asyncio.AbstractEventLoop,
        failed: Callable[[Exception], None],
    ) -> VirtualCommitter:
        return VirtualCommitter(
            journal,
            self.loop,
            failed,
            self.fate.disk,
            (self._mono_ns, self._wall),
            self._ledger.durable,
            self._random,
        )

    def _sending(self) -> None:
        if self.loop.dead:
            raise Crash
        if self.fate.sends_left is not None:
            self.fate.sends_left -= 1
            if self.fate.sends_left < 0:
                raise Crash

    def _stop(self, reason: str) -> None:
        self.stopped = self.stopped or reason

    # ---- from the cradle to the grave ---------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether it has died, or wants to stop."""
        return self.loop.dead or bool(self.stopped)

    def start(self) -> bool:
        """The start record, then the devices; whether it lived that long."""
        self.runtime.committer.start()
        begun = self._do(_wait(self.runtime.submit_start))
        if self._until(begun.done):
            self.loop.call_soon(self.runtime.open)
        return not self.over

    def end(self, *, killed: bool = False) -> None:
        """It is over, if it was not: nothing of it happens any more. One that is ``killed`` leaves
        its files as they are, the log not yet moved into the database."""
        self.loop.die()
        for device in self._devices.values():
            device.line.nobody()
        left = {path: path.read_bytes() for path in self._files()} if killed else {}
        self.journal.close()
        for path, data in left.items():
            path.write_bytes(data)

    def _files(self) -> list[Path]:
        """The database and its log; the index of the log is made anew by whoever opens them."""
        return [
            path
            for path in self.journal.directory.glob("journal.sqlite3*")
            if not path.name.endswith("-shm")
        ]

    def stop(self) -> None:
        """A stop in good order."""
        closing = self._do(self.runtime.close())
        self._until(closing.done)
        if not self.over:
            self.runtime.owner.submit(read_event("stop", {}))
            settled = self._do(_wait(self.runtime.owner.settled))
            self._until(settled.done)
        self.end()

    # ---- for people ---------------------------------------------------------------------------

    def status(self) -> dict[str, Any] | None:
        """The committed state; None when nobody answers."""
        asked = self._do(self.runtime.handler.status())
        return dict(asked.result()) if self._until(asked.done) else None

    def dealer(self, command: str) -> str | None:
        """A dealer's command: "" done, why it was refused, None when nobody answers."""
        return self._say(
            "dealer", command, self.runtime.handler.command(Request(1, "dealer", command), DEALER)
        )

    def supervisor(self, command: str) -> str | None:
        """A supervisor's command; as :meth:`dealer`."""
        said = self.runtime.handler.command(
            Request(1, "supervisor", command, "P. Marsh", "as the floor saw it"), SUPERVISOR
        )
        return self._say("supervisor", command, said)

    def ready(self) -> bool:
        """A supervisor asks for the report before opening; whether it was made."""
        asked = self._do(self._readiness.report(SUPERVISOR))
        return self._until(asked.done) and asked.result()["stored"] is True

    def _say(self, who: str, command: str, saying: Coroutine[Any, Any, Any]) -> str | None:
        asked = self._do(saying)
        if not self._until(asked.done):
            return None
        try:
            asked.result()
        except RequestRefused as refusal:
            return refusal.args[0] or "refused"
        except BadCommand as error:
            return str(error)
        self._ledger.answered(who, command)
        return ""

    def _do(self, what: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return self.loop.create_task(what)

    def _until(self, done: Callable[[], bool]) -> bool:
        """Let the world go on until that; False when this life is over before."""
        if not self._world.run_until(lambda: self.over or done(), ANSWER_S):
            raise AssertionError("the daemon does not answer")
        return done() and not self.loop.dead


async def _wait(what: Callable[[], Any]) -> None:
    await what()
