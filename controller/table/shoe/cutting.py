"""Who cuts the shuffled cards (``shoe.cut``; Division 15, 7.3 and 7.4).

- Before play starts: the first player at the table (7.3(a)).
- The cutting card came where a card was due to a box: that box's player (7.3(b)).
- It came where a card was due to the dealer's hand: the player farthest to the dealer's right,
  whose box has the highest number (7.3(c)).
- It came as the first card of a round, or between rounds: the document names nobody.

Who declines passes the cut on clockwise (7.4). The cut is made by hand; the table says whose it is.
The clause of ``shoe.cut`` lists the three of 7.3 and the one of 7.4 in this order.
"""

from __future__ import annotations

from typing import Final

from controller.round.looks import card_expected
from controller.round.state import Round
from controller.table.state.course import Phase
from controller.table.state.table import Table

CLOSED: Final = "the table was closed"
"""Why a shuffle is due before play starts again."""

FIRST, BOX, RIGHTMOST, DECLINED, CLAUSES = range(5)
"""The places of the clauses in the list that the key gives, and how many it has."""


def due_where(rnd: Round) -> tuple[int, int]:
    """The box whose player cuts when the cutting card comes now, and the place of the clause."""
    hand = rnd.receiver if card_expected(rnd) else rnd.next_hand
    if hand is not None and rnd.state != "play.dealer_card":
        return hand.box, BOX
    return max(rnd.boxes), RIGHTMOST


def notice(table: Table) -> str:
    """Who cuts, for the screen; empty where nothing is to be cut or the rules do not say."""
    cuts = _who(table)
    if cuts is None:
        return ""
    box, place = cuts
    who = f"box {box}" if box else "the first player at the table"
    clause, declined = _clause(table, place), _clause(table, DECLINED)
    return f"{who} cuts ({clause}); who declines, clockwise ({declined})"


def short(table: Table) -> str:
    """The same for a row of the keypad."""
    cuts = _who(table)
    if cuts is None:
        return ""
    return f"BOX {cuts[0]} CUTS" if cuts[0] else "FIRST PLAYER CUTS"


def _who(table: Table) -> tuple[int, int] | None:
    if table.rules.shoe.cut.value == "unsaid" or table.mid_round:
        return None
    if _play_has_not_begun(table):
        return 0, FIRST
    return table.shoe.cuts if table.shoe.cutting_card else None


def _play_has_not_begun(table: Table) -> bool:
    """Whether the cards that are shuffled now are those that play starts with."""
    if table.phase is Phase.CLOSED or table.shoe.book.why == CLOSED:
        return True
    book = table.shoe.book
    return table.has("shoe") and not table.round_number and not book.counted and not book.out


def _clause(table: Table, place: int) -> str:
    clause = table.rules.shoe.cut.clause
    listed = clause.split("; ")
    return listed[place] if len(listed) == CLAUSES else clause
