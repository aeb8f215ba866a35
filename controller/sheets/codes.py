"""QR codes for a terminal and for a page; who only names a code does without this library."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from itertools import groupby
from typing import Final

import segno

QUIET: Final = 4
"""Light modules around a code."""


def as_picture(text: str) -> tuple[int, str]:
    """The text as a QR code, of the size that it needs with the weakest correction: its side in
    modules, and the dark ones as the path of a line one module wide."""
    rows = list(segno.make(text, error="l", micro=False).matrix_iter(border=QUIET))
    return len(rows), "".join(_line(y, row) for y, row in enumerate(rows))


def _line(y: int, row: Iterable[int]) -> str:
    x, found = 0, []
    for dark, run in groupby(row):
        width = len(list(run))
        if dark:
            found.append(f"M{x} {y}.5h{width}")
        x += width
    return "".join(found)


def as_svg(text: str) -> str:
    """The text as a QR code: an ``svg`` element that takes the room it is given."""
    side, dark = as_picture(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path stroke="#000" d="{dark}"/></svg>'
    )


def as_blocks(text: str) -> str:
    """The text as a QR code of half blocks, for a terminal."""
    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
