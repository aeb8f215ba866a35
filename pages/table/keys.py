"""Write the holds and the keypad's grammar into the supervisor's page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.faults.catalogue import CATALOGUE
from controller.game.rules.cases import TRIGGERS
from controller.table.state.entering import ROW_LENGTH
from pages.generated import between, heads

GRAMMAR: Final = (
    ("O", "`open`", "open bets; after a round it clears the table too"),
    ("N", "`close`", "no more bets; the second row counts boxes and side wagers"),
    ("B 3", "", "choose box 3; `B 3 . 2` its bettor b, `B 3 . 3` its bettor c"),
    ("B 3 . 4", "", "a person outside box 3: d, and so on to `B 3 . 8`, h"),
    ("M 50 #", "`wager 3 main 50`", "`M #` without an amount, `M 0 #` takes it out"),
    ("P 5 #", "`wager 3 pair 5`", "also `P #`, `P 0 #`; the side wager whose key is `P`"),
    (
        "J 5 #",
        "`wager 3 pandemonium 5`",
        "the side wager whose key is `J`: the bonus wager where that is played instead",
    ),
    ("I 25 #", "`insure 3 25`", "`I #`: half of the wager"),
    ("I 25 B 1 #", "`insure 3@1 25`", "what box 1 declined, taken up by the box chosen"),
    ("U #", "`surrender 3`", "`#` says that it is meant"),
    ("S", "`stand`", "the hand in turn"),
    ("D 50 #", "`double`", "the hand in turn; `D #`: as much as the wager"),
    ("Y 20 #", "`buy`", "the hand in turn buys a card; `Y #`: for as much as the wager"),
    ("L", "`split`", "the hand in turn"),
    ("B 3 . 2 L", "`follow 3b`", "after a split: b adds to the new hand"),
    ("B 3 . 2 A 2 #", "`place 3b 2`", "after a split: b's single wager stays on hand 2"),
    ("B 3 . 2 D 50 #", "`double 3b 50`", "after a double: b doubles too"),
    ("W", "`withdraw`", "the doubled part; for a standing bettor choose him first"),
    ("A 4 #", "`nominate … 4`", "who presses instead; `A 4 . 2 #` bettor b; `A #` staff"),
    ("A 0 #", "`absent`", "who decides for the hand in turn is not there"),
    ("B 3 F", "`squeeze 3`", "before the cards: box 3 is dealt face down; once more takes it back"),
    ("F", "`reveal`", "the box that is named turns its cards; `B 3 F`: box 3"),
    ("F", "", "says who has the button"),
    (
        ".",
        "",
        "reads what is owed, page by page, what is due at each box now, and the round so far",
    ),
    ("E", "`done` or `next`", "offers, withdrawal, a multiplier paid, a round cleared"),
    ("E", "`burn` or `inspected`", "the first card of a new shoe, a closed table's cards"),
    (
        "*",
        "`undo`",
        "clears what was keyed, a refusal or a page; else undoes entry by entry",
    ),
    ("E", "`resume`", "supervisor's key turned"),
    ("X", "", "lists remedies, corrections and reports: `.` the next one, `#` takes the one shown"),
    ("X 3 #", "`report` …", "takes number 3 of the list; it then asks for what is missing"),
    ("X 9 . 2 #", "`card 9D`", "supervisor's key turned; 1 ace to 13 king, then 1 to 4: C D H S"),
    ("R", "`reconstruct`", "where it is a remedy of what is wrong"),
    ("V #", "`void`", "supervisor's key turned; confirms it where another person asked for it"),
)
"""Keys, the command that they make, and a note on it."""


def make_page(present: str) -> str:
    """The page with both tables as the code has them."""
    return between(between(present, "holds", list(_holds())), "keys", list(_keys()))


def _holds() -> Iterator[str]:
    yield from heads("row 2", "what has happened")
    for code, fault in CATALOGUE.items():
        if fault.holds and code not in TRIGGERS:
            row = code.replace("-", " ").upper()[:ROW_LENGTH]
            yield f"| [`{row}`](faults.md#{code}) | {fault.text} |"


def _keys() -> Iterator[str]:
    yield from heads("keys", "command", "")
    yield from (f"| `{keys}` | {command} | {remark} |" for keys, command, remark in GRAMMAR)
