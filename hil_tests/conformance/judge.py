"""What a device may say, and when: every message that is heard is judged here.

A message that must not be is a :class:`Violation` with the section that it offends: an event with
another id than 0 or of another kind of device, an answer that nobody waits for, a number left out
or come back, a repetition that is not the same bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drivers.table_link.layout import Value
from drivers.table_link.messages import ANSWER_BIT, HELLO, SPECS, Message, Role

Fields = Mapping[str, Value]
ANSWERS_KEPT: Final = 64
"""Ids whose late answers are still known for answers: more than a check sends at a time."""


class Violation(AssertionError):
    """The device does what the protocol does not have, or leaves out what it wants."""


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


class Judge:
    """Events and answers of one device since its line was opened. ``events`` are the first
    transmissions by their numbers; ``stored``: acknowledged up to it. ``hello`` is the latest
    HELLO's answer, empty before it, and ``again`` are the repetitions behind it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.hello: Fields = {}
        self.events: dict[int, Heard] = {}
        self.again: list[Heard] = []
        self.stored = 0
        self.last = 0
        self._answers: deque[Heard] = deque(maxlen=ANSWERS_KEPT)
        self._waiting: deque[int] = deque(maxlen=ANSWERS_KEPT)

    def waits_for(self, command_id: int) -> None:
        """An id of a command: its answers are no surprise from now on."""
        self._waiting.append(command_id)

    def judge(self, heard: Heard) -> None:
        """Take it for what it is, or raise :class:`Violation`."""
        message, spec = heard.message, SPECS[heard.message.type]
        if spec.role is Role.COMMAND:
            raise Violation(f"section 3: a device sends the command {message.name}")
        if self.kind not in spec.kinds:
            raise Violation(f"section 5: a {self.kind} sends {message.name}")
        if spec.role is Role.ANSWER:
            if message.id not in self._waiting:
                if not self.hello:  # for whoever had the line before
                    return
                raise Violation(
                    f"section 3: {message.name} answers id {message.id}, which nobody has asked"
                )
            if message.type == HELLO | ANSWER_BIT:
                self._greeted(message.fields)
            self._answers.append(heard)
        elif message.id != 0:
            raise Violation(f"section 1: the event {message.name} has id {message.id}, not 0")
        elif self.hello:
            self._event(heard)

    def _greeted(self, fields: Fields) -> None:
        known = self.hello.get("session_id") == fields["session_id"]
        self.hello = fields
        oldest, last = int(str(fields["oldest_unacked"])), int(str(fields["last_event"]))
        if oldest > last:
            raise Violation(f"section 5: oldest_unacked {oldest} is beyond last_event {last}")
        self.again.clear()
        if not known:
            self.events.clear()
            self.stored = 0
        self.last = oldest - 1 if oldest else last
        self.stored = max(self.stored, self.last)

    def _event(self, heard: Heard) -> None:
        number = heard.number
        known = self.events.get(number)
        if known is not None and known.payload != heard.payload:
            raise Violation(
                f"section 4: event {number} is {known.payload.hex()} at first and "
                f"{heard.payload.hex()} when it is repeated"
            )
        if number > self.last + 1:
            raise Violation(f"section 4: event {number} follows {self.last}: numbers are left out")
        if known is None and number <= self.last:
            raise Violation(f"section 4: event {number} is new, and {self.last} has been before")
        if number == self.last + 1:
            self.last = number
        if known is None:
            self.events[number] = heard
        else:
            self.again.append(heard)
