"""The keypad's two rows while a list or question is open: the choice with its number, its clause
and its place in the list; or what is asked."""

from __future__ import annotations

from typing import Final

from controller.table.entering import choices
from controller.table.state.entering import ROW_LENGTH, Menu
from controller.table.state.table import Table

QUESTIONS: Final = {
    "BOX": "box ?",
    "AMOUNT": "sum ?",
    "CARD": "rank.suit? 1C2D3H4S",
    "PLACE": "box? 0 dealer . none",
}
"""The second row where a value is keyed."""


def menu_rows(table: Table, menu: Menu) -> tuple[str, str]:
    """The rows; the second one shows the keys so far, or a refusal, if there are any."""
    pad = table.entering.keypad
    said = pad.says or pad.keyed
    if not menu.choices:
        card = choices.card_meant(table, menu.words, supervisor=menu.supervisor)
        return f"{choices.label_of(menu.words)}{card}:", said or QUESTIONS[menu.asked]
    shown = menu.choices[menu.at]
    place = f"{menu.at + 1}/{len(menu.choices)}"
    room = ROW_LENGTH - len(place) - 1
    return f"{shown.number} {shown.label}", said or f"{shown.clause[:room]:<{room}} {place}"
