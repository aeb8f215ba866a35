"""A drawing as SVG text: boxes, lines and words at places in pixels; nothing in it from elsewhere.

The same calls give the same bytes.
"""

from __future__ import annotations

import textwrap
from html import escape
from typing import Final

FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"
MONO: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
INK, PAPER, FELT, EDGE = "#1b1f24", "#ffffff", "#1f6b45", "#57606a"
RED, AMBER, BLUE, FAINT = "#b00020", "#b7791f", "#0b5cad", "#eef1f4"
LINE_PX: Final = 1.35
"""Height of a line of words, in sizes of its letters."""


class Drawing:
    """A drawing of ``width`` by ``height``, with what it shows in words for who cannot see it."""

    def __init__(self, width: int, height: int, about: str) -> None:
        self._width, self._height, self._about = width, height, about
        self._parts: list[str] = []

    def box(
        self, x: float, y: float, width: float, height: float, *,
        fill: str = PAPER, edge: str = EDGE, round_px: float = 6,
    ) -> None:  # fmt: skip
        """A box with its upper left corner at (x, y)."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_px:g}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        )

    def circle(self, x: float, y: float, radius: float, *, fill: str, edge: str = EDGE) -> None:
        """A circle around (x, y)."""
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" '
            'stroke-width="1.5"/>'
        )

    def path(self, steps: str, *, edge: str = EDGE, fill: str = "none", wide: float = 2) -> None:
        """A line as SVG writes it."""
        self._parts.append(
            f'<path d="{steps}" fill="{fill}" stroke="{edge}" stroke-width="{wide:g}"/>'
        )

    def words(
        self, x: float, y: float, text: str, *,
        size: int = 14, colour: str = INK, bold: bool = False, mono: bool = False,
        at: str = "start", wide: int = 0,
    ) -> float:  # fmt: skip
        """Words from (x, y), their first line's foot; ``at``: start, middle or end; ``wide``:
        characters in a line. The y at which the next line would stand."""
        lines = textwrap.wrap(text, wide) if wide else [text]
        for number, line in enumerate(lines):
            self._parts.append(
                f'<text x="{x:g}" y="{y + number * size * LINE_PX:g}" font-size="{size}" '
                f'font-family="{MONO if mono else FONT}" fill="{colour}" text-anchor="{at}"'
                f"{' font-weight=' + chr(34) + 'bold' + chr(34) if bold else ''} "
                f'xml:space="preserve">{escape(line, quote=False)}</text>'
            )
        return y + len(lines) * size * LINE_PX

    def svg(self) -> str:
        """The whole of it."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {self._height}" '
            f'role="img"><title>{escape(self._about)}</title>'
        )
        paper = f'<rect width="{self._width}" height="{self._height}" fill="{PAPER}"/>'
        return "\n".join([head, paper, *self._parts, "</svg>", ""])
