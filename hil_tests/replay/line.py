"""A line in virtual time with a captured device at its end: it says what it said, when it did.

The rules:

- What came by itself (events, noise, a port that goes and comes) comes when it came. An answer
  comes when it came, but not before it is asked for, and under the id that is asked for now.
- A command is looked for among those of the capture that are still to come, not far ahead; what is
  passed over, and what is not there, is a difference.
- Of two orders to the gate in quick succession, with no event between them, the first may be left
  out, then or now: it depends on how fast things were stored.
- Before the capture begins the device is as its head says: it answers whatever it is asked with
  nothing, and says HELLO. So it answers, too, what the capture does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from drivers.api import PortChange, Seen, Stray, Value
from drivers.capture.format import SERIAL
from drivers.table_link.messages import ANSWER_BIT, SPECS, Message, encode
from drivers.vocabulary import KINDS
from hil_tests.replay.exchanges import (
    EVENT_ACK,
    HELLO,
    PING,
    SHOWN,
    Exchange,
    Half,
    covered,
    in_words,
    place_of,
    readdressed,
)
from hil_tests.replay.port import PlayedPort

NUMBERS = {kind: number for number, kind in KINDS.items()}


def answer_of(name: str, head: Mapping[str, Any], asked: Message, last_event: int) -> bytes:
    """The payload that answers a command: HELLO with who the head says it is, any other with
    nothing but ``last_event``."""
    spec = SPECS[asked.type | ANSWER_BIT]
    fields = spec.layout.unpack(bytes(spec.layout.size))
    if asked.name == HELLO:
        fields |= _identity(name, head)
    if "last_event" in fields:
        fields["last_event"] = last_event
    return encode(spec.type, asked.id, fields)


def _identity(name: str, head: Mapping[str, Any]) -> dict[str, Value]:
    return {
        "kind": NUMBERS[str(head.get("kind", name))],
        "session_id": int(head.get("session", 1)),
        "capabilities": int(head.get("capabilities", 0)),
        "firmware": tuple(head.get("firmware", (0, 0, 0))),
        "serial": str(head.get("serial", "")),
        "digest": str(head.get("digest", "00" * 8)),
    }


GATE: Final = "GATE"
QUICK_NS: Final = 250_000_000
AHEAD: Final = 4
"""Commands that may be passed over."""
TURN_NS: Final = 200_000
"""A device takes so long to answer at least."""
NEAR_NS: Final = 150_000_000
"""A PING, or a text for a display, is one of the capture that is so near."""
GREETED_NS: Final = 400_000_000
"""A HELLO is one that was answered if that was within this; it is repeated after longer."""
SETTLED_NS: Final = 500_000_000
"""A display stands that was told nothing more for so long."""


class PlayedLine(PlayedPort):
    """One device's end, and the daemon's carrier. ``differ`` is told what is otherwise than in the
    capture; ``clock_ns`` is the journal's clock."""

    def __init__(
        self,
        name: str,
        head: Mapping[str, Any],
        half: Half,
        last_event: int,
        span_ns: tuple[int, int],
        clock_ns: Callable[[], int],
        differ: Callable[[str], None],
    ) -> None:
        was_up = "session" in head
        ports = [seen.open for _, seen in half.told if isinstance(seen, PortChange)]
        plugged = was_up or not ports or not ports[0]
        super().__init__(clock_ns, framed=head["carrier"] == SERIAL, plugged=plugged)
        self.name = name
        self.half = half
        self.shown: dict[str, list[Mapping[str, Value]]] = {}
        self._head = head
        self._last_event = last_event
        self._begins_ns, self._ends_ns = span_ns
        self._differ = differ
        self._was_up = was_up
        self._next = 0
        self._acknowledged: list[tuple[int, int]] = []
        self._last_id = 0
        self._order: tuple[int, int, str] | None = None

    def schedule_sights(self) -> None:
        """Arrange for everything that comes by itself."""
        for at_ns, seen in self.half.told:
            self.call_at(at_ns, self._happens, seen)

    def report_missing(self) -> None:
        """Tell what should have been said by now."""
        self._order_stood(self.clock_ns())
        for left in self.half.commands[self._next :]:
            self._differ(f"{self.name}: is not told {left} any more")
        missing = [one for one in self.half.acknowledged if not covered(one, self._acknowledged)]
        for session, number in missing:
            self._differ(f"{self.name}: event {number} of session {session} is not acknowledged")
        for place, said in self.half.shown.items():
            settled = said.at_ns < self._ends_ns - SETTLED_NS
            shown = self.shown.get(place, [])[-1 if settled else 0 :]
            if said.fields not in shown:
                told = ", ".join(in_words(place, fields) for fields in shown) or "nothing"
                self._differ(f"{self.name}: shows {told} in the end, was {said}")

    # ---- what the device does -----------------------------------------------------------------

    def _happens(self, seen: Seen) -> None:
        if isinstance(seen, PortChange):
            self.plug(seen)
        elif isinstance(seen, Stray):
            self.damaged(seen.raw)
        else:
            if isinstance(number := seen.fields.get("event_no"), int):
                self._last_event = max(self._last_event, number)
            self.arrives(seen.raw)

    def hear(self, message: Message) -> None:
        """The daemon says something."""
        now_ns = self.clock_ns()
        if message.name == EVENT_ACK:
            self._acknowledges(message, now_ns)
            return
        if message.id == self._last_id:
            return  # sent again: the answer is on its way, or there was none
        self._last_id = message.id
        if now_ns < self._begins_ns:
            if self._was_up:
                self._answer_from_the_model(message)
        elif message.name == PING or message.name in SHOWN:
            self._loosely(message, now_ns)
        else:
            self._command(message, now_ns)

    def _command(self, message: Message, now_ns: int) -> None:
        if message.name == GATE:
            self._order_stood(now_ns)
        left = self.half.commands[self._next : self._next + AHEAD]
        found = next((n for n, one in enumerate(left) if _same(one, message)), None)
        if message.name == HELLO:
            due = next((one for one in left if one.name == HELLO), None)
            if due is None or due.answered_ns > now_ns + GREETED_NS:
                return  # nobody was there yet
        if found is None:
            if now_ns <= self._ends_ns:
                self._not_in_it(message, str(left[0]) if left else "nothing more", now_ns)
            self._answer_from_the_model(message)
            return
        said = left[found]
        for passed in left[:found]:
            if not (passed.name == said.name == GATE and self._overtaken(passed, said)):
                self._differ(f"{self.name}: is not told {passed} any more")
        self._next += found + 1
        if said.answer is not None:
            answer = readdressed(said.answer, message.id)
            self.call_at(max(said.answered_ns, now_ns + TURN_NS), self.arrives, answer)

    def _not_in_it(self, message: Message, then: str, now_ns: int) -> None:
        """A command that the capture does not have; told once it is known that it stood."""
        told = in_words(message.name, message.fields)
        what = f"{self.name}: is told {told}; the capture has {then} here"
        if message.name == GATE:
            self._order = now_ns, self._last_event, what
        else:
            self._differ(what)

    def _order_stood(self, until_ns: int) -> None:
        if self._order is not None:
            at_ns, last_event, what = self._order
            if until_ns - at_ns > QUICK_NS or last_event != self._last_event:
                self._differ(what)
        self._order = None

    def _overtaken(self, one: Exchange, other: Exchange) -> bool:
        """Whether the second order was given before anything came of the first."""
        between = any(one.at_ns < at_ns < other.at_ns for at_ns, _ in self.half.told)
        return other.at_ns - one.at_ns <= QUICK_NS and not between

    def _loosely(self, message: Message, now_ns: int) -> None:
        """Answer as the same was answered at that time, after as long."""
        if message.name in SHOWN and now_ns <= self._ends_ns:
            place = place_of(message.name, message.fields)
            self.shown.setdefault(place, []).append(message.fields)
        near = [
            one
            for one in self.half.loose
            if _same(one, message) and abs(one.at_ns - now_ns) <= NEAR_NS
        ]
        if not near or near[-1].at_ns > self._ends_ns - NEAR_NS:
            self._answer_from_the_model(message)
            return
        said = min(near, key=lambda one: abs(one.at_ns - now_ns))
        if said.answer is not None:
            took_ns = max(said.answered_ns - said.at_ns, TURN_NS)
            self.call_at(now_ns + took_ns, self.arrives, readdressed(said.answer, message.id))

    def _acknowledges(self, message: Message, now_ns: int) -> None:
        position = int(str(message.fields["session_id"])), int(str(message.fields["event_no"]))
        if position in self._acknowledged:
            return
        self._acknowledged.append(position)
        known = covered(position, self.half.acknowledged)
        if self._begins_ns <= now_ns <= self._ends_ns and not known:
            session, number = position
            self._differ(f"{self.name}: event {number} of session {session} is acknowledged")

    def _answer_from_the_model(self, message: Message) -> None:
        payload = answer_of(self.name, self._head, message, self._last_event)
        self.call_at(self.clock_ns() + TURN_NS, self.arrives, payload)


def _same(said: Exchange, message: Message) -> bool:
    return said.name == message.name and said.fields == message.fields
