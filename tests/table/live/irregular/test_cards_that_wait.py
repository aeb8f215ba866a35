"""Cards that left the shoe at the wrong moment, and what becomes of those behind them."""

from __future__ import annotations

import pytest

from controller.game.rules.cards import write_cards
from controller.table.dealing.cards_in import UNREAD_FAULT
from hil_tests.benches.driven_table import LOCKED, TOGETHER
from tests.table.live.driver import MBS, PLUS, RWS, Live, dealt
from tests.table.live.grid import check_permitted


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
    table.shoe((0, 0))
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


# Two cards that were seen left together for split aces -------------------------------------------


def _chosen(rules: str = MBS, seen: str = "2S KH") -> Live:
    """Box 1 has split aces and chosen 2S for the first; KH waits."""
    table = dealt("AC 9C 6D AH 8C", "1 main 100, 1b main 10, 2 main 50", rules).play("split 1")
    table.slip("2S")
    table.slip("KH", TOGETHER)
    if seen:
        table.say(f"report together {seen}")
    table.say("choose 1 2S")
    return table


def _aces(table: Live) -> list[str]:
    return [hand["cards"] for hand in table.status()["boxes"]["1"]["hands"]]


def test_the_card_that_is_left_is_the_next_players() -> None:
    table = _chosen()
    table.refuses("choose 1 KH", "choose 1 KH is not permitted")
    assert "choose 2 KH" in table.status()["permitted"]
    assert table.rows() == ("B1/2: SECOND CARD", "WAGERS BACK? X E")
    assert "the card that waits is for the next box" in table.status()["prompt"]
    check_permitted(table.table)
    table.say("done")
    assert (table.status()["awaiting"], table.rows()[1]) == ("card", "")
    check_permitted(table.table)
    table.deal("9D")
    assert _aces(table) == ["AC 2S", "AH 9D"]
    assert table.rows()[0] == "BOX 2 17: X S D"
    table.say("stand 2")
    assert "box 2 takes no card: KH is burned (5.23.3.1)" in table.outcomes[-1].notes


def test_the_next_player_may_take_it_before() -> None:
    table = _chosen()
    table.say("choose 2 KH")
    assert table.hand(2) == "9C 8C KH"
    table.play("done", "9D")
    assert _aces(table) == ["AC 2S", "AH 9D"]


def test_a_card_drawn_in_error_meanwhile_is_the_second_aces() -> None:
    table = _chosen()
    table.slip("9D", LOCKED)
    table.say("use")
    assert _aces(table) == ["AC 2S", "AH 9D"]
    assert table.rows()[0] == "BOX 2 17: X S D"


def test_of_two_that_nobody_has_seen_the_other_one_is_the_next_card() -> None:
    """MBS 5.23.1.1: whoever it goes to."""
    table = _chosen(seen="")
    table.say("done")
    assert _aces(table) == ["AC 2S", "AH KH"]


def test_plus_knows_no_next_player() -> None:
    """Pontoon Plus 5.12: the other card is used as the next card, seen or not."""
    table = _chosen(PLUS)
    table.say("done")
    assert _aces(table) == ["AC 2S", "AH KH"]
