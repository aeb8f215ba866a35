"""Lines of a screen, before there is a terminal: pieces of text, each with a look.

The rules:

- A look is only ever added to words or signs that say the same without it: a screen without colour
  loses nothing.
- Text that came from outside is made harmless where a piece is made, and never read as markup.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from drivers.printable import printable

Look = Literal["", "strong", "faint", "alarm", "warning", "good", "title", "meter", "pay"]


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    look: Look = ""


Line = tuple[Span, ...]

EMPTY: Final[Line] = ()
GAP: Final = 2
"""Columns between what stands side by side."""
_ASCII: Final = str.maketrans("─▶·…♣♦♥♠", "->-~CDHS")
"""What a terminal that is not UTF-8 gets for the signs that are used here."""


def span(text: object, look: Look = "") -> Span:
    """A piece of one line, harmless."""
    return Span(printable(str(text)), look)


def line(*pieces: Span | str) -> Line:
    """A line of pieces; plain text has no look."""
    return tuple(span(one) if type(one) is str else Span(*one) for one in pieces)


def text_of(one: Line) -> str:
    """The line without looks."""
    return "".join(piece.text for piece in one)


def width_of(one: Line) -> int:
    """Columns that the line takes."""
    return sum(len(piece.text) for piece in one)


def clipped(one: Line, width: int) -> Line:
    """The line in ``width`` columns; what is cut ends in ``…``."""
    if width_of(one) <= width:
        return one
    kept: list[Span] = []
    left = max(0, width - 1)
    for piece in one:
        kept.append(Span(piece.text[:left], piece.look))
        left = max(0, left - len(piece.text))
    shown = [piece for piece in kept if piece.text]
    look: Look = shown[-1].look if shown else ""
    return (*shown, Span("…"[:width], look))


def padded(one: Line, width: int, look: Look = "") -> Line:
    """The line in exactly ``width`` columns."""
    cut = clipped(one, width)
    return (*cut, Span(" " * (width - width_of(cut)), look))


def apart(left: Line, right: Line, width: int) -> Line:
    """One at the left edge, one at the right; the left one is cut where both do not fit."""
    room = width - width_of(right) - 1
    return (*padded(left, max(0, room)), Span(" "), *right) if room > 0 else clipped(right, width)


def rule(title: str, width: int, right: str = "") -> Line:
    """A line across with a title in it."""
    head = f"── {printable(title)} " if title else ""
    tail = f" {printable(right)} ──" if right else ""
    fill = "─" * max(0, width - len(head) - len(tail))
    return clipped((Span(head, "title"), Span(fill, "faint"), Span(tail, "title")), width)


def wrapped(
    text: str, width: int, look: Look = "", *, first: str = "", indent: str = "", most: int = 99
) -> list[Line]:
    """The text in lines of ``width``, ``most`` of them; the last then ends in ``…``."""
    lines = textwrap.wrap(
        printable(text), max(8, width), initial_indent=first, subsequent_indent=indent or first
    )
    shown: list[Line] = [(Span(one, look),) for one in lines[:most]]
    if len(lines) > most:
        shown[-1] = clipped((Span(f"{lines[most - 1]} {lines[most]}", look),), width)
    return shown


def half(width: int) -> int:
    """The columns of the left one of two columns of lines."""
    return (width - GAP) // 2


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Two columns of lines."""
    rows = max(len(left), len(right))
    both = zip(_filled(left, rows), _filled(right, rows), strict=True)
    rest = width - half(width) - GAP
    return [(*padded(a, half(width)), Span(" " * GAP), *clipped(b, rest)) for a, b in both]


def _filled(lines: Sequence[Line], rows: int) -> list[Line]:
    return [*lines, *[EMPTY] * (rows - len(lines))]


def in_ascii(lines: Iterable[Line]) -> list[Line]:
    """The lines for a terminal that shows no others."""
    return [tuple(Span(piece.text.translate(_ASCII), piece.look) for piece in one) for one in lines]
