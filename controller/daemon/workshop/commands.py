"""The commands that a technician may have a device carry out in service, and how they are written.

A command is its name in the link protocol with its fields as ``NAME=NUMBER``; the text of a row
comes last: ``GATE unlocked=1 cards=0``, ``TEXT row=0 text=TEST OF ROW 1``. The numbers of offers
are not written: they are the table's to give.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.control.handler import BadCommand
from controller.table.state.entering import ROW_LENGTH
from drivers.api import Value
from drivers.vocabulary import DISPLAY, JACKPOT, KEYPAD, SHOE, SHUFFLER

TEXT: Final = "text"

_SHOW: Final = {"multiplier": 0xFFFF, "spin_ms": 5_000}

COMMANDS: Final[Mapping[str, Mapping[str, Mapping[str, int]]]] = {
    SHOE: {"GATE": {"unlocked": 1, "cards": 255}, "SIGNAL": {"colour": 3, "blink": 1}},
    SHUFFLER: {"START": {"set": 2}, "ABORT": {}},
    JACKPOT: {
        "ARM": {"box": 255},
        "DISARM": {},
        "SHOW": _SHOW,
        "BLANK": {},
        "TEST_PATTERN": {"pattern": 2},
        "METER": {},
    },
    KEYPAD: {"TEXT": {"row": 1, TEXT: ROW_LENGTH}, "LAMPS": {"lit": (1 << 32) - 1}},
    DISPLAY: {"SHOW": _SHOW, "BLANK": {}},
}
"""By kind of device: the commands, and for each of their fields the highest number; of a text the
number of characters. Sources: protocol section 5."""

NEW_OFFER: Final = frozenset({"ARM", "SHOW"})
"""Commands that take a number of an offer which was never used."""
SAME_OFFER: Final = frozenset({"DISARM"})
"""Commands that name the offer that was made last."""


def read_device_command(kind: str, text: str) -> tuple[str, dict[str, Value]]:
    """The command in ``text`` for a device of that kind: its name, and its fields without an offer.

    Raises:
        BadCommand: it cannot be read; the message says what was expected.
    """
    known = COMMANDS.get(kind, {})
    name, _, rest = text.strip().partition(" ")
    if name not in known:
        expected = ", ".join(known) or "none: a device of this kind is commanded nothing"
        raise BadCommand(f"{name[:40]!r} is no command of a {kind}: expected one of {expected}")
    form = " ".join([name, *(f"{field}=0..{most}" for field, most in known[name].items())])
    rest, has_text, row = rest.partition(f"{TEXT}=")
    fields: dict[str, Value] = {}
    for pair in rest.split():
        field, _, value = pair.partition("=")
        most = known[name].get(field, -1)
        if field in fields or not value.isascii() or not value.isdecimal() or len(value) > 10:
            raise BadCommand(f"{pair[:40]!r}: expected {form}")
        if int(value) > most:
            raise BadCommand(f"{pair!r}: expected {form}")
        fields[field] = int(value)
    if has_text:
        fields[TEXT] = row
    if set(fields) != set(known[name]):
        raise BadCommand(f"{text!r}: expected {form}")
    if has_text and (len(row) > ROW_LENGTH or not row.isascii() or not row.isprintable()):
        raise BadCommand(f"{row[:40]!r}: expected at most {ROW_LENGTH} characters of ASCII")
    return name, fields
