"""The device's half of Table Link (sections 3 and 4), without input, output or clock.

In the order in which a payload is judged:

1. No payload by section 1, an answer's or event's type above 0x7F, a command with id 0, an
   EVENT_ACK with another id or length: dropped and counted. It does not count as being alive
   either: on a two-wire line a device may receive its own bytes.
2. HELLO is always answered afresh; it forgets the answers given before, and the commands still
   running (their answers would come under ids that nobody waits for). Of wrong length: NAK 2.
3. Until then: EVENT_ACK is ignored, everything else gets NAK 6.
4. A repeated id gets the answer it got; one whose command is running is ignored.
5. Unknown to this kind of device: NAK 1. Wrong length, or text that is not ASCII: NAK 2.
6. PING is answered here; all else is for the device's model, as ``Commanded``.

2 s without a valid payload: ``ControllerGone``, and HELLO is first again. So it is when the port
is opened again, but there the 2 s run on: the model hears of it only when they are over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from drivers.api import Value
from drivers.table_link import timing
from drivers.table_link.answers import AnswerMemory
from drivers.table_link.event_queue import EventQueue
from drivers.table_link.link_events import (
    Commanded,
    ControllerGone,
    DeviceEvent,
    Greeted,
    Half,
    Memory,
)
from drivers.table_link.messages import (
    ANSWER_BIT,
    EVENT_ACK,
    EVENTS,
    HELLO,
    NAK,
    PING,
    SPECS,
    DroppedError,
    DropReason,
    Role,
    Spec,
    encode,
    read_body,
    unseal,
)
from drivers.vocabulary import BAD_BODY, HELLO_FIRST, KINDS, UNKNOWN_TYPE

_LAST_NUMBER = 0xFFFFFFFF
_KIND_NUMBERS = {name: number for number, name in KINDS.items()}


class DeviceSession(Half[DeviceEvent]):
    """The device's half.

    ``session_id`` is a random non-zero number given by the caller, used when ``memory`` is None
    (a restart that kept its events gives ``memory``, and ``session_id`` is not looked at).
    ``present_state`` returns the (name, fields) of the events which begin each session.
    ``state`` is what PING answers, set by the device's model. A model calls ``started`` once,
    ``opened`` for each opening of the port, and after every verb sends ``take_output()`` and
    acts on ``take_events()``.
    """

    def __init__(
        self,
        kind: str,
        *,
        capabilities: int,
        firmware: tuple[int, int, int],
        serial: str,
        digest: str,
        session_id: int,
        memory: Memory | None = None,
        present_state: Callable[[], Iterable[tuple[str, Mapping[str, Value]]]] = tuple,
    ) -> None:
        super().__init__()
        self.state = 0
        self._kind = kind
        self._identity: dict[str, Value] = {
            "kind": _KIND_NUMBERS[kind],
            "minor": 0,
            "capabilities": capabilities,
            "firmware": firmware,
            "serial": serial,
            "digest": digest,
        }
        self._present_state = present_state
        self._fresh = memory is None
        memory = memory or Memory(session_id, 0, ())
        if not 0 < memory.session_id <= _LAST_NUMBER:
            raise ValueError(f"session id {memory.session_id} is not a non-zero 32-bit number")
        self._session_id = memory.session_id
        self._queue = EventQueue(memory.last_event, memory.events)
        self._faults = 0
        self._started = 0.0
        self._greeted = False
        self._gone_at: float | None = None  # None: the controller counts as gone
        self._answers = AnswerMemory()

    # Power and port

    def started(self, now: float) -> None:
        """Power is on: ``t_ms`` counts from here; a session without memory begins."""
        self._started = now
        if self._fresh:
            self._begin_session(now)

    def opened(self, now: float) -> None:
        """The port was opened (anew): nothing but HELLO is answered until one was."""
        self._fall_silent()
        self._output.clear()

    # What the model does

    def event(self, name: str, fields: Mapping[str, Value], now: float) -> int:
        """Make an event (fields without ``event_no`` and ``t_ms``); returns its number.

        ValueError: not an event of this kind of device, or bad fields. After number 0xFFFFFFFF
        a session begins under another id, made from the present one.
        """
        spec = EVENTS.get(name)
        if spec is None or self._kind not in spec.kinds:
            raise ValueError(f"a {self._kind} makes no event {name}")
        if self._queue.last == _LAST_NUMBER:
            self.new_session(self._session_id % _LAST_NUMBER + 1, now)
        number = self._queue.last + 1
        head: dict[str, Value] = {"event_no": number, "t_ms": self._uptime_ms(now)}
        self._queue.add(encode(spec.type, 0, {**head, **fields}))
        self._send_events(now)
        return number

    def set_faults(self, faults: int, now: float) -> None:
        """The fault bits; a change makes a FAULT event."""
        if faults != self._faults:
            self._faults = faults
            self.event("FAULT", {"faults": faults}, now)

    def answer(self, command_id: int, fields: Mapping[str, Value]) -> None:
        """The command is done. An id not running (forgotten at a HELLO) is ignored."""
        number = self._answers.running(command_id)
        if number is not None:
            self._remember(command_id, encode(number | ANSWER_BIT, command_id, fields))

    def nak(self, command_id: int, code: int) -> None:
        """The command is refused: code 2 to 5. An id not running is ignored."""
        number = self._answers.running(command_id)
        if number is not None:
            self._remember(command_id, _nak(number, command_id, code))

    def new_session(self, session_id: int, now: float) -> None:
        """Forget all events and begin a session; silent until the next HELLO."""
        if session_id == self._session_id or not 0 < session_id <= _LAST_NUMBER:
            raise ValueError(f"session id {session_id} is 0, too large or the present one")
        self._session_id = session_id
        self._queue = EventQueue()
        self._fall_silent()
        self._begin_session(now)

    @property
    def session_id(self) -> int:
        """The present session."""
        return self._session_id

    @property
    def last_event(self) -> int:
        """The number of the last event made, 0 for none: for GATE's and DISARM's answers."""
        return self._queue.last

    @property
    def greeted(self) -> bool:
        """Whether HELLO was answered and the controller is there: a keypad takes keys."""
        return self._greeted

    @property
    def faults(self) -> int:
        """The fault bits, set by ``set_faults``."""
        return self._faults

    def memory(self) -> Memory:
        """The events as they are now, to be given to the session after a restart."""
        return Memory(self._session_id, self._queue.last, self._queue.payloads())

    # What arrives

    def receive(self, payload: bytes, now: float) -> None:
        """Take one payload off the carrier."""
        try:
            number, command_id = unseal(payload)
            if number >= ANSWER_BIT:
                raise DroppedError(DropReason.TYPE)
            if (command_id == 0) != (number == EVENT_ACK):
                raise DroppedError(DropReason.ID)
            if number == EVENT_ACK:
                fields = read_body(SPECS[EVENT_ACK], payload)
                self._heard(now)
                self._acknowledged(fields, now)
                return
        except DroppedError as dropped:
            self._counts[dropped.reason.value] += 1
            return
        self._heard(now)
        self._receive_command(number, command_id, payload, now)

    def _receive_command(self, number: int, command_id: int, payload: bytes, now: float) -> None:
        spec = SPECS.get(number)
        if number == HELLO and spec is not None:
            fields = _fields(spec, payload)
            if fields is None:
                self._output.append(_nak(number, command_id, BAD_BODY))
            else:
                self._hello(command_id, fields, now)
        elif not self._greeted:
            self._output.append(_nak(number, command_id, HELLO_FIRST))
        elif self._answers.knows(command_id):
            self._counts["command_again"] += 1
            answer = self._answers.answer_given(command_id)
            if answer is not None:
                self._output.append(answer)
        elif spec is None or spec.role is not Role.COMMAND or self._kind not in spec.kinds:
            self._remember(command_id, _nak(number, command_id, UNKNOWN_TYPE))
        elif (fields := _fields(spec, payload)) is None:
            self._remember(command_id, _nak(number, command_id, BAD_BODY))
        elif number == PING:
            self._remember(command_id, encode(PING | ANSWER_BIT, command_id, self._status(now)))
        else:
            self._answers.note_running(command_id, number)
            self._events.append(Commanded(command_id, spec.name, fields))

    def _hello(self, command_id: int, fields: Mapping[str, Value], now: float) -> None:
        self._answers.forget()
        event_no = fields["event_no"]
        if fields["session_id"] == self._session_id and isinstance(event_no, int):
            self._queue.drop_through(event_no)
        answer: dict[str, Value] = {
            **self._identity,
            "session_id": self._session_id,
            "oldest_unacked": self._queue.oldest,
            "last_event": self._queue.last,
        }
        self._output.append(encode(HELLO | ANSWER_BIT, command_id, answer))
        self._greeted = True
        self._gone_at = now + timing.GONE_AFTER_S
        self._events.append(Greeted())
        self._queue.rewind()
        self._send_events(now)

    def _acknowledged(self, fields: Mapping[str, Value], now: float) -> None:
        event_no = fields["event_no"]
        if self._greeted and fields["session_id"] == self._session_id and isinstance(event_no, int):
            self._queue.acknowledge(event_no, now)
            self._send_events(now)

    def _heard(self, now: float) -> None:
        if self._gone_at is not None:
            self._gone_at = now + timing.GONE_AFTER_S

    # Time

    def poll(self, now: float) -> None:
        """Do what has fallen due: send again, take the controller as gone."""
        if self._gone_at is not None and now >= self._gone_at:
            self._gone_at = None
            self._fall_silent()
            self._events.append(ControllerGone())
        self._send_events(now)

    def deadline(self) -> float | None:
        """When ``poll`` is to be called next, None for never."""
        due = [self._gone_at, self._queue.resend_at if self._greeted else None]
        return min((at for at in due if at is not None), default=None)

    # What leaves

    def _begin_session(self, now: float) -> None:
        for name, fields in self._present_state():
            self.event(name, fields, now)

    def _fall_silent(self) -> None:
        self._greeted = False
        self._queue.rewind()

    def _send_events(self, now: float) -> None:
        if self._greeted:
            self._output += self._queue.to_send(now)

    def _remember(self, command_id: int, answer: bytes) -> None:
        self._answers.remember(command_id, answer)
        self._output.append(answer)

    def _uptime_ms(self, now: float) -> int:
        return int((now - self._started) * 1000) & 0xFFFFFFFF

    def _status(self, now: float) -> dict[str, Value]:
        return {
            "uptime_ms": self._uptime_ms(now),
            "state": self.state,
            "faults": self._faults,
            "unacked": min(len(self._queue), 0xFFFF),
        }


def _nak(number: int, command_id: int, code: int) -> bytes:
    return encode(NAK, command_id, {"code": code, "refused": number})


def _fields(spec: Spec, payload: bytes) -> dict[str, Value] | None:
    """The command's fields; None when the body is bad."""
    try:
        fields = read_body(spec, payload)
    except DroppedError:
        return None
    return fields if spec.layout.is_ascii(fields) else None
