"""The real halves of a link with a line between them, driven step by step as the model is.

Every step is one call of :class:`ControllerSession` or :class:`DeviceSession`, or something that
happens to the line or to the power. Each half has a clock of its own, which goes to the moment of a
timer when the step is that the timer runs out: so any order of steps is one that real clocks could
bring about, but for a device that repeats its events until it would have given up.

An event is a ``CARD`` whose ``card_uid`` tells which, a command a ``GATE`` for that many cards. The
journal is a list; what a kill leaves of the process is nothing else.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.link_events import Commanded, Memory, Received, Up
from drivers.table_link.messages import NAK, SPECS, Message, Role, decode
from proof.models.checker import StepRecord
from proof.models.link.steps import FAULTS, Payload, Phase, State, Step
from proof.models.playing import Bench

_NUMBERS = {"HELLO": 1, "PING": 2, "GATE": 3, "EVENT_ACK": 4, "CARD": 5, "NAK": 6}
_REFUSED = {0x01: 1, 0x02: 2, 0x10: 3}
_PHASES = {"closed": Phase.CLOSED, "greeting": Phase.GREETING, "up": Phase.UP}


class LinkBench(Bench):
    """The bench of the link. Of ``bounds``, ``ROOM`` is how many payloads are under way in each
    direction; what is sent beyond that is lost."""

    known, layout, faults = Step, State, FAULTS
    session = ControllerSession
    """A new process's session."""

    def __init__(self, folder: Path, bounds: Mapping[str, int]) -> None:
        super().__init__(folder, bounds)
        self.room = bounds["ROOM"]
        self.outward: deque[bytes] = deque()
        self.inward: deque[bytes] = deque()
        self.controller: ControllerSession | None = None
        self.starts = 0
        self.now = self.device_now = 1000.0
        self.pending: deque[tuple[int, int, int]] = deque()  # session, number (0: new), event
        self.durable: deque[tuple[int, int]] = deque()
        self.journal: list[tuple[int, int, int]] = []
        self.reported = 0
        self.made = self.commanded = 0
        self.which: dict[int, int] = {}
        self.acted: Counter[int] = Counter()
        self.bounded = False
        self.device = self.power_on(None, 1)

    # ---- what a defect changes ----------------------------------------------------------------

    def _make_device(self, session: int, memory: Memory | None) -> DeviceSession:
        """A device's session after its power came."""
        return DeviceSession(
            "shoe",
            capabilities=0xF,
            firmware=(1, 0, 0),
            serial="S1",
            digest="00" * 8,
            session_id=session,
            memory=memory,
        )

    def _resume(self) -> tuple[int, int]:
        """What the process that starts finds on stable storage."""
        return self.journal[-1][:2] if self.journal else (0, 0)

    def _next_session(self) -> int:
        """How a device that has lost its memory names its numbering."""
        return self.device.session_id + 1

    def _received(self, session: int, number: int, event: int) -> None:
        """An event was handed upwards: it is to be committed, then acknowledged."""
        self.pending.append((session, number, event))

    def _committed(self, session: int, number: int) -> None:
        """It is on stable storage."""
        self.durable.append((session, number))

    # ---- steps --------------------------------------------------------------------------------

    def possible(self) -> list[Step]:
        """What can happen now, within the bounds."""
        process, phase = self.controller, self.phase
        idle = phase is Phase.UP and process is not None and process._request is None
        gives_up, repeats = self.device._gone_at, self.device._queue.resend_at
        here = {
            Step.DEVICE_TAKES: bool(self.outward),
            Step.DEVICE_TAKES_TWICE: bool(self.outward),
            Step.LOSE_OUTWARD: bool(self.outward),
            Step.DEVICE_REPEATS: repeats is not None and (gives_up is None or repeats < gives_up),
            Step.DEVICE_GIVES_UP: gives_up is not None,
            Step.CONTROLLER_TAKES: process is not None and bool(self.inward),
            Step.CONTROLLER_TAKES_TWICE: process is not None and bool(self.inward),
            Step.LOSE_INWARD: bool(self.inward),
            Step.COMMIT: bool(self.pending),
            Step.ACKNOWLEDGE: bool(self.durable),
            Step.CONTROLLER_WAITED: process is not None and process._request is not None,
            Step.CONTROLLER_PINGS: idle,
            Step.CONTROLLER_COMMANDS: idle,
            Step.KILL: process is not None,
            Step.START: process is None,
            Step.START_SEEN: process is None,
            Step.CUT: phase >= Phase.GREETING,
            Step.PLUG: phase is Phase.CLOSED,
            Step.PLUG_SEEN: phase is Phase.CLOSED,
        }
        return [step for step in Step if here.get(step, True) and self._within(step)]

    def wander(self, seed: int, steps: int) -> list[StepRecord]:
        """A run by chance, within the bounds of the model that it is given to."""
        self.bounded = True
        return super().wander(seed, steps)

    def _within(self, step: Step) -> bool:
        if not self.bounded:
            return True
        last, session = self.device.last_event, self.device.session_id
        return {
            Step.MAKE: max(self.made, last) < self.bounds["EVENTS"],
            Step.CONTROLLER_COMMANDS: self.commanded < self.bounds["COMMANDS"],
            Step.DEVICE_FORGETS: session < self.bounds["SESSIONS"],
        }.get(step, True)

    def plain(self, taken: StepRecord) -> StepRecord:
        """A step of the model without the ids of commands, which are names of its own, nor what an
        answer to a command tells of it."""
        kind, _, *rest = taken.fields
        answer = taken.step in (Step.CONTROLLER_TAKES, Step.CONTROLLER_TAKES_TWICE)
        rest = [0, 0, 0] if answer and kind == Payload.COMMAND else rest
        return StepRecord(taken.step, (kind, *rest), State(*taken.state))

    def carry_out(self, step: IntEnum) -> tuple[int, ...]:
        """Take a possible step; returns the fields of the payload that it took."""
        line = {2: self.outward, 3: self.outward, 8: self.inward, 9: self.inward}.get(step)
        fields = _fields(line[0]) if line else (0, 0, 0, 0)
        self.steps[step]()
        self._settle()
        return fields

    def _step_make(self) -> None:
        self.made += 1
        card = {"rank": 1, "suit": 1, "flags": 0, "card_uid": self.made, "remaining": 0xFFFF}
        self.which[self.device.event("CARD", card, self.device_now)] = self.made

    def _step_device_takes(self) -> None:
        self._to_device(self.outward.popleft())

    def _step_device_takes_twice(self) -> None:
        payload = self.outward[0]
        self._step_device_takes()
        self._settle()
        self._to_device(payload)

    def _device_waits(self, until: float | None) -> None:
        assert until is not None
        self.device_now = max(self.device_now, until)
        self.device.poll(self.device_now)

    def _step_device_repeats(self) -> None:
        self._device_waits(self.device._queue.resend_at)

    def _step_device_gives_up(self) -> None:
        self._device_waits(self.device._gone_at)

    def _step_device_restarts(self) -> None:
        self.device = self.power_on(self.device.memory(), self.device.session_id)

    def _step_device_forgets(self) -> None:
        self.which.clear()
        self.device = self.power_on(None, self._next_session())

    def _step_controller_takes(self) -> None:
        self._process().receive(self.inward.popleft(), self.now)

    def _step_controller_takes_twice(self) -> None:
        payload = self.inward[0]
        self._step_controller_takes()
        self._settle()
        self._process().receive(payload, self.now)

    def _step_commit(self) -> None:
        session, number, event = self.pending.popleft()
        if number == 0:
            self.reported = session
            return
        before = self.journal[-1] if self.journal else (0, 0, 0)
        if any(event == taken for *_, taken in self.journal):
            self.wrong.append(f"event {event} is taken twice")
        elif event < before[2]:
            self.wrong.append(f"event {event} is taken behind event {before[2]}")
        if before[0] and session not in (before[0], self.reported):
            self.wrong.append(f"session {session} began in silence")
        self.journal.append((session, number, event))
        self._committed(session, number)

    def _step_acknowledge(self) -> None:
        self._process().acknowledge(*self.durable.popleft())

    def _step_controller_waited(self) -> None:
        request = self._process()._request
        assert request is not None
        self.now = max(self.now, request.due)
        self._process().poll(self.now)

    def _step_controller_pings(self) -> None:
        self.now = max(self.now, self._process()._ping_at)
        self._process().poll(self.now)

    def _step_controller_commands(self) -> None:
        self.commanded += 1
        self._process().command("GATE", {"unlocked": 1, "cards": self.commanded}, self.now)

    def _step_kill(self) -> None:
        self.controller = None
        self.pending.clear()
        self.durable.clear()

    def _step_start(self) -> None:
        self.starts += 1
        self.controller = self.session("shoe", resume=self._resume(), first_id=1000 * self.starts)
        self.controller.opened(self.now)

    def _step_start_seen(self) -> None:
        self.device.opened(self.device_now)
        self._step_start()

    def _step_cut(self) -> None:
        self._process().closed(self.now, "pulled")
        self.outward.clear()
        self.inward.clear()

    def _step_plug(self) -> None:
        self._process().opened(self.now)

    def _step_plug_seen(self) -> None:
        self.device.opened(self.device_now)
        self._step_plug()

    def _step_lose_outward(self) -> None:
        self.outward.popleft()

    def _step_lose_inward(self) -> None:
        self.inward.popleft()

    # ---- within -------------------------------------------------------------------------------

    def power_on(self, memory: Memory | None, session: int) -> DeviceSession:
        """The device's power came (again)."""
        device = self._make_device(session, memory)
        device.started(self.device_now)
        return device

    def _process(self) -> ControllerSession:
        assert self.controller is not None
        return self.controller

    def _to_device(self, payload: bytes) -> None:
        held = set(self._queued_cards())
        self.device.receive(payload, self.device_now)
        stored = {event for *_, event in self.journal}
        for event in sorted(held - set(self._queued_cards()) - stored):
            self.wrong.append(
                f"event {event} is lost: the device forgets it, the journal has it not"
            )

    def _queued_cards(self) -> list[int]:
        queue = self.device._queue
        return [self.which[number] for number in range(queue.last - len(queue) + 1, queue.last + 1)]

    def _settle(self) -> None:
        """Have both halves' output on the line, and what they report acted on."""
        for event in self.device.take_events():
            if isinstance(event, Commanded):
                cards = int(str(event.fields["cards"]))
                self.acted[cards] += 1
                if self.acted[cards] > 1:
                    self.wrong.append(f"command {cards} is acted on twice")
                self.device.answer(event.id, {"last_event": self.device.last_event})
        for told in self.controller.take_events() if self.controller else ():
            if isinstance(told, Received):
                self._received(told.session, told.event_no, int(str(told.fields["card_uid"])))
            elif isinstance(told, Up) and told.new_session:
                self.pending.append((told.session, 0, 0))
        self._send_payloads(self.inward, self.device.take_output())
        self._send_payloads(self.outward, self.controller.take_output() if self.controller else [])

    def _send_payloads(self, line: deque[bytes], payloads: list[bytes]) -> None:
        if self.phase is not Phase.CLOSED:
            line.extend(payloads[: max(0, self.room - len(line))])

    # ---- what is compared ---------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The controller's end of the link."""
        return Phase.DEAD if self.controller is None else _PHASES[self.controller._phase.value]

    def state(self) -> State:
        """What the model's state is compared with."""
        controller, device = self.controller, self.device
        process = (0,) * 7
        if controller is not None:
            stream, request = controller._stream, controller._request
            asked = (0, 0)
            if request is not None:
                asked = (_NUMBERS[request.name], request.transmissions - request._sent)
            process = (stream.session, stream.covered, stream.received, *stream.stored, *asked)
        queue = device._queue
        return State(
            self.phase,
            *process,
            int(device.greeted),
            int(device._gone_at is not None),
            device.session_id,
            queue.last,
            len(queue),
            queue._in_flight,
            len(self.outward),
            len(self.inward),
            len(self.pending),
            len(self.durable),
            *(self.journal[-1][:2] if self.journal else (0, 0)),
        )


def _fields(payload: bytes) -> tuple[int, ...]:
    """Type and three fields of a payload, as the model has them (its ids are names of its own)."""
    message = decode(payload)
    fields = {name: int(str(value)) for name, value in _whole_numbers(message).items()}
    number = _NUMBERS[message.name]
    if number == Payload.HELLO and SPECS[message.type].role is Role.ANSWER:
        return number, fields["session_id"], fields["oldest_unacked"], fields["last_event"]
    if number in (Payload.HELLO, Payload.EVENT_ACK):
        return number, fields["session_id"], fields["event_no"], 0
    if number == Payload.EVENT:
        return number, fields["event_no"], fields["card_uid"], 0
    if message.type == NAK:
        return number, _REFUSED[fields["refused"]], 0, 0
    return number, fields.get("cards", 0), 0, 0


def _whole_numbers(message: Message) -> dict[str, object]:
    return {name: value for name, value in message.fields.items() if isinstance(value, int)}
