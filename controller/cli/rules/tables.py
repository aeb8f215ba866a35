"""Tables for people whose cells may be long: wrapped within their columns."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Sequence

GAP = "  "
INDENT = "  "
ROOM = 160
"""Columns of a page that no terminal shows."""


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int]
) -> Iterator[str]:
    """The lines of a table. A column is as wide as its widest line and at most its ``widths``, less
    where the terminal is narrower; a cell's own line breaks stay."""
    every = [[cell.split("\n") for cell in row] for row in (head, *rows)]
    actual = [
        min(most, max(len(line) for row in every for line in row[column]))
        for column, most in enumerate(widths[: len(head)])
    ]
    room = shutil.get_terminal_size((ROOM, 0)).columns - len(INDENT) - len(GAP) * (len(head) - 1)
    if 0 < room < sum(actual):
        actual = [max(8, width * room // sum(actual)) for width in actual]
    yield from _lines(every[0], actual)
    yield INDENT + GAP.join("-" * width for width in actual)
    for row in every[1:]:
        yield from _lines(row, actual)


def _lines(row: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    cells = [
        [part for line in cell for part in textwrap.wrap(line, width) or [""]]
        for cell, width in zip(row, widths, strict=True)
    ]
    for number in range(max(map(len, cells))):
        parts = [
            (cell[number] if number < len(cell) else "").ljust(width)
            for cell, width in zip(cells, widths, strict=True)
        ]
        yield (INDENT + GAP.join(parts)).rstrip()
