"""The hands where they lie on the table, as the dealer sees them: box 1 at his left, the boxes on
an arc, his own hand before him. A place at which nobody plays stays free.

Cards here have the signs of their suits; what is typed has letters.
"""

from __future__ import annotations

from typing import Final

from controller.cli.live.spans import EMPTY, Line, Look, Span, padded, span, wrapped
from controller.game.rules.cards import suited
from controller.table.showing.status_fields import ShownBox, Status

NARROWEST: Final = 9
"""Columns of a place: two cards and a total, or three cards."""
WIDEST: Final = 18
DEEP: Final = 2
"""Lines by which the outermost boxes lie nearer to the dealer than the middle one."""


def felt(state: Status, width: int) -> list[Line]:
    """The table in lines of ``width``; none where there are no hands, or no room for its places."""
    boxes = state.get("boxes", {})
    if not any(box.get("hands") for box in boxes.values()):
        return []
    places = max(state.get("places", 0), *map(int, boxes))
    wide = min(WIDEST, width // places)
    if wide < NARROWEST:
        return []
    turn = state.get("turn") or {}
    columns = []
    for number in range(1, places + 1):
        mine = turn.get("hand", 0) if turn.get("box") == number else 0
        place = _place(number, boxes.get(str(number)), wide - 1, mine)
        columns.append([*[EMPTY] * _depth(number, places), *place])
    left = (width - wide * places) // 2
    lines: list[Line] = []
    for at in range(max(map(len, columns))):
        row = [padded(column[at] if at < len(column) else EMPTY, wide) for column in columns]
        lines.append((Span(" " * left), *(piece for cell in row for piece in cell)))
    return [*lines, _dealer(state, width)]


def _depth(number: int, places: int) -> int:
    middle = (places + 1) / 2
    return round(DEEP * ((number - middle) / (middle - 1)) ** 2) if places > 1 else 0


def _place(number: int, box: ShownBox | None, wide: int, mine: int) -> list[Line]:
    """``mine``: the hand in turn, 0 for none."""
    hands = (box or {}).get("hands", [])
    name = f"{'▶' if mine else ' '}{number}"
    if not hands:
        return [(span(name, "faint"),)]
    lines: list[Line] = [(span(name, "title"),)]
    for index, hand in enumerate(hands, 1):
        look: Look = "strong" if index == mine else ""
        cards = wrapped(suited(hand["cards"]) or "-", wide - 1, look, first=" ")
        total = str(hand["total"] or "")
        if total and sum(len(piece.text) for piece in cards[-1]) + 1 + len(total) <= wide:
            cards[-1] = (*cards[-1], span(f" {total}", "good"))
        elif total:
            cards.append((span(f"  {total}", "good"),))
        lines += cards
    return lines


def _dealer(state: Status, width: int) -> Line:
    dealer = state.get("dealer")
    cards = suited(dealer["cards"]) if dealer else ""
    total = str(dealer["total"] or "") if dealer else ""
    said = f"dealer {cards or '-'}"
    left = max(0, (width - len(said) - len(total) - 1) // 2)
    return (Span(" " * left), span(said, "title"), span(f" {total}".rstrip(), "good"))
