"""One life of the daemon: from its start on what the journal holds to its end, whatever that is.

Its clocks, its chance and its disk are the world's. Everything that it commits and that leaves
through its wires passes by the ledger; where a life ends is decided there too.

A link of the daemon has the ledger beside it: what leaves through it must follow from what is
stored.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
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
from drivers.api import Answer, DeviceConfig, DeviceListener, Value
from drivers.table_link.driver import LAST_ID, TableLink
from hil_tests.virtual_time.disk import Plan, VirtualCommitter
from hil_tests.virtual_time.world import Crash, VirtualLoop, World
from proof.torture.virtual.ledger import Ledger
from proof.torture.virtual.wire import VirtualCarrier, VirtualLine


class WatchedLink(TableLink):
    """A link of the daemon with the ledger beside it."""

    ledger: Ledger
    device: str

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to ``event_no`` is on stable storage: is it?"""
        self.ledger.acknowledged(self.device, session, event_no)
        super().acknowledge(session, event_no)

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """Send a command: does it follow from what is stored?"""
        if name == "SHOW":
            self.ledger.told_to_show(int(str(fields["offer_id"])), int(str(fields["multiplier"])))
        super().command(name, fields, done)


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
        lines: Mapping[str, VirtualLine],
        ledger: Ledger,
        fate: Fate,
        source: random.Random,
    ) -> None:
        self._world = world
        self._lines = lines
        self._ledger = ledger
        self.fate = fate
        self._random = source
        self.loop = VirtualLoop(world)
        self.stopped = ""
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
            committer=lambda journal, _, failed: VirtualCommitter(
                *(journal, self.loop, failed, fate.disk, (self._mono_ns, self._wall)),
                *(ledger.durable, source),
            ),
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
        line = self._lines[config.name]
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
        begun = self.loop.create_task(_wait(self.runtime.submit_start))
        if self._until(begun.done):
            self.loop.call_soon(self.runtime.open)
        return not self.over

    def end_life(self, *, killed: bool = False) -> None:
        """It is over, if it was not: nothing of it happens any more. One that is ``killed`` leaves
        its files as they are, the log not yet moved into the database."""
        self.loop.die()
        for line in self._lines.values():
            line.detach()
        # the index of the log is made anew by whoever opens it
        files = {*self.journal.directory.glob("journal.sqlite3*")} if killed else set()
        left = {path: path.read_bytes() for path in files if not path.name.endswith("-shm")}
        self.journal.close()
        for path, data in left.items():
            path.write_bytes(data)

    def stop(self) -> None:
        """A stop in good order."""
        closing = self.loop.create_task(self.runtime.close())
        self._until(closing.done)
        if not self.over:
            self.runtime.owner.submit(read_event("stop", {}))
            settled = self.loop.create_task(_wait(self.runtime.owner.settled))
            self._until(settled.done)
        self.end_life()

    # ---- for people ---------------------------------------------------------------------------

    def status(self) -> dict[str, Any] | None:
        """The committed state; None when nobody answers."""
        asked = self.loop.create_task(self.runtime.handler.status())
        return dict(asked.result()) if self._until(asked.done) else None

    def dealer(self, command: str) -> str | None:
        """A dealer's command: "" done, why it was refused, None when nobody answers."""
        return self._answer_to(
            "dealer", command, self.runtime.handler.command(Request(1, "dealer", command), DEALER)
        )

    def supervisor(self, command: str) -> str | None:
        """A supervisor's command; as :meth:`dealer`."""
        said = self.runtime.handler.command(
            Request(1, "supervisor", command, "P. Marsh", "as the floor saw it"), SUPERVISOR
        )
        return self._answer_to("supervisor", command, said)

    def ready(self) -> bool:
        """A supervisor asks for the report before opening; whether it was made."""
        asked = self.loop.create_task(self._readiness.report(SUPERVISOR))
        return self._until(asked.done) and asked.result()["stored"] is True

    def _answer_to(self, who: str, command: str, saying: Coroutine[Any, Any, Any]) -> str | None:
        asked = self.loop.create_task(saying)
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

    def _until(self, done: Callable[[], bool]) -> bool:
        """Let the world go on until that; False when this life is over before."""
        if not self._world.run_until(lambda: self.over or done(), ANSWER_S):
            raise AssertionError("the daemon does not answer")
        return done() and not self.loop.dead


async def _wait(what: Callable[[], Any]) -> None:
    await what()
