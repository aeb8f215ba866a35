"""Who cuts the shuffled cards, and how (``shoe.cut``; Division 15, 7.3 to 7.5).

- Before play starts: the first player at the table (7.3(a)).
- The cutting card came where a card was due to a box: that box's player (7.3(b)).
- It came where a card was due to the dealer's hand: the player farthest to the dealer's right,
  whose box has the highest number (7.3(c)).
- The cards are exchanged between rounds although no shuffle is due, or because the set may not be
  played: the player farthest to the dealer's left (7.3(d), 7.7).
- It came as the first card of a round, or between rounds: the document names nobody.

Who declines passes the cut on clockwise (7.4); it is made a deck or more from either end (7.5). The
cut is made by hand; the table says whose it is. The clause of ``shoe.cut`` lists those of 7.3, 7.4
and 7.5 in this order.

Discards that a round is finished with (``shoe.discards``) are cut by the player whose hand is next
(MBS 5.19), or as cards after a round are (Division 15, 16.7).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.forms.json_values import JsonObject
from controller.game.round.looks import card_expected
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.table.state.parts import Phase
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_EMPTY

CLOSED: Final = "the table was closed"
"""Why a shuffle is due before play starts again."""

FIRST, BOX, RIGHTMOST, LEFTMOST, DECLINED, HOW, CLAUSES = range(7)
"""The places of the clauses in the list that the key gives, and how many it has."""


def due_where(rnd: Round) -> tuple[int, int]:
    """The box whose player cuts when the cutting card comes now, and the place of the clause."""
    hand = rnd.receiver if card_expected(rnd) else rnd.next_hand
    if hand is not None and rnd.state != State.PLAY_DEALER_CARD:
        return hand.box, BOX
    return max(rnd.boxes), RIGHTMOST


class Cut(NamedTuple):
    """The ``box`` whose player cuts, 0 for the first player at the table, and the clauses: who it
    is, who does when he declines, and how."""

    box: int
    clauses: tuple[str, ...]


def cut(table: Table) -> Cut | None:
    """Who cuts; None where nothing is to be cut or the rules do not say."""
    if table.rules.shoe.cut.value == "unsaid" or table.mid_round:
        return None
    boxes, cuts = table.betting.sheet.boxes, table.shoe.cuts
    if _play_has_not_begun(table):
        cuts = 0, FIRST
    elif not table.shoe.cutting_card:
        cuts = (min(boxes), LEFTMOST) if boxes and _are_exchanged(table) else None
    return _cut(table, cuts) if cuts else None


def in_words(cut: Cut) -> str:
    """The same for the screen."""
    who = f"box {cut.box}" if cut.box else "the first player at the table"
    clause, declined, how = cut.clauses
    return (
        f"{who} cuts ({clause}); who declines, clockwise ({declined}); "
        f"a deck or more from either end ({how})"
    )


class Discards(NamedTuple):
    """How discards are shuffled and cut, in words and for programs."""

    text: str
    values: JsonObject


def of_discards(table: Table) -> Discards | None:
    """The same of those that go back into the shoe in the middle of a round; None where the
    document does not say."""
    rule, rnd = table.rules.shoe.discards, table.rnd
    assert rnd
    match rule.value:
        case "riffled_once_next_hand_cuts":
            hand = rnd.receiver or rnd.next_hand
            who = f"cut by the player of box {hand.box}, who is next" if hand else "cut"
            text, clauses = f"they are riffle shuffled once and {who}", [rule.clause]
            box = hand.box if hand else None
        case "as_after_a_round" if table.shoe.cuts is not None:
            found = _cut(table, table.shoe.cuts)
            text, clauses = in_words(found), [*found.clauses, rule.clause]
            box = found.box or None
        case _:
            return None
    values = {"how": rule.value, "box": box, "clauses": clauses}
    return Discards(f"{text} ({rule.clause})", values)


def short(table: Table) -> str:
    """The same for a row of the keypad."""
    if (who := cut(table)) is None:
        return ""
    return f"BOX {who.box} CUTS" if who.box else "FIRST PLAYER CUTS"


def _cut(table: Table, who: tuple[int, int]) -> Cut:
    (box, place), clause = who, table.rules.shoe.cut.clause
    listed = clause.split("; ")
    places = (place, DECLINED, HOW)
    return Cut(box, tuple(listed[at] if len(listed) == CLAUSES else clause for at in places))


def _are_exchanged(table: Table) -> bool:
    """Whether other cards come into play between rounds, and not because they are due for a
    shuffle."""
    shoe, sets = table.devices.get("shoe"), table.shoe.sets
    taken_out = shoe is not None and shoe.state == SHOE_EMPTY and table.shoe.book.due_after is None
    return taken_out or sets.in_shoe in sets.blocked


def _play_has_not_begun(table: Table) -> bool:
    """Whether the cards that are shuffled now are those that play starts with."""
    if table.phase is Phase.CLOSED or table.shoe.book.why == CLOSED:
        return True
    book = table.shoe.book
    return table.has("shoe") and not table.round_number and not book.counted and not book.out
