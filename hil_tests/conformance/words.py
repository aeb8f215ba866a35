"""What went over the line, in words: for whoever reads that a check does not hold.

A message is told by its name and fields, ``GATE unlocked=1 cards=1``; a refusal by what its code
means; what is no message by its bytes and why it is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from drivers.api import Value
from drivers.table_link.messages import NAK, SPECS, DroppedError, Message, Role, decode

CODES: Final = {
    1: "unknown type",
    2: "bad body",
    3: "not in this state",
    4: "busy",
    5: "hardware fault",
    6: "HELLO first",
}
DOCUMENT: Final = "Table Link v1"
SHOWN_BYTES: Final = 64
BEFORE_IT: Final = "the last event before it took effect"
"""What the answers to GATE and DISARM name."""


LINES_KEPT: Final = 6


class Talk:
    """What was said and heard last, a line each: what a person needs who reads of a failure. What
    comes several times, one behind the other, is one line."""

    def __init__(self) -> None:
        self._lines: deque[tuple[str, int]] = deque(maxlen=LINES_KEPT)

    def add(self, line: str) -> None:
        """It was said, or heard."""
        times = 1
        if self._lines and self._lines[-1][0] == line:
            times += self._lines.pop()[1]
        self._lines.append((line, times))

    def clear(self) -> None:
        """What comes now has nothing to do with it."""
        self._lines.clear()

    def lines(self) -> list[str]:
        """The lines, oldest first."""
        return [line if times == 1 else f"{line}, {times} times" for line, times in self._lines]


def message_told(message: Message) -> str:
    """The message, its fields by their names."""
    if message.type == NAK:
        code, refused = int(str(message.fields["code"])), int(str(message.fields["refused"]))
        return f"NAK {code} ({CODES.get(code, 'no such code')}) for {_name(refused)}"
    fields = "".join(f" {name}={_value(value)}" for name, value in message.fields.items())
    return f"{'answer to ' if _answers(message) else ''}{message.name}{fields}"


def payload_told(payload: bytes) -> str:
    """A payload that is sent: as a message where it is one."""
    try:
        return message_told(decode(payload))
    except DroppedError as dropped:
        shown = payload[:SHOWN_BYTES].hex()
        return f"{len(payload)} bytes {shown}, which are no message ({dropped})"


def failure(section: str, wanted: str, talk: Sequence[str]) -> str:
    """Why a check does not hold: what is expected, what was sent and came back before, where the
    document asks for it."""
    lines = [f"expected: {wanted}", *(f"  {line}" for line in talk)]
    return "\n".join([*lines, f"asked for by: {DOCUMENT}, {section or 'no section of its own'}"])


def _name(number: int) -> str:
    return SPECS[number].name if number in SPECS else f"type {number:#04x}"


def _answers(message: Message) -> bool:
    return SPECS[message.type].role is Role.ANSWER


def _value(value: Value) -> str:
    return repr(value) if isinstance(value, str) else str(value)
