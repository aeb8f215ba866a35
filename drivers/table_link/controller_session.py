"""The controller's half of Table Link (sections 3 and 4), without input, output or clock.

The link is closed, greeting or up:

- *Closed*: no port. Commands are lost at once.
- *Greeting*: HELLO is sent until a device of the expected kind answers. At the opening of the
  port and when the device asks for it, HELLO goes four times like any command; once the link is
  down, once every 500 ms under a new id. HELLO carries what is on stable storage at that moment.
  Only an answer to a HELLO that was sent once counts: of one that was repeated, a copy may still
  be on its way, and a device that restarts before it comes would take it for its greeting and send
  events of another session unasked (docs/models.md). So that one is answered by one more HELLO.
  Every event is dropped. A device of another kind, or of another serial number than the one
  that is configured, is asked again every 3 s, in case it is exchanged, and is sent nothing else.
- *Up*: commands go one at a time, the link carries a PING when idle for 500 ms, events are taken
  (``event_stream``). NAK 6 takes the link down and back to greeting: the device restarted or
  assumed the controller gone, and the result of the command is unknown, because an earlier
  transmission may have been carried out before.

A long command (SELF_TEST, AUTHENTICATE) leaves no room for PING, yet the device takes the
controller as gone after 2 s. Meanwhile the last acknowledgement is repeated every 500 ms: it is
no command, changes nothing, and is a valid payload.

RESET met with silence is answered by the next answered HELLO, or lost after 30 s.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from enum import Enum
from struct import Struct

from drivers.api import Value
from drivers.table_link import timing
from drivers.table_link.event_stream import EventHandling, EventStream
from drivers.table_link.greeting import Greeting
from drivers.table_link.link_events import (
    Answered,
    Down,
    Half,
    LinkEvent,
    Lost,
    Nak,
    Received,
)
from drivers.table_link.messages import (
    ANSWER_BIT,
    COMMANDS,
    EVENT_ACK,
    HELLO,
    MIN_PAYLOAD,
    NAK,
    SPECS,
    DroppedError,
    DropReason,
    Role,
    Spec,
    read_body,
    seal,
    unseal,
)
from drivers.table_link.outstanding import CommandIds, OutstandingCommand, request
from drivers.table_link.pace import NAMED_IN_VAIN, Gap, Named, Pace
from drivers.vocabulary import BUSY, HELLO_FIRST, PLAIN_KINDS, kind_on_the_wire

_EVENT_HEAD = Struct("<II")
_POSITION = Struct("<II")
_PASSED_OVER = {EventHandling.GAP: "event_gap", EventHandling.TOO_MANY: "event_too_many"}


class _Phase(Enum):
    CLOSED = "closed"
    GREETING = "greeting"
    UP = "up"


class ControllerSession(Half[LinkEvent]):
    """One link to one device.

    ``kind`` is the kind that the device is configured as (:data:`drivers.vocabulary.PLAIN_KINDS`);
    ``serial`` the serial number that it must have, empty for any; ``resume`` the (session, event
    number) on stable storage, (0, 0) for none; ``first_id`` the random start of command ids, 1 to
    65535. ``now`` is monotonic seconds everywhere. After
    every verb: send ``take_output()``, handle ``take_events()``, and call ``poll`` no later
    than ``deadline()``. Give ``receive`` all that has arrived before ``poll``.
    """

    def __init__(
        self, kind: str, *, serial: str = "", resume: tuple[int, int] = (0, 0), first_id: int
    ) -> None:
        super().__init__()
        self._kind = kind
        self._on_the_wire = kind_on_the_wire(kind)
        self._serial = serial
        self._plain = PLAIN_KINDS[kind]
        self._stream = EventStream(resume)
        self._ids = CommandIds(first_id)
        self._phase = _Phase.CLOSED
        self._down_reason: str | None = None
        self._request: OutstandingCommand | None = None
        self._queue: deque[OutstandingCommand] = deque()
        self._tokens = 0
        self._reset: tuple[int, float] | None = None  # token, until when
        self._pace, self._gap, self._named = Pace(), Gap(), Named()
        self._hello_at = 0.0
        self._ping_at = 0.0

    # The port

    def opened(self, now: float) -> None:
        """The port is open (or was cleared after a stall): say HELLO."""
        if self._phase is not _Phase.CLOSED:
            self.closed(now, f"the port of the {self._plain} was opened anew")
        self._phase = _Phase.GREETING
        self._hello(now, timing.TRANSMISSIONS)

    def closed(self, now: float, reason: str) -> None:
        """The port is gone or could not be opened; ``reason`` in plain words goes into Down."""
        self._go_down(reason, now)
        self._phase = _Phase.CLOSED
        self._output.clear()

    # What the controller wants

    def command(self, name: str, fields: Mapping[str, Value], now: float) -> int:
        """Send a command, or queue it behind the outstanding one; returns its token.

        Exactly one of Answered, Nak and Lost follows with that token (Lost at once when the
        link is not up). ValueError: no such command for this kind of device, or bad fields.
        """
        spec = COMMANDS.get(name)
        if spec is None or self._on_the_wire not in spec.kinds or name in ("HELLO", "EVENT_ACK"):
            raise ValueError(f"a {self._plain} is not to be commanded {name}")
        wanted = request(self._tokens + 1, name, spec.layout.pack(fields))
        self._tokens += 1
        if self._phase is _Phase.UP:
            self._queue.append(wanted)
            self._send_next(now)
        else:
            self._events.append(Lost(wanted.token, name))
        return wanted.token

    def acknowledge(self, session_id: int, event_no: int) -> None:
        """Everything up to that event is on stable storage; EVENT_ACK is output at once.

        While the link is not up nothing is output: the next HELLO carries it.
        """
        if self._stream.acknowledge(session_id, event_no) and self._phase is _Phase.UP:
            self._send_acknowledgement()

    # What arrives

    def receive(self, payload: bytes, now: float) -> None:
        """Take one payload off the carrier (frames already removed)."""
        if self._phase is _Phase.CLOSED:
            return
        self._counts["received"] += 1
        try:
            number, command_id = unseal(payload)
            spec = SPECS.get(number)
            if spec is None:
                raise DroppedError(DropReason.TYPE)
            if spec.role is Role.EVENT:
                self._receive_event(spec, payload, now)
            elif spec.role is Role.ANSWER:
                self._receive_answer(spec, command_id, payload, now)
            else:
                self._counts["echoed_command"] += 1
        except DroppedError as dropped:
            self._counts[dropped.reason.value] += 1

    def _receive_event(self, spec: Spec, payload: bytes, now: float) -> None:
        if len(payload) - MIN_PAYLOAD != spec.layout.size:
            raise DroppedError(DropReason.LENGTH)
        if self._phase is not _Phase.UP:
            self._counts["event_before_hello"] += 1
            if _EVENT_HEAD.unpack_from(payload, 4)[0] == self._stream.received + 1:
                self._named.in_vain = 0  # it does send it
            return
        if self._on_the_wire not in spec.kinds:
            self._counts["foreign_event"] += 1
            return
        event_no, t_ms = _EVENT_HEAD.unpack_from(payload, 4)
        verdict = self._stream.judge_event(event_no)
        if verdict is not EventHandling.GAP:
            self._gap.closed()
        if verdict is EventHandling.NEW:
            self._named.has_come(self._stream.received, now)
            fields = spec.own.unpack(payload, 12)
            self._events.append(Received(self._stream.session, event_no, t_ms, spec.name, fields))
            return
        self._counts[_PASSED_OVER.get(verdict, "event_again")] += 1
        if verdict is EventHandling.STORED:
            self._send_acknowledgement()
        elif verdict is EventHandling.GAP and self._gap.lasts_too_long(now):
            self._go_down(f"an event of the {self._plain} is missing and is not sent again", now)
            self._hello(now, timing.TRANSMISSIONS)

    def _receive_answer(self, spec: Spec, command_id: int, payload: bytes, now: float) -> None:
        fields = read_body(spec, payload)
        refused, code = fields.get("refused"), fields.get("code")
        asked = self._request
        if asked is None or not asked.matches(
            spec.type, command_id, refused if isinstance(refused, int) else None
        ):
            self._counts["stray_answer"] += 1
            if spec.type == HELLO | ANSWER_BIT and self._phase is _Phase.UP:
                self._greeted_again(Greeting.from_fields(fields), now)
        elif spec.type == NAK and isinstance(code, int):
            self._refused(asked, code, now)
        else:
            self._request = None
            self._answered(asked, fields, now)

    def _answered(self, asked: OutstandingCommand, fields: dict[str, Value], now: float) -> None:
        if asked.name == "HELLO":
            if asked.repeated:
                self._hello(now, 1)
            else:
                self._greeted(Greeting.from_fields(fields), now)
            return
        if asked.name == "PING" and not asked.repeated:  # else nobody knows which was answered
            self._counts["pings"] += 1
            self._counts["ping_us"] += asked.age_us(now)
        if isinstance(last := fields.get("last_event"), int):
            self._named.is_named(last, self._stream.received, now)
        if asked.token:
            self._events.append(Answered(asked.token, asked.name, fields))
        if asked.name == "RESET":
            # It restarts now; a HELLO at once would be answered just before that.
            self._go_down(f"the {self._plain} was told to restart", now)
            self._hello_at = now + timing.HELLO_EVERY_S
        else:
            self._send_next(now)

    def _refused(self, asked: OutstandingCommand, code: int, now: float) -> None:
        self._counts["nak"] += 1
        if asked.name == "HELLO":
            self._request = None
            self._go_down(f"the {self._plain} refuses HELLO (NAK {code})", now)
            self._hello_at = now + timing.HELLO_EVERY_S
        elif code == HELLO_FIRST:
            asked.resting = True  # this transmission was not carried out, be it a RESET
            self._go_down(f"the {self._plain} restarted, or had not heard from the controller", now)
            self._hello(now, timing.TRANSMISSIONS)
        elif code != BUSY or not asked.rest(now):
            self._request = None
            if asked.token:
                self._events.append(Nak(asked.token, asked.name, code))
            self._send_next(now)

    def _greeted(self, greeting: Greeting, now: float) -> None:
        objection = greeting.objection(self._kind, self._serial) or self._keeps_events(greeting)
        if objection is not None:
            reason, again_after_s = objection
            self._go_down(reason, now, greeting.other_kind(self._kind))
            self._hello_at = now + again_after_s
            return
        self._counts["greeted"] += 1
        self._pace.greeted(now)
        self._gap.closed()
        first = self._stream.session == 0
        new = self._stream.greeted(
            greeting.session_id, greeting.oldest_unacked, greeting.last_event
        )
        self._named.is_named(greeting.last_event, self._stream.received, now)
        self._phase = _Phase.UP
        self._down_reason = None
        self._ping_at = now + timing.PING_EVERY_S
        self._events.append(
            greeting.up(new_session=new and not first, first=first, taken=self._stream.received)
        )
        if self._reset is not None:
            self._events.append(Answered(self._reset[0], "RESET", {}))
            self._reset = None

    def _keeps_events(self, greeting: Greeting) -> tuple[str, float] | None:
        """Why a device that names events and does not send them is not used."""
        stream = self._stream
        same = stream.agrees(greeting.session_id, greeting.oldest_unacked, greeting.last_event)
        if not same or greeting.last_event <= stream.received:
            self._named.in_vain = 0
        if self._named.in_vain < NAMED_IN_VAIN:
            return None
        reason = f"the {self._plain} names events that it does not send: switch it off and on"
        return reason, timing.WRONG_KIND_HELLO_EVERY_S

    def _greeted_again(self, greeting: Greeting, now: float) -> None:
        """A repetition of HELLO was answered too: is the device still the one greeted?

        If it restarted between the two, it takes the second for its greeting and sends events
        under numbers of its own, which would be read as those of the session before.
        """
        session, oldest = greeting.session_id, greeting.oldest_unacked
        if not self._stream.agrees(session, oldest, greeting.last_event):
            self._go_down(f"the {self._plain} restarted", now)
            self._hello(now, timing.TRANSMISSIONS)

    # Time

    def poll(self, now: float) -> None:
        """Do what has fallen due."""
        if self._reset is not None and now >= self._reset[1]:
            self._events.append(Lost(self._reset[0], "RESET"))
            self._reset = None
        if self._phase is _Phase.CLOSED:
            return
        if self._request is not None:
            if now >= self._request.due:
                self._no_answer(self._request, now)
        elif self._phase is _Phase.GREETING and now >= self._hello_at:
            self._hello(now, 1)
        if self._named.due is not None and now >= self._named.due:
            self._event_did_not_come(now)
        if self._phase is _Phase.UP and now >= self._ping_at:
            if self._request is None:
                self._begin_command(request(0, "PING", b""), now)
            else:
                self._ping_at = now + timing.PING_EVERY_S
                self._send_acknowledgement()

    def _event_did_not_come(self, now: float) -> None:
        """An event that the device has named lacks for too long, if it could have been sent."""
        tests = self._request is not None and self._request.name in timing.LONG_COMMANDS
        if tests or not self._stream.may_come:
            self._named.waits(now)
            return
        self._named.did_not_come()
        self._go_down(f"the {self._plain} names an event that it does not send", now)
        self._hello(now, timing.TRANSMISSIONS)

    def _no_answer(self, asked: OutstandingCommand, now: float) -> None:
        if asked.resting:
            self._begin_command(asked, now)
            return
        payload = asked.transmit_again(now)
        if payload is not None:
            self._counts["retries"] += 1
            self._ping_at = now + timing.PING_EVERY_S
            self._output.append(payload)
            return
        if asked.name == "RESET":
            self._go_down(f"the {self._plain} was told to restart", now)
        elif self._reset is None:
            self._go_down(f"the {self._plain} does not answer", now)
        self._hello(now, 1)

    def deadline(self) -> float | None:
        """When ``poll`` is to be called next; None when only input can change anything."""
        due = [self._reset[1]] if self._reset is not None else []
        if self._phase is not _Phase.CLOSED:
            if self._request is not None:
                due.append(self._request.due)
            elif self._phase is _Phase.GREETING:
                due.append(self._hello_at)
            if self._phase is _Phase.UP:
                due.append(self._ping_at)
                if self._named.due is not None:
                    due.append(self._named.due)
        return min(due, default=None)

    # What leaves

    def _begin_command(self, wanted: OutstandingCommand, now: float) -> None:
        self._request = wanted
        self._ping_at = now + timing.PING_EVERY_S
        self._output.append(wanted.transmit_first(self._ids.next_id(), now))

    def _send_next(self, now: float) -> None:
        if self._request is None and self._queue:
            self._begin_command(self._queue.popleft(), now)

    def _hello(self, now: float, transmissions: int) -> None:
        if wait_s := self._pace.wait_s(now):
            self._hello_at = now + wait_s
            return
        hello = request(0, "HELLO", _POSITION.pack(*self._stream.stored))
        if transmissions == 1:
            hello.transmissions, hello.within_s = 1, timing.HELLO_EVERY_S
        self._begin_command(hello, now)

    def _send_acknowledgement(self) -> None:
        position = _POSITION.pack(self._stream.session, self._stream.covered)
        self._output.append(seal(EVENT_ACK, 0, position))

    def _go_down(self, reason: str, now: float, answers: str = "") -> None:
        self._phase = _Phase.GREETING
        self._named.forget()
        if reason != self._down_reason:
            self._down_reason = reason
            self._counts["down"] += 1
            self._events.append(Down(reason, answers))
        asked, self._request = self._request, None
        if asked is not None and asked.name == "RESET" and not asked.resting:
            self._reset = (asked.token, now + timing.RESET_WITHIN_S)
        elif asked is not None and asked.token:
            self._events.append(Lost(asked.token, asked.name))
        self._events.extend(Lost(waiting.token, waiting.name) for waiting in self._queue)
        self._queue.clear()
