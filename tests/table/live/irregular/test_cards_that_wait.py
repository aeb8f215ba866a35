"""Cards that left the shoe at the wrong moment, and what becomes of those behind them."""

from __future__ import annotations

import pytest

from controller.game.rules.cards import write_cards
from controller.table.dealing.cards_in import UNREAD_FAULT
from hil_tests.benches.driven_table import TOGETHER
from tests.table.live.driver import PLUS, RWS, dealt


def test_a_card_behind_those_put_back_comes_after_them() -> None:
    table = dealt("9C 7D 2C", rules=PLUS)
    table.slip("3C")
    table.slip("4C", TOGETHER)
    table.slip("5C")  # nobody asked for it: it waits
    table.say("choose 1 4C")
    assert table.hand() == "9C 2C 4C"
    assert table.table.rnd
    assert write_cards(table.table.rnd.irregular.waiting) == "3C 5C"


def test_a_shoe_that_ran_out_with_an_unread_card_is_no_shoe_without_cards() -> None:
    table = dealt("9C 7D")
    table.slip("??")
    table.device("shoe", "SHOE_STATE", state=0, remaining=0)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == (UNREAD_FAULT, ["card CARD", "void"])
    table.order("card 9H")
    assert table.state == "play.decide"


@pytest.mark.parametrize(
    ("cards", "step", "reason"),
    [
        ("9C 8C 7D 9H 9S", "stand 1", "no card has just left the shoe that could be meant"),
        ("9C 8C 7D 9H 9S KC", "", "this takes settlements back: the supervisor gives it"),
    ],
)
def test_a_card_is_reported_as_drawn_by_the_dealer_as_the_last_and_unsettled(
    cards: str, step: str, reason: str
) -> None:
    table = dealt(cards, "1 main 10, 2 main 10", RWS)
    table.say(*filter(None, [step]))
    table.refuses("report drawn", reason)


def test_a_foreign_card_that_was_misread_is_counted_once() -> None:
    table = dealt("9C 7D")
    table.slip("TD")
    table.order("correct 3 9D")
    assert table.table.shoe.used.total() == 2
