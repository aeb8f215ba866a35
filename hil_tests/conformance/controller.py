"""The controller's half of Table Link, for an examiner: what is said, and when, is the check's.

What the device says is judged where it is heard (:mod:`hil_tests.conformance.judge`). Time is read
where bytes arrive. Nothing is acknowledged unless the check says so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

from drivers.api import Value
from drivers.table_link.messages import (
    ANSWER_BIT,
    COMMANDS,
    NAK,
    DroppedError,
    Message,
    decode,
    encode,
    seal,
)
from drivers.table_link.timing import (
    ANSWER_WITHIN_S,
    LONG_ANSWER_WITHIN_S,
    LONG_COMMANDS,
    PING_EVERY_S,
    TRANSMISSIONS,
)
from hil_tests.conformance.judge import Fields, Heard, Judge
from hil_tests.conformance.line import Line
from hil_tests.conformance.words import CODES, payload_told

NOTHING: Final[Fields] = {"session_id": 0, "event_no": 0}
LARGEST_ID: Final = 0xFFFF
FIRST_IDS: Final = (0x100, 0x7000)
"""Away from those that checks use by number."""

ONCE_S: Final = 1.0
"""For what is sent once: longer than an answer may take, as it is not its time that is examined."""


class Controller(Judge):
    """One controller's conversation with one device, from the opening of the line to its end.

    ``kind`` is the device's.
    """

    def __init__(self, line: Line, kind: str) -> None:
        super().__init__(kind)
        self.line = line
        self._damaged: int | None = None
        self._id = random.randint(*FIRST_IDS)

    # ---- saying -------------------------------------------------------------------------------

    def next_id(self) -> int:
        """The next command's id; its answers are waited for from now on."""
        self._id = self._id % LARGEST_ID + 1
        self._waiting.append(self._id)
        return self._id

    def send_command(
        self, name: str, fields: Fields | None = None, command_id: int | None = None
    ) -> bytes:
        """Send a command once; the payload, to be sent again byte by byte."""
        command_id = self.next_id() if command_id is None else command_id
        payload = encode(COMMANDS[name].type, command_id, fields or {})
        self.send(payload)
        return payload

    def send(self, payload: bytes) -> None:
        """Send a payload as it is, again or for the first time."""
        if self.judging:
            self.talk.add(f"sent: {payload_told(payload)}")
        self.line.send(payload)

    def say_type(self, number: int, body: bytes = b"", command_id: int | None = None) -> bytes:
        """Send a payload of any type with any body, whether there is such a message or not."""
        payload = seal(number, self.next_id() if command_id is None else command_id, body)
        self.send(payload)
        return payload

    def acknowledge(self, event_no: int, session: int | None = None) -> None:
        """EVENT_ACK of all events up to that number."""
        named = self.session if session is None else session
        self.send_command("EVENT_ACK", {"session_id": named, "event_no": event_no}, 0)
        if named == self.session:
            self.stored = max(self.stored, event_no)

    # ---- hearing ------------------------------------------------------------------------------

    def listen(
        self,
        within_s: float,
        until: Callable[[], object] = lambda: False,
        *,
        alive: bool = False,
    ) -> bool:
        """Hear what comes until ``until`` holds; whether it did in time. What has come already is
        heard in any case. ``alive``: PING meanwhile, as an idle link has it."""
        ends = time.monotonic() + within_s
        ping_at = time.monotonic() + PING_EVERY_S
        while not until():
            now = time.monotonic()
            if alive and now >= ping_at:
                self.send_command("PING")
                ping_at = now + PING_EVERY_S
            self._receive(max(min(ends, ping_at if alive else ends) - now, 0))
            if time.monotonic() >= ends:
                return bool(until())
        return True

    def answer(self, payload: bytes, within_s: float = ANSWER_WITHIN_S) -> Heard | None:
        """The answer to the command last sent with this payload; None when none comes in time."""
        number, command_id = payload[1], int.from_bytes(payload[2:4], "little")
        found: list[Heard] = []

        def answered() -> bool:
            for heard in list(self._answers):
                self._answers.remove(heard)
                message = heard.message
                refused = message.type == NAK and message.fields["refused"] == number
                if message.id == command_id and (message.type == number | ANSWER_BIT or refused):
                    found.append(heard)
                    return True
            return False

        self.listen(within_s, answered)
        return found[0] if found else None

    def answer_to(self, name: str, fields: Fields | None = None) -> Message:
        """A command and its answer, or NAK: four transmissions, as section 3 has it."""
        return self.answered(self.send_command(name, fields), name).message

    def answered(self, payload: bytes, name: str = "") -> Heard:
        """The answer to a command that was sent once, which is sent three times more if need be."""
        within_s = LONG_ANSWER_WITHIN_S if name in LONG_COMMANDS else ANSWER_WITHIN_S
        for transmission in range(TRANSMISSIONS):
            if transmission:
                self.send(payload)
            if heard := self.answer(payload, within_s):
                return heard
        raise self.wrong(
            f"an answer to {name or 'it'}, with its id; none came to {TRANSMISSIONS} "
            f"transmissions, {within_s:g} s each"
        )

    def once(self, payload: bytes, wanted: str, within_s: float = ONCE_S) -> Heard:
        """The answer to what was sent once; ``wanted`` says why there has to be one."""
        heard = self.answer(payload, within_s)
        if heard is None:
            raise self.wrong(f"{wanted}; no answer came within {within_s:g} s")
        return heard

    def carry_out(self, name: str, **fields: Value) -> Fields:
        """A command that has to be carried out; its answer's fields."""
        message = self.answer_to(name, fields)
        self.expect(message.type != NAK, f"{name} to be carried out, not refused")
        return message.fields

    def refused(self, code: int, why: str, name: str, **fields: Value) -> None:
        """A command that has to get NAK with that code; ``why`` says what stands against it."""
        message = self.answer_to(name, fields)
        self.expect(
            message.type == NAK and message.fields["code"] == code,
            f"NAK {code} ({CODES[code]}) for {name}: {why}",
        )

    def shows(
        self, name: str, wanted: str, given: Fields | None = None, /, **fields: Value
    ) -> Fields:
        """What has to be in the answer to a command that has to be carried out; ``wanted`` says
        what that means. The answer's fields."""
        answer = self.carry_out(name, **(given or {}))
        named = " ".join(f"{key}={value}" for key, value in fields.items())
        self.expect(
            all(answer[key] == value for key, value in fields.items()),
            f"{wanted}: {named} in the answer to {name}",
        )
        return answer

    def greet(self, session: int = 0, event_no: int = 0) -> Fields:
        """HELLO; events are counted from its answer on."""
        payload = self.send_command("HELLO", {"session_id": session, "event_no": event_no})
        message = self.answered(payload, "HELLO").message
        self.expect(message.type != NAK, "HELLO to be answered at any time, never refused")
        return self.hello

    def after(self, number: int) -> list[int]:
        """The numbers of the events that were heard behind that one, as they came."""
        return [heard.number for heard in self.arrived if heard.number > number]

    @property
    def session(self) -> int:
        """The session of the latest HELLO's answer."""
        return int(str(self.hello["session_id"]))

    def silent(self, payloads: list[bytes]) -> None:
        """Send what must not be answered, then a PING: lines keep their order, so an answer to it
        would come first."""
        for payload in payloads:
            self.send(payload)
        self.ping_once()

    def ping_once(self) -> None:
        """A PING, sent once: whatever came before it has not cost it."""
        self.once(self.send_command("PING"), "a good PING to be answered, whatever stood before it")

    def _receive(self, within_s: float) -> None:
        for payload in self.line.receive(within_s):
            at = time.monotonic()
            try:
                heard = Heard(at, payload, decode(payload))
            except DroppedError as dropped:
                if not self.judging:
                    continue
                raise self.wrong(
                    f"messages; {payload.hex()} is none ({dropped})", "section 1, payload"
                ) from None
            self.judge(heard)
        if self.hello and self._damaged is None:
            self._damaged = self.line.damaged  # what the port's opening has cut off is forgiven
        if self._damaged is not None and self.line.damaged > self._damaged:
            raise self.wrong("frames alone, on a line that is good", "section 2, serial")
