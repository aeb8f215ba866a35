"""Decisions read from bytes: the same bytes are the same decisions, others are other ones. And a
text that is right, edited at places that the bytes choose: most of it stays right.

When the bytes are used up every decision is the first of its kind, and :attr:`Choices.more` says
that it is time to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")


class Choices:
    """Reads ``data`` from its beginning."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def more(self) -> bool:
        """Whether bytes are left."""
        return self._at < len(self._data)

    def byte(self) -> int:
        """0 to 255."""
        if self._at >= len(self._data):
            return 0
        self._at += 1
        return self._data[self._at - 1]

    def below(self, count: int) -> int:
        """0 to ``count`` - 1, of at most 65536."""
        number = self.byte()
        if count > 256:
            number = number << 8 | self.byte()
        return number % count

    def among(self, items: Sequence[Item]) -> Item:
        """One of them."""
        return items[self.below(len(items))]

    def chance(self, one_in: int) -> bool:
        """True once in that number of calls; False when the bytes are used up."""
        return self.more and self.below(one_in) == one_in - 1

    def raw(self, count: int) -> bytes:
        """The next bytes, as many as there are."""
        found = self._data[self._at : self._at + count]
        self._at += len(found)
        return found

    def number(self, bits: int) -> int:
        """A number of that many bits; those at its bounds come often."""
        most = (1 << bits) - 1
        match self.below(8):
            case 0:
                return self.below(4)
            case 1:
                return most - self.below(3)
            case 2:
                return (1 << (bits - 1)) + self.below(3) - 1
            case 3 | 4:
                return self.byte() & most
        return int.from_bytes(self.raw((bits + 7) // 8), "little") & most


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
