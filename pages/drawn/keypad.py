"""The keypad: every key with its word, its two rows and lamps while a hand is in turn.

Keys and words are the grammar's (:mod:`pages.table.keys`), the rows and lamps what
a table wants of it in that state. Where a maker puts the keys is his: the letters here stand in the
order of the grammar.
"""

from __future__ import annotations

from typing import Final

from controller.table.showing.status import status
from controller.table.showing.wanted import wants
from controller.table.showing.wants import HOLD_LAMP
from pages.drawn.svg import AMBER, EDGE, FAINT, INK, PAPER, RED, Drawing
from pages.table.keypad import KEYS, STATES, brought
from pages.table.keys import GRAMMAR

DIGITS: Final = ("789", "456", "123", ".0#")
OTHERWISE: Final = {"B": "box", "X": "list", ".": "owed", "#": "enter", "*": "undo"}
"""The words of keys that are no command by themselves."""
ACROSS, KEY_PX, GAP_PX = 6, 84, 8
LONG_WORD: Final = 11
"""Letters from which a word is written smaller, to fit its key."""


def word_of(key: str) -> str:
    """What a key is for, in a word."""
    if key in OTHERWISE:
        return OTHERWISE[key]
    for keys, command, _ in GRAMMAR:
        if keys.split()[0] == key and command:
            words = command.split("`")[1].split()
            return words[2] if words[0] == "wager" else words[0]
    return ""


def drawn() -> str:
    """The picture."""
    table = brought(STATES["turn"][1]).table
    shown, lamps = status(table), wants(table).lamps
    picture = Drawing(900, 560, "The dealer's keypad while a hand is in turn")
    picture.box(10, 10, 880, 540, fill="#d7dce1", round_px=18)
    picture.box(30, 30, 560, 84, fill="#10281c", edge=INK)
    for number, row in enumerate(shown["keypad"]):
        picture.words(50, 66 + 32 * number, row, size=24, colour="#9ff5b8", mono=True)
    for box in range(1, table.settings.boxes + 1):
        lit = bool(lamps & 1 << (box - 1))
        picture.circle(30 + 44 + 66 * (box - 1), 146, 12, fill="#ffd75f" if lit else FAINT)
        picture.words(30 + 44 + 66 * (box - 1), 178, f"box {box}", size=12, at="middle")
    picture.circle(560, 146, 12, fill=RED if lamps & HOLD_LAMP else FAINT)
    picture.words(560, 178, "HOLD", size=12, at="middle")
    letters = [key for key in KEYS if key.isalpha()]
    for number, key in enumerate(letters):
        down, across = divmod(number, ACROSS)
        _key(picture, 30 + across * (KEY_PX + GAP_PX), 200 + down * (KEY_PX - 2), key, word_of(key))
    for down, row in enumerate(DIGITS):
        for across, key in enumerate(row):
            place = (606 + across * (KEY_PX + GAP_PX), 200 + down * (KEY_PX - 2))
            _key(picture, *place, key, OTHERWISE.get(key, ""))
    _key(picture, 606 + 2 * (KEY_PX + GAP_PX), 118, "*", OTHERWISE["*"])
    picture.circle(650, 72, 34, fill=PAPER)
    picture.path("M650 48 V96", edge=AMBER, wide=8)
    picture.words(700, 66, "key switch", size=14, bold=True)
    picture.words(700, 86, "turned: supervisor", size=13, colour=EDGE)
    return picture.svg()


def _key(picture: Drawing, x: float, y: float, key: str, word: str) -> None:
    picture.box(x, y, KEY_PX, KEY_PX - 12)
    picture.words(x + KEY_PX / 2, y + 34, key, size=26, bold=True, at="middle")
    small = 12 if len(word) < LONG_WORD else 10
    picture.words(x + KEY_PX / 2, y + 58, word, size=small, colour=EDGE, at="middle")
