"""A device: its model, its half of Table Link, its line, its memory.

One :meth:`Twin.turn` does everything that is due, in this order: take what the line brought, let
the model act, remember, and only then send. Time comes from the caller, once per turn.

Verbs of the hands that concern every kind of device are here (``plug``, ``noise``, ``power``, ...);
what a line can do by itself is asked of the line, the model's own of the model.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable
from inspect import signature
from typing import Any

from drivers.table_link.device_session import DeviceSession
from drivers.table_link.link_events import Commanded, ControllerGone, Greeted, Memory
from simulators.lines.line import QUIET, Line, Noise
from simulators.lines.stall import Stall
from simulators.memory import MemoryFile
from simulators.model import Fields, Model, NakError

FIRMWARE = (1, 4, 2)
SELF_TEST_S = 0.05

MakeModel = Callable[["Twin"], Model]


def firmware_image(name: str) -> bytes:
    """Takes the place of the device's firmware: AUTHENTICATE and HELLO's digest are taken of it."""
    version = ".".join(map(str, FIRMWARE))
    return f"Table Link twin: {name} {version}\n".encode()


class Twin:
    """One simulated device. ``make_model`` is called at every start of its power; ``clock`` gives
    monotonic seconds."""

    def __init__(
        self,
        make_model: MakeModel,
        wire: Line,
        serial: str,
        memory: MemoryFile | None = None,
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wire = wire
        self._clock = clock
        self.now = clock()
        self.served = False
        self.powered = True
        self._inward, self._outward = Stall(), Stall()
        self._serial = serial
        self._make_model = make_model
        self._memory = memory or MemoryFile(None)
        self._random = random.Random(seed)  # noqa: S311 - names sessions, guards nothing
        self._slow: list[tuple[float, int, Fields]] = []
        self._events: dict[str, int] = {}
        self.restarts = 0
        kept = self._memory.load()
        self.model = make_model(self)
        if kept is not None:
            try:
                self.model.restore(kept[1])
            except (KeyError, TypeError, ValueError):  # not sound: another version's, say
                self.model, kept = make_model(self), None
        self._image = firmware_image(self.model.name)
        self._session = self._start(kept[0] if kept else None)

    @property
    def session(self) -> int:
        """The session's number: of a memory of events, until that is lost."""
        return self._session.session_id

    @property
    def last_event(self) -> int:
        """The number of the last event made."""
        return self._session.last_event

    @property
    def unacknowledged(self) -> int:
        """How many events nobody has said are stored."""
        return len(self._session.memory().events)

    def emit(self, name: str, fields: Fields) -> None:
        """Make an event now."""
        self._events[name] = self._events.get(name, 0) + 1
        self._session.event(name, fields, self.now)

    def tell_faults(self, faults: int) -> None:
        """The fault bits are others now."""
        self._session.set_faults(faults, self.now)

    def deadline(self) -> float | None:
        """When :meth:`turn` is wanted, if nothing arrives before."""
        if not self.powered:
            return None
        times = [self._session.deadline(), self.model.deadline(), *(at for at, *_ in self._slow)]
        return min((at for at in times if at is not None), default=None)

    def turn(self) -> None:
        """Do all that is due; called when something arrived, was done by hand, or is due."""
        self.now = self._clock()
        payloads = self._inward.through(self.wire.receive())
        if not self.powered:
            return
        for payload in payloads:
            self._session.receive(payload, self.now)
            self._act()
        self._session.poll(self.now)
        self.model.tick()
        self._answer_slow()
        self._act()
        self._session.state = self.model.ping_state()
        self._remember()
        self._send()

    def do(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one verb of the hands; ``look`` is one."""
        self.now = self._clock()
        arguments = {name: value for name, value in request.items() if name not in ("do", "id")}
        verb = str(request["do"])
        owners = (self.wire, self, self.model)
        method = next(filter(None, (getattr(owner, f"do_{verb}", None) for owner in owners)), None)
        if method is None:
            verbs = {name[3:] for owner in owners for name in dir(owner) if name.startswith("do_")}
            known = ", ".join(sorted(verbs))
            raise ValueError(f"nobody can {verb!r} a {self.model.name}: expected one of {known}")
        try:
            given = signature(method).bind(**arguments)
        except TypeError as error:
            raise ValueError(f"{verb}: {error}; expected {signature(method)}") from None
        answer: dict[str, Any] = method(*given.args, **given.kwargs)
        self._remember()  # before a person sees it happen, too
        return answer

    def state(self) -> dict[str, Any]:
        """All that can be seen; nothing in it changes while nothing happens."""
        return {
            "kind": self.model.name,
            "serial": self._serial,
            "powered": self.powered,
            "plugged": self.wire.fd >= 0,
            "port": self.wire.port,
            "served": self.served,
            "session": self.session,
            "last_event": self._session.last_event,
            "unacked": self.unacknowledged,
            "events": dict(self._events),
            "acted": dict(self.model.acted),
            "faults": self.model.faults,
            "restarts": self.restarts,
            "held_in": self._inward.names(),
            "held_out": self._outward.names(),
            **self.model.visible_state(),
        }

    def do_look(self) -> dict[str, Any]:
        """The whole physical state."""
        return {"state": self.state()}

    def do_line(self) -> dict[str, Any]:
        """The line's counters."""
        return dict(self.wire.counters())

    def do_unplug(self, after_bytes: int | None = None) -> dict[str, Any]:
        """Pull the cable, now or after that number of further bytes."""
        if after_bytes is None:
            self.wire.unplug()
        else:
            self.wire.cut_after(after_bytes)
        return {}

    def do_plug(self) -> dict[str, Any]:
        """Plug it in again: another port behind the same link; the device sees it opened anew."""
        self.wire.plug()
        self._inward.clear()
        self._outward.clear()
        if self.powered:
            self._session.opened(self.now)
            self.served = False
        return {"port": self.wire.port}

    def do_noise(self, **noise: Any) -> dict[str, Any]:
        """Chances per byte: ``flip``, ``drop``, ``double``, ``insert``; ``inward``, ``outward``.

        Without any, the line is good again.
        """
        self.wire.noise = Noise(**noise) if noise else QUIET
        return {}

    def do_hold_back(self, *, inward: bool = False, outward: bool = False) -> dict[str, Any]:
        """Hold back what comes in (nothing is heard) or goes out (nothing is said)."""
        for stall, wanted in ((self._inward, inward), (self._outward, outward)):
            if wanted:
                stall.hold_back()
        return {}

    def do_let_go(self, *, drop: bool = False) -> dict[str, Any]:
        """Let flow again; with ``drop`` what was held back is lost."""
        self._inward.let_go(drop=drop)
        self._outward.let_go(drop=drop)
        return {}

    def do_send(self, hex: str) -> dict[str, Any]:  # noqa: A002 - what it is
        """Put these bytes on the line."""
        self.wire.write(bytes.fromhex(hex))
        return {}

    def do_power(self, *, on: bool, forget: bool = False) -> dict[str, Any]:
        """Switch off or on; with ``forget`` the events are lost in between."""
        if on and not self.powered:
            self._power_on(forget=forget)
        elif not on:
            self.powered = self.served = False
        return {}

    def do_restart(self, *, forget: bool = False) -> dict[str, Any]:
        """Off and on again at once."""
        self._power_on(forget=forget)
        return {}

    def do_forget(self) -> dict[str, Any]:
        """Lose the memory of events without a restart: a new session."""
        self._session.new_session(self._session_id(), self.now)
        self.served = False
        return {}

    def _start(self, memory: Memory | None) -> DeviceSession:
        session = DeviceSession(
            self.model.name,
            capabilities=self.model.capabilities,
            firmware=FIRMWARE,
            serial=self._serial,
            digest=hashlib.sha256(self._image).digest()[:8].hex(),
            session_id=self._session_id(),
            memory=memory,
            present_state=self.model.present,
        )
        session.started(self.now)
        if self.model.faults:
            session.set_faults(self.model.faults, self.now)
        return session

    def _power_on(self, *, forget: bool) -> None:
        memory, physical = self._session.memory(), self.model.remembered()
        self.powered, self.served = True, False
        self.restarts += 1
        self._slow.clear()
        self.model = self._make_model(self)
        self.model.restore(physical)
        self._session = self._start(None if forget else memory)

    def _act(self) -> None:
        for event in self._session.take_events():
            if isinstance(event, Commanded):
                self._command(event)
            elif isinstance(event, Greeted):
                self.served = True
                self.model.greeted()
            elif isinstance(event, ControllerGone):
                self.served = False
                self.model.abandoned()

    def _command(self, command: Commanded) -> None:
        if command.name == "RESET":
            self._session.answer(command.id, {})
            self._send()
            self._power_on(forget=False)
        elif command.name == "SELF_TEST":
            answer = {"failed": self.model.faults, "duration_ms": round(SELF_TEST_S * 1000)}
            self._slow.append((self.now + SELF_TEST_S, command.id, answer))
        elif command.name == "AUTHENTICATE":
            nonce = bytes.fromhex(str(command.fields["nonce"]))
            digest = hashlib.sha256(nonce + self._image).hexdigest()
            self._session.answer(command.id, {"digest": digest})
        else:
            try:
                self._session.answer(command.id, self.model.command(command.name, command.fields))
            except NakError as error:
                self._session.nak(command.id, error.code)

    def _answer_slow(self) -> None:
        for entry in [entry for entry in self._slow if entry[0] <= self.now]:
            self._slow.remove(entry)
            self._session.answer(entry[1], entry[2])

    def _remember(self) -> None:
        if self._memory.is_kept:
            self._memory.save(self._session.memory(), self.model.remembered())

    def _send(self) -> None:
        payloads = self._outward.through(self._session.take_output())
        if payloads:
            self.wire.send(payloads)

    def _session_id(self) -> int:
        return self._random.randrange(1, 1 << 32)
