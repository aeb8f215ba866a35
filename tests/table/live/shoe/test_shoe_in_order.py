"""Six cards or more in rank order of one suit: a notice, and no round is held for it."""

from __future__ import annotations

import pytest

from controller.game.round.refusal import Refused
from tests.table.live.driver import MBS, RWS, Live, live
from tests.table.live.rule_sets import DIVISION_15, PLUS, TRICK

NOTICE = "shoe-in-order"
SAID = "six cards or more have left the card shoe in the rank order of one suit"
THREE_BOXES = "1 main 10, 2 main 10, 3 main 10"
"""Seven cards are dealt."""


def _told(table: Live) -> bool:
    state = table.status()
    assert (NOTICE in state["conditions"]) == (SAID in state["prompt"])
    return NOTICE in state["conditions"]


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIVISION_15, TRICK])
@pytest.mark.parametrize("order", ["2C 3C 4C 5C 6C 7C 8C", "8D 7D 6D 5D 4D 3D 2D"])
def test_a_new_deck_is_noticed_at_the_sixth_card(rules: str, order: str) -> None:
    table = live(THREE_BOXES, rules=rules)
    table.deal(" ".join(order.split()[:5]))
    assert not _told(table)
    outcome = table.deal(order.split()[5])
    assert outcome.notes == [f"{SAID}: round 1"]
    assert _told(table)
    assert (table.status()["held"], table.state) == (None, "deal.second_cards")
    assert table.deal(order.split()[6]).notes == []  # it is said once


@pytest.mark.parametrize(
    ("rules", "order", "told"),
    [
        (MBS, "7C 8C 9C JC QC KC", True),  # no tens: the jack follows the nine
        (MBS, "AH 2H 3H 4H 5H 6H", True),
        (MBS, "KS QS JS 9S 8S 7S", True),
        (TRICK, "8C 9C TC JC QC KC", True),
        (TRICK, "7C 8C 9C JC QC KC", False),  # a ten is missing
        (MBS, "9C 3C 4C 5C 6C 7C 8C", True),  # they need not be the first
        (MBS, "5C 4C 3C 4C 5C 6C 7C", False),  # five at most in one direction
        (MBS, "4C 3C 4C 5C 6C 7C 8C", True),
        (MBS, "2C 3C 4C 5C 6D 7D 8D", False),
        (MBS, "2C 3C 4C 5C 5C 6C 7C", False),
        (MBS, "JC QC KC AC 2C 3C", False),
    ],
)
def test_what_is_in_order(rules: str, order: str, told: bool) -> None:
    table = Live(rules)
    for card in order.split():
        table.slip(card)  # whether a card is due does not matter
    assert (NOTICE in table.status()["conditions"]) is told


def test_a_card_that_is_not_read_ends_it() -> None:
    table = Live(MBS)
    for card in ("2C", "3C", "4C", "??", "6C", "7C", "8C"):
        table.slip(card)
    assert NOTICE not in table.status()["conditions"]


def test_it_goes_on_from_round_to_round() -> None:
    table = live(rules=MBS)
    table.deal("2C 3C 4C")
    table.order("void")
    table.say("next", "open", "close")
    table.deal("5C 6C")
    assert not _told(table)
    table.deal("7C")
    assert _told(table)


def _in_order(rules: str = MBS) -> Live:
    table = live(THREE_BOXES, rules=rules)
    table.deal("2C 3C 4C 5C 6C 7C 8C")
    assert _told(table)
    table.order("void")
    table.say("next")
    assert _told(table)
    return table


def test_another_shoe_ends_it() -> None:
    table = _in_order()
    table.device("shoe", "SHOE_STATE", state=1, remaining=384)
    assert not _told(table)
    table.say("open", "close")
    table.deal("9C")
    assert not _told(table)


def test_a_supervisor_who_lets_the_cards_be_played_ends_it() -> None:
    table = _in_order()
    table.order("play-on")
    assert not _told(table)
    with pytest.raises(Refused, match="no shuffle is due"):
        table.order("play-on")
