"""The strategy of a document and decks as a card: an SVG to print on one page."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final
from xml.sax.saxutils import escape

from figures.kernel.choices import BUY, BUY_LITTLE, DOUBLE, SPLIT, STAND, SURRENDER
from figures.strategy.charts import (
    BUY_OR_STAND,
    FOOTNOTES,
    LETTERS,
    LITTLE_OR_STAND,
    ORDER,
    WORDS,
    Cell,
    Chart,
    HandRow,
    chart_of,
    departure_text,
    name_of,
)
from figures.strategy.solving import DocumentStrategy

WIDTH: Final = 720
LEFT: Final = 122
TOP: Final = 92
HIGH: Final = 18
LETTERS_WIDE: Final = 120
"""Of a line below the table."""
WIDE: Final = (WIDTH - LEFT - 20) // len(ORDER)
FILLS: Final = {
    STAND: "#d4d4d4",
    DOUBLE: "#f0f0f0",
    SPLIT: "#e2e2e2",
    BUY_OR_STAND: "#f0f0f0",
    BUY: "#f0f0f0",
    LITTLE_OR_STAND: "#f8f8f8",
    BUY_LITTLE: "#f8f8f8",
    SURRENDER: "#b8b8b8",
}
"""Greys that black letters stay legible on; a hit has none."""
KINDS: Final = {"hard": "Hard", "soft": "Soft", "pair": "Pair of"}


def svg_of(strategy: DocumentStrategy, made_by: Sequence[str] = ()) -> str:
    """The card: black and greys on white, with the fonts of whoever shows it. ``made_by`` are lines
    at its foot that say what gives it again."""
    chart = chart_of(strategy)
    notes = _notes(strategy, chart)
    notes += [part for line in made_by for part in wrap(line, LETTERS_WIDE)]
    lines = len(chart.rows) + bool(chart.withdraws)
    height = TOP + HIGH * lines + 24 + 14 * len(notes)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
            f' viewBox="0 0 {WIDTH} {height}" fill="#000"'
            ' font-family="Helvetica, Arial, sans-serif">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        _text(10, 26, _title(strategy), size=18, bold=True),
        _text(10, 46, _worth(strategy), size=12),
        _text(10, TOP - 24, "Hand", size=12, bold=True),
        _text(LEFT, TOP - 24, "Dealer's first card", size=12, bold=True),
    ]
    for column, value in enumerate(ORDER):
        parts.append(
            _text(LEFT + WIDE * column + WIDE // 2, TOP - 6, name_of(value), bold=True, middle=True)
        )
    for place, row in enumerate(chart.rows):
        parts += _row(TOP + HIGH * place, row)
    if chart.withdraws:
        below = TOP + HIGH * len(chart.rows)
        parts.append(_text(10, below + 14, "Withdraw up to", bold=True))
        for column, total in enumerate(chart.withdraws):
            middle = LEFT + WIDE * column + WIDE // 2
            parts.append(_box(LEFT + WIDE * column, below, "#fff"))
            parts.append(_text(middle, below + 14, str(total or "–"), middle=True))
    bottom = TOP + HIGH * lines + 20
    parts += [_text(10, bottom + 14 * place, note, size=10) for place, note in enumerate(notes)]
    return "\n".join([*parts, "</svg>", ""])


def _title(strategy: DocumentStrategy) -> str:
    title = f"{strategy.rules.document.title}, {strategy.decks} decks"
    if little := strategy.model.little:
        title += f", smallest buy {little:.3g} of the stake"
    return title


def _worth(strategy: DocumentStrategy) -> str:
    printed, best = strategy.printed, strategy.best
    return (
        f"House edge {-100 * printed.total:.3f} % of the wager before the deal (standard error"
        f" {100 * printed.error:.3f}); against the best play {-100 * best.total:.3f} %."
    )


def _notes(strategy: DocumentStrategy, chart: Chart) -> list[str]:
    """The legend, and the departures that are worth most."""
    used = {cell.first for row in chart.rows for cell in row.cells}
    used |= {choice for row in chart.rows for cell in row.cells for _, choice in cell.then}
    legend = ", ".join(f"{LETTERS[choice]} {WORDS[choice]}" for choice in LETTERS if choice in used)
    legend += ". S5H: stand, with five cards or more hit. 10: all that count 10."
    notes = wrap(legend, LETTERS_WIDE)
    if chart.withdraws:
        notes.append("Withdraw: take the doubled part back from a hand of that total or less.")
    shown = strategy.departures[:FOOTNOTES]
    rest = strategy.departures[FOOTNOTES:]
    if shown:
        all_worth = sum(departure.worth for departure in strategy.departures)
        notes.append(
            "First decisions that depend on the cards,"
            f" worth {100 * all_worth:.4f} % of the wager in all:"
        )
        notes += [departure_text(departure) for departure in shown]
    if rest:
        notes.append(
            f"{len(rest)} more, worth {100 * sum(one.worth for one in rest):.4f} % together."
        )
    return notes


def _row(top: int, row: HandRow) -> list[str]:
    parts = [_text(10, top + 14, f"{KINDS[row.kind]} {row.name}", bold=True)]
    for column, cell in enumerate(row.cells):
        left = LEFT + WIDE * column
        parts.append(_box(left, top, FILLS.get(cell.first, "#fff")))
        parts.append(_cell(left + WIDE // 2, top + 14, cell))
    return parts


def _cell(middle: int, base: int, cell: Cell) -> str:
    then = str(cell)[1:]
    small = f'<tspan font-size="9" font-weight="normal">{then}</tspan>' if then else ""
    return (
        f'<text x="{middle}" y="{base}" font-size="12" font-weight="bold" text-anchor="middle">'
        f"{LETTERS[cell.first]}{small}</text>"
    )


def _box(left: int, top: int, fill: str) -> str:
    return (
        f'<rect x="{left}" y="{top}" width="{WIDE}" height="{HIGH}" fill="{fill}"'
        ' stroke="#000" stroke-width="0.5"/>'
    )


def _text(
    x: int, y: int, text: str, *, size: int = 12, bold: bool = False, middle: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    anchor = ' text-anchor="middle"' if middle else ""
    return f'<text x="{x}" y="{y}" font-size="{size}"{weight}{anchor}>{escape(text)}</text>'
