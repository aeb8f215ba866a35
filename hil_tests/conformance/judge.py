"""What a device may say, and when: every message that is heard is judged here.

What must not be said at all is a :class:`Violation` at once: an event with another id than 0 or of
another kind of device, an answer that nobody waits for. Numbers and repetitions of events are
judged in every conversation, too, but one that is wrong there ends no check that is about something
else: it is kept as a finding, and the checks that are about it look there.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from drivers.api import Value
from drivers.table_link.messages import ANSWER_BIT, HELLO, SPECS, Message, Role
from hil_tests.conformance.words import Talk, failure, message_told

Fields = Mapping[str, Value]
Findings = dict[str, list[str]]
"""What is wrong with events that were heard, by the section that is about it."""

ANSWERS_KEPT: Final = 64
"""Ids whose late answers are still known for answers: more than a check sends at a time."""

ORDER: Final = "section 4, order"
REPETITION: Final = "section 4, repetition"


class Violation(AssertionError):
    """The device does what the protocol does not have, or leaves out what it wants."""


class NotMade(Exception):
    """A check cannot be made, because of something that another check is about."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, its payload byte by byte, and when it came (monotonic seconds)."""

    at: float
    payload: bytes
    message: Message

    @property
    def number(self) -> int:
        """An event's number."""
        return int(str(self.message.fields["event_no"]))

    def is_of(self, other: Heard) -> bool:
        """Whether both tell the same event, whatever its time: number, kind and body."""
        return _without_time(self) == _without_time(other)


def _without_time(heard: Heard) -> dict[str, Value]:
    fields = {name: value for name, value in heard.message.fields.items() if name != "t_ms"}
    return {"": heard.message.name, **fields}


def unlike(first: Heard, again: Heard) -> str:
    """What is expected of a repetition that is not the same bytes."""
    return (
        f"event {first.number} again as it was first sent, byte by byte: {first.payload.hex()}, "
        f"not {again.payload.hex()}"
    )


class Judge:
    """Events and answers of one device since its line was opened. ``events`` are the first
    transmissions by their numbers, ``arrived`` all first transmissions as they came; ``stored``:
    acknowledged up to it. ``hello`` is the latest
    HELLO's answer, empty before it, and ``again`` are the repetitions behind it. ``section`` is the
    one of the check that is made, ``talk`` what was said and heard last, in words."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.section = ""
        self.talk = Talk()
        self.findings: Findings = defaultdict(list)
        self.hello: Fields = {}
        self.events: dict[int, Heard] = {}
        self.arrived: list[Heard] = []
        self.again: list[Heard] = []
        self.stored = 0
        self.last = 0
        self.judging = True
        self._answers: deque[Heard] = deque(maxlen=ANSWERS_KEPT)
        self._waiting: deque[int] = deque(maxlen=ANSWERS_KEPT)

    def wrong(self, wanted: str, section: str = "") -> Violation:
        """What is expected and is not so, in words; to be raised."""
        return Violation(failure(section or self.section, wanted, self.talk.lines()))

    def expect(self, holds: object, wanted: str, section: str = "") -> None:
        """Raise :class:`Violation` where it does not hold."""
        if not holds:
            raise self.wrong(wanted, section)

    def found_nothing(self, section: str) -> None:
        """No event of this conversation was wrong in that."""
        found = self.findings.get(section)
        self.expect(not found, found[0] if found else "", section)

    @contextmanager
    def unjudged(self) -> Iterator[None]:
        """Meanwhile answers are taken, and nothing that is heard is judged."""
        self.judging = False
        try:
            yield
        finally:
            self.judging = True

    def waits_for(self, command_id: int) -> None:
        """An id of a command: its answers are no surprise from now on."""
        self._waiting.append(command_id)

    def judge(self, heard: Heard) -> None:
        """Take it for what it is, or raise :class:`Violation`."""
        message, spec = heard.message, SPECS[heard.message.type]
        if not self.judging:
            if spec.role is Role.ANSWER and message.id in self._waiting:
                self._answered(heard)
            return
        self.talk.add(f"came: {message_told(message)}")
        if spec.role is Role.COMMAND:
            raise self.wrong(
                f"answers and events; {message.name} is a command", "section 3, commands"
            )
        if self.kind not in spec.kinds:
            raise self.wrong(f"no {message.name}, which a {self.kind} does not have", "section 5")
        if spec.role is Role.ANSWER:
            if message.id in self._waiting:
                self._answered(heard)
            elif self.hello:  # before it an answer may be for whoever had the line before
                raise self.wrong(
                    f"no answer with id {message.id}, which nobody waits for", "section 3, commands"
                )
        elif message.id != 0:
            raise self.wrong(f"id 0 in an event, not {message.id}", "section 1, payload")
        elif self.hello:
            self._event(heard)

    def _answered(self, heard: Heard) -> None:
        if heard.message.type == HELLO | ANSWER_BIT:
            self._greeted(heard.message.fields)
        self._answers.append(heard)

    def _greeted(self, fields: Fields) -> None:
        known = self.hello.get("session_id") == fields["session_id"]
        self.hello = fields
        oldest, last = int(str(fields["oldest_unacked"])), int(str(fields["last_event"]))
        if self.judging and oldest > last:
            raise self.wrong("oldest_unacked no greater than last_event", "section 4, HELLO")
        self.again.clear()
        if not known:
            self.events.clear()
            self.arrived.clear()
            self.stored = 0
        self.last = oldest - 1 if oldest else last
        self.stored = max(self.stored, self.last)

    def begin_check(self) -> None:
        """Whatever was heard is over and done with: what comes now belongs to the check."""
        self.events.clear()
        self.arrived.clear()
        self.again.clear()
        self._answers.clear()
        self.talk.clear()
        self.findings.clear()
        self.last = self.stored = int(str(self.hello["last_event"]))

    def _event(self, heard: Heard) -> None:
        number = heard.number
        known = self.events.get(number)
        if known is not None and known.is_of(heard):
            if known.payload != heard.payload:
                self.note_finding(REPETITION, unlike(known, heard))
            self.again.append(heard)
            return
        if number > self.last + 1:
            self.note_finding(ORDER, f"event {self.last + 1} behind {self.last}; {number} came")
        if number <= self.last:
            self.note_finding(ORDER, f"a number above {self.last} for another event; {number} came")
        self.last = max(self.last, number)
        self.events.setdefault(number, heard)
        self.arrived.append(heard)

    def note_finding(self, section: str, wanted: str) -> None:
        """Keep what is wrong with an event for the checks that are about it."""
        self.findings[section].append(wanted)
