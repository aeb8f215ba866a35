"""A text that is right, edited at places that the bytes choose: most of it stays right.

Raw mutation of a text seldom gets past the first thing that reads it. Where the first byte says so
the rest is taken as the text itself all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from proof.fuzzing.choices import Choices

RAW: Final = 7
"""A first byte of this, modulo 8: what follows is the text."""

HOSTILE: Final = (
    *("0", "1", "-1", "2", "7", "8", "3.5", "1e400", "-0.0", "nan", "inf", "true", "null"),
    *("9" * 400, "1_000", "0x10", '""', '"x"', '"\\u0000"', '"\\u001b[2J"', '"../.."', '"/"'),
    *(f'"{"y" * 3000}"', "[]", "[[]]", "{}", "[1, 2]", "2026-11-20", '"\\ud800"', '"\u0663"'),
)
"""Values in TOML or JSON that nobody expects."""


def edited(choices: Choices, text: str, parts: Sequence[str], *, by: str = "\n") -> str:
    """``text``, cut into pieces ``by`` a separator, with some of them changed: values replaced by
    ``parts``, pieces left out, doubled, exchanged, or characters of the bytes' own."""
    pieces = text.split(by)
    for _ in range(choices.below(4) + 1):
        at = choices.below(len(pieces))
        match choices.below(8):
            case 0:
                del pieces[at : at + 1]
            case 1:
                pieces.insert(at, pieces[choices.below(len(pieces))])
            case 2:
                other = choices.below(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces[at] = choices.raw(choices.below(24)).decode("utf-8", "replace")
            case 4:
                where = choices.below(len(pieces[at]) + 1)
                said = choices.raw(choices.below(4)).decode("latin-1")
                pieces[at] = pieces[at][:where] + said + pieces[at][where:]
            case _:
                pieces[at] = _other_value(choices, pieces[at], choices.among(parts))
        if not pieces:
            return ""
    return by.join(pieces)


def _other_value(choices: Choices, piece: str, value: str) -> str:
    """What stands behind the first ``=`` or ``:``, or all of it, is another value."""
    for sign in ("value =", "=", ":"):
        head, found, tail = piece.partition(sign)
        if found:
            comma, ended, rest = tail.partition(",")
            kept = ended + rest if ended and choices.below(4) else ""
            return f"{head}{found} {value}{kept}" if comma else piece
    return value


def text_of(data: bytes, base: Sequence[str], parts: Sequence[str], by: str) -> bytes:
    """The text that bytes stand for, as it is read from a file."""
    choices = Choices(data)
    if choices.byte() % 8 == RAW:
        return choices.raw(1 << 20)
    return edited(choices, choices.among(base), parts, by=by).encode("utf-8", "surrogatepass")
