"""The dealer's keypad: keys are collected until they form a command.

``*`` clears the keys pressed so far, a refusal or a page of what is owed; without any, it takes the
last command back.
``B`` chooses the box (with ``.2`` or ``.3`` the standing bettor b or c, with ``.4`` to ``.8`` a
person outside the box, d to h) that wagers, insurance and surrender are for; it stays chosen until
another is, or a card comes. Keys pressed while a command waits for the gate are kept and processed
after it. The letters of commands are in :mod:`controller.game.commands.verbs`, what keys make of
them in :mod:`~.keyed`.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import Seat
from controller.game.commands.verbs import VERBS
from controller.table.entering import keyed, menus
from controller.table.entering.menus import AMOUNT_KEYS, LONGEST
from controller.table.events.of_devices import KeyPressed
from controller.table.state.table import Table

_LETTERS: Final = {row.key for row in VERBS.values() if row.key[:1].isalpha()}
PUT_RIGHT: Final = frozenset("XR")
"""Keys that put something right, some of them by a list (:mod:`~.menus`)."""
COLLECTING: Final = frozenset("BPJ").union(key[0] for key in _LETTERS if key.endswith("#"))
AT_ONCE: Final = frozenset(key for key in _LETTERS if len(key) == 1) - PUT_RIGHT
READS: Final = "."
MOST_WAITING: Final = 20


def key(table: Table, event: KeyPressed) -> None:
    """A key was pressed."""
    pressed, supervisor = event.key, bool(event.supervisor)
    pad = table.entering.keypad
    if table.entering.pending is None:
        _process(table, pressed, supervisor)
    elif table.devices["shoe"].trouble() or len(pad.waiting) == MOST_WAITING:
        pad.says = "NO: WAIT FOR SHOE"
    else:
        pad.waiting.append((pressed, supervisor))


def work_off(table: Table) -> None:
    """Process the keys pressed while a command waited."""
    pad = table.entering.keypad
    while pad.waiting and table.entering.pending is None:
        _process(table, *pad.waiting.pop(0))


def _process(table: Table, pressed: str, supervisor: bool) -> None:
    """Process one key: collect it, or make a command of the keys so far."""
    pad = table.entering.keypad
    refused, pad.says = pad.has_refused, ""
    page, pad.page = pad.page, 0
    if menu := menus.open_menu(table):
        if pressed in menus.KEYS:
            menus.press(table, pressed, supervisor=supervisor)
            return
        if menus.keeps(menu, pressed):
            pad.says = "NO: * LEAVES IT"
            return
    pad.leave_menu()
    if pressed == "*":
        if pad.keyed:
            pad.seat = None if pad.keyed.startswith("B") else pad.seat
            pad.keyed = ""
        elif not refused and not page:
            keyed.take_back(table)  # else it was meant to clear the refusal or page, and has
    elif pressed == "#" or pressed in AT_ONCE or pressed in PUT_RIGHT:
        before, pad.keyed = pad.keyed, ""
        keyed.act(table, pressed, before, supervisor)
    elif pressed == "B" and pad.keyed.startswith("I"):
        pad.keyed += pressed
    elif pressed in COLLECTING:
        pad.keyed = pressed
    elif pressed not in AMOUNT_KEYS:
        pad.says = "NO: UNKNOWN KEY"
    elif pressed == READS and not pad.keyed:
        _read_on(table, page)
    elif not pad.keyed:
        pad.says = "NO: LETTER FIRST"
    elif len(pad.keyed) < LONGEST:
        pad.keyed += pressed
        _box_chosen(table)
    else:
        pad.says = "NO: TOO LONG"


def _read_on(table: Table, page: int) -> None:
    """Show the next page of what is owed; behind the last one, what is awaited again."""
    pad = table.entering.keypad
    if not (pages := table.dealing.owed_pages()):
        pad.says = "NO: NOTHING OWED"
    else:
        pad.page = page + 1 if page < len(pages) else 0


def _box_chosen(table: Table) -> None:
    """``B`` and a digit choose the box at once; a bettor may follow."""
    pad = table.entering.keypad
    if pad.keyed[0] != "B":
        return
    digits = pad.keyed[1:]
    if len(digits) == 1 and digits.isdecimal() and 1 <= int(digits) <= table.settings.boxes:
        pad.seat = Seat(int(digits))
    elif len(digits) == 3 and digits[2] in keyed.KEYED_BETTORS:
        pad.seat = keyed.seat_of(digits)
        pad.keyed = ""
    elif not (len(digits) == 2 and digits[1] == "."):
        pad.keyed, pad.seat = "", None
        pad.says = "NO: NO SUCH BOX"
