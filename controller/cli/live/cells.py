"""The boxes as they lie on the table, side by side; where they do not fit, on pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from controller.cli.live.spans import (
    EMPTY,
    GAP,
    Line,
    Look,
    Span,
    clipped,
    padded,
    rule,
    span,
    wrapped,
)
from controller.game.rules.cards import suited
from controller.table.showing.layout import beside, insured, marks, on_hand, plain_amount, sums
from controller.table.showing.status_fields import ShownBox, Status

NARROWEST: Final = 25
"""Columns in which a hand of six cards with its total has room."""

HARD: Final = "\N{NO-BREAK SPACE}"
"""A wager and its amount stay on one line."""

Cell = list[Line]


class PageOfBoxes(NamedTuple):
    """One page of boxes: its lines, the first and last box on it, its number from 0, of how many;
    ``cut``: how many lines of the boxes found no room; ``brief``: sums stand for wagers."""

    lines: list[Line]
    first: str
    last: str
    number: int
    of: int
    cut: int = 0
    brief: bool = False


def page_of_boxes(state: Status, width: int, height: int, wanted: int | None = None) -> PageOfBoxes:
    """The boxes within ``width`` and ``height``; ``wanted`` is the page, cut to those there are.
    None: that with the box in turn, else with the one at the jackpot.

    So many stand side by side that nothing is cut, then the fewest pages are needed, then the
    fewest lines. Where that cannot be, sums stand for wagers; what is cut all the same says so.
    """
    boxes = state.get("boxes", {})
    height = max(2, height)
    if not boxes:
        return PageOfBoxes([], "", "", 0, 1)
    ways = [*_ways(state, width, height, brief=False)]
    brief = all(way.over for way in ways)
    if brief:
        ways += _ways(state, width, height, brief=True)
    best = min(ways, key=lambda way: (way.over, len(way.pages), way.lines))
    over, across, pages, of = best.over, best.across, best.pages, len(best.pages)
    numbers = list(boxes)
    if wanted is None:
        turn = str((state.get("turn") or state.get("meter") or state.get("offer") or {}).get("box"))
        wanted = _page_with(numbers.index(turn) // across if turn in numbers else 0, pages)
    number = min(max(0, wanted), of - 1)
    begin = sum(len(page) for page in pages[:number]) * across
    end = min(len(numbers), begin + len(pages[number]) * across)
    lines = [one for row in pages[number] for one in row]
    return PageOfBoxes(lines, numbers[begin], numbers[end - 1], number, of, over, brief)


class _Way(NamedTuple):
    """A way to lay them out: how many lines are cut, the lines of the longest page, how many boxes
    side by side, rows of lines by page."""

    over: int
    lines: int
    across: int
    pages: list[list[list[Line]]]


def _ways(state: Status, width: int, height: int, *, brief: bool) -> Iterator[_Way]:
    boxes = state.get("boxes", {})
    for across in range(max(1, min(len(boxes), (width + GAP) // (NARROWEST + GAP))), 0, -1):
        wide = (width - GAP * (across - 1)) // across
        cells = [list(_cell(state, number, box, wide, brief)) for number, box in boxes.items()]
        rows = [_row([_cut(cell, height) for cell in some], wide) for some in _rows(cells, across)]
        pages = _pages(rows, height)
        over = sum(max(0, len(cell) - height) for cell in cells)
        yield _Way(over, max(sum(map(len, page)) for page in pages), across, pages)


def _cut(cell: Cell, height: int) -> Cell:
    if len(cell) <= height:
        return cell
    return [*cell[: height - 1], (Span(f"  … {len(cell) - height + 1} lines more", "warning"),)]


def _pages(rows: Sequence[list[Line]], height: int) -> list[list[list[Line]]]:
    """Rows put on pages, in order; a row that is too high has a page of its own."""
    pages: list[list[list[Line]]] = [[]]
    for row in rows:
        if pages[-1] and sum(map(len, pages[-1])) + len(row) > height:
            pages.append([])
        pages[-1].append(row)
    return pages


def _page_with(row: int, pages: Sequence[Sequence[object]]) -> int:
    return sum(behind <= row for behind in accumulate(map(len, pages)))


def _rows(cells: Sequence[Cell], across: int) -> Iterator[Sequence[Cell]]:
    for first in range(0, len(cells), across):
        yield cells[first : first + across]


def _row(cells: Sequence[Cell], width: int) -> list[Line]:
    """Cells side by side, each of that width."""
    lines = []
    for at in range(max(map(len, cells))):
        pieces: list[Span] = []
        for number, cell in enumerate(cells):
            gap = Span(" " * GAP) if number else Span("")
            pieces += [gap, *padded(cell[at] if at < len(cell) else EMPTY, width)]
        lines.append(tuple(pieces))
    return lines


def _cell(state: Status, number: str, box: ShownBox, width: int, brief: bool) -> Iterator[Line]:
    turn = state.get("turn") or {}
    here = turn.get("box") == int(number)
    head = rule(f"box {number}", width)
    yield rule(f"▶ box {number}: TURN", width) if here else head
    hands = box.get("hands", [])
    for index, hand in enumerate(hands, 1):
        mine = here and turn.get("hand") == index
        mark = "▶" if mine else " "
        look: Look = "strong" if mine else ""
        total = str(hand["total"] or "")
        cards = wrapped(suited(hand["cards"]) or "no card yet", width - 3 - len(total), look)
        for at, cut in enumerate(cards):
            figure = total if at == 0 else ""
            sign = Span(f"{mark if at == 0 else ' '} ", look)
            yield (sign, *padded(cut, width - 2 - len(figure)), Span(figure, "strong"))
        for bettor, placed in () if brief else on_hand(hand).items():
            yield from _wagers(bettor, placed, width)
        if told := marks(hand):
            yield from wrapped(told, width, "faint", first="  ", indent="    ")
    if not hands:
        yield (Span("  no card yet", "faint"),)
    if brief:
        yield from wrapped("; ".join(sums(box)), width, first="  ", indent="    ")
    for bettor, placed in () if brief else beside(box).items():
        yield from _wagers(bettor, placed, width)
    for taken in () if brief else insured(box):
        yield from wrapped(taken, width, first="  ", indent="    ")
    for bettor, placed in box.get("returned", {}).items():
        yield from _wagers(f"{bettor} given back:", placed, width)
    if away := box.get("absent"):
        yield clipped((span(f"  not there: {', '.join(away)}", "warning"),), width)
    if int(number) in state.get("squeezed", []):
        yield clipped((span("  cards face down"),), width)


def _wagers(bettor: str, placed: dict[str, str | None], width: int) -> Iterator[Line]:
    told = ", ".join(f"{kind}{HARD}{plain_amount(amount)}" for kind, amount in placed.items())
    for one in wrapped(f"{bettor}{HARD}{told}", width, first="  ", indent="    "):
        yield (Span(one[0].text.replace(HARD, " ")),)
