"""The shoe's own count: compared when it is loaded, with each card, at a round's end and by
``ready``. A full set has 8 decks of 48 cards: 384."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import pytest

from controller.table.shoe import book
from controller.table.snapshot import dump_table, load_table
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live

EMPTY, LOADED, LID_OPEN = 0, 1, 2
ROUND = ("9C", "7D", "9H")
"""Box 1 has 18 against the dealer's 7; KD makes 17."""


def loaded(table: Live, remaining: int) -> None:
    """The lid is opened, and closed over that many cards."""
    table.shoe((LID_OPEN, 384), (LOADED, remaining))


def a_round(table: Live, left: int, suits: str = "CDHD") -> None:
    """A round of four cards out of a shoe that tells ``left`` before the first."""
    table.say("open", "wager 1 main 10", "close")
    first, second, third, last = (rank + suit for rank, suit in zip("979K", suits, strict=True))
    for number, card in enumerate((first, second, third), 1):
        table.slip(card, remaining=left - number)
    table.say("stand 1")
    table.slip(last, remaining=left - 4)


@cache
def _twelve_rounds() -> Live:
    table = Live(RWS)
    for number in range(12):
        a_round(table, 384 - 4 * number, ("CDHS", "DHSC", "HSCD", "SCDH")[number % 4])
    return table


def twelve_rounds() -> Live:
    """A table of which 48 cards have left a full shoe: 336 remain."""
    return _twelve_rounds().copy()


def held(table: Live) -> dict[str, Any]:
    found: dict[str, Any] | None = table.status()["held"]
    assert found is not None
    assert (found["fault"], found["remedies"]) == ("shoe-count", ["resume"])
    return found


# ---- when it is loaded ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV])
@pytest.mark.parametrize(
    ("told", "words"),
    [
        (336, "holds 336 cards and should hold 384: 48 missing"),  # 7 decks of 8
        (368, "holds 368 cards and should hold 384: 16 missing"),
        (400, "holds 400 cards and should hold 384: 16 too many"),
    ],
)
@pytest.mark.parametrize("lid", [True, False])
def test_a_fresh_shoe_that_is_not_full(rules: str, told: int, words: str, lid: bool) -> None:
    table = Live(rules)
    table.shoe(*([(LID_OPEN, 384)] if lid else []), (LOADED, told))
    assert words in held(table)["reason"]
    assert "open" not in table.status()["permitted"]
    assert table.status()["shoe"]["remaining"] == 384
    assert book.difference(table.table).endswith(words)
    table.order("resume", by=None, why=None)
    assert (table.status()["held"], table.status()["shoe"]["remaining"]) == (None, told)
    assert book.difference(table.table) == ""
    a_round(table, told)
    assert (table.state, table.status()["held"]) == ("settled", None)
    assert table.status()["shoe"]["remaining"] == told - 4
    loaded(table, told - 4)
    assert table.status()["held"] is None


def test_the_first_shoe_of_all_is_expected_to_be_full() -> None:
    table = Live(RWS, devices=("shoe",))
    table.table.shoe.book = dataclasses.replace(table.table.shoe.book, counted=False)
    table.shoe((LOADED, 416 - 48))
    assert "should hold 384: 16 missing" in held(table)["reason"]


def test_a_set_of_tens_is_full_with_416_cards() -> None:
    table = Live(FIVE)
    loaded(table, 384)
    assert "should hold 416: 32 missing" in held(table)["reason"]


def test_another_set_in_a_used_shoe_is_compared_with_a_full_one() -> None:
    """368 into a shoe that held 380: nearer to 384."""
    table = Live(RWS)
    a_round(table, 384)
    table.device("shoe", "CUTTING_CARD", remaining=380)
    table.say("next")
    table.shoe((LID_OPEN, 380), (EMPTY, 0), (LOADED, 368))
    assert "should hold 384: 16 missing" in held(table)["reason"]
    assert not table.status()["shoe"]["shuffle_due"]
    table.order("resume")
    assert (table.status()["shoe"]["remaining"], table.status()["shoe"]["used"]) == (368, 0)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (368, "should hold 384: 16 missing"),
        (361, "should hold 384: 23 missing"),
        (360, "should hold 336: 24 too many"),  # as near to the one as to the other
        (340, "should hold 336: 4 too many"),
        (330, "should hold 336: 6 missing"),
        (390, "should hold 384: 6 too many"),
    ],
)
def test_behind_an_open_lid_the_nearer_number_counts(told: int, words: str) -> None:
    table = twelve_rounds()
    assert table.status()["shoe"]["remaining"] == 336
    loaded(table, told)
    assert words in held(table)["reason"]
    table.order("resume")
    assert table.status()["shoe"]["remaining"] == told
    assert table.status()["shoe"]["used"] == (0 if "384" in words else 48)


def test_without_an_open_lid_it_is_what_was_left_in_it() -> None:
    table = twelve_rounds()
    table.shoe((LOADED, 368))
    assert "should hold 336: 32 too many" in held(table)["reason"]


def test_an_open_lid_is_remembered_over_restarts_of_the_shoe() -> None:
    table = Live(RWS)
    a_round(table, 384)
    table.say("next")
    table.shoe((LID_OPEN, 380))
    table.down("shoe")
    table.table = load_table(dump_table(table.table))
    table.up("shoe", new_session=True)
    table.shoe((LOADED, 383))
    assert "should hold 384: 1 missing" in held(table)["reason"]
    assert table.table.shoe.book.opened is False


def test_the_right_number_or_a_full_set_goes_on() -> None:
    table = Live(RWS)
    a_round(table, 384)
    table.say("next")
    loaded(table, 380)
    assert (table.status()["held"], table.status()["shoe"]["used"]) == (None, 4)
    loaded(table, 384)
    assert (table.status()["held"], table.status()["shoe"]["used"]) == (None, 0)
    table.shoe((EMPTY, 0), (LOADED, 384))
    assert table.status()["held"] is None


def test_what_was_put_right_meanwhile_is_not_taken_for_the_wrong_number() -> None:
    table = Live(RWS)
    loaded(table, 336)
    loaded(table, 384)
    assert held(table)
    table.order("resume")
    assert table.status()["shoe"]["remaining"] == 384


def test_while_bets_are_open_it_holds_too() -> None:
    table = Live(RWS).play("open", "wager 1 main 10")
    loaded(table, 383)
    assert "1 missing" in held(table)["reason"]
    assert "close" not in table.status()["permitted"]


# ---- with each card ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV])
@pytest.mark.parametrize(("slipped", "words"), [(2, "2 too many"), (-3, "3 missing")])
def test_a_card_that_tells_another_number_holds_at_the_rounds_end(
    rules: str, slipped: int, words: str
) -> None:
    table = Live(rules)
    a_round(table, 384)
    table.say("next", "open", "wager 1 main 10", "close")
    table.slip("9C", remaining=379)
    outcome = table.slip("7D", remaining=378 + slipped)
    told = f"the card shoe holds {378 + slipped} cards and should hold 378: {words}"
    assert outcome.notes == [f"{told}; play is held when this round is over"]
    assert (table.status()["held"], f"{told}; play is held" in table.status()["prompt"]) == (
        None,
        True,
    )
    assert table.slip("9H", remaining=377 + slipped).notes == []  # it is said once
    table.say("stand 1")
    table.slip("KD", remaining=376 + slipped)
    assert table.state == "held.settled"
    assert f"holds {376 + slipped} cards and should hold 376: {words}" in held(table)["reason"]
    assert table.status()["settlements"]  # nobody's wager waits for it
    table.order("resume")
    assert table.status()["shoe"]["remaining"] == 376 + slipped
    a_round(table, 376 + slipped)
    assert (table.state, table.status()["held"]) == ("settled", None)


def test_one_card_is_enough_even_where_the_next_ones_agree() -> None:
    table = Live(RWS).play("open", "wager 1 main 10", "close")
    for card, left in zip(ROUND, (383, 384, 381), strict=True):
        table.slip(card, remaining=left)
    table.say("stand 1")
    table.slip("KD", remaining=380)
    assert "holds 384 cards and should hold 382: 2 too many" in held(table)["reason"]
    table.order("resume")
    assert table.status()["shoe"]["remaining"] == 380


def test_a_burned_card_holds_at_once() -> None:
    table = Live(MBS).play("burn")
    table.slip("AS", remaining=385)
    assert "holds 385 cards and should hold 383: 2 too many" in held(table)["reason"]


def test_in_a_void_round_it_holds_at_its_end() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "close")
    table.slip("9C", remaining=390)
    table.order("void")
    assert table.state == "held.void"
    assert "7 too many" in held(table)["reason"]


def test_a_lid_opened_in_a_round_is_told_then_and_holds_when_it_is_over() -> None:
    table = Live(RWS).play("open", "wager 1 main 10", "close")
    table.slip("9C", remaining=383)
    table.shoe((LID_OPEN, 383), (LOADED, 400))
    assert table.status()["held"] is None
    assert "17 too many" in table.status()["prompt"]
    for card, left in (("7D", 399), ("9H", 398)):
        table.slip(card, remaining=left)
    table.say("stand 1")
    table.slip("KD", remaining=397)
    assert "holds 397 cards and should hold 380: 17 too many" in held(table)["reason"]


def test_a_full_set_that_came_in_mid_round_is_another_one_once_it_is_accepted() -> None:
    table = Live(RWS).play("open", "wager 1 main 10", "close")
    table.slip("9C", remaining=383)
    table.shoe((LID_OPEN, 383), (LOADED, 384))
    table.order("void")
    assert "holds 384 cards and should hold 383: 1 too many" in held(table)["reason"]
    table.order("resume")
    assert (table.status()["shoe"]["remaining"], table.status()["shoe"]["used"]) == (384, 0)


# ---- what is not compared ---------------------------------------------------------------------


def test_a_shoe_that_does_not_count_is_not_compared() -> None:
    table = Live(RWS)
    table.up("shoe", capabilities=0b0111)
    loaded(table, 300)
    assert table.status()["held"] is None
    a_round(table, 250)
    assert (table.state, table.status()["held"]) == ("settled", None)
    assert book.difference(table.table) == ""
    table.up("shoe", capabilities=0b1111)
    table.shoe((LOADED, 379))
    assert "should hold 380: 1 missing" in held(table)["reason"]


def test_a_number_that_is_not_known_is_not_compared() -> None:
    table = Live(RWS)
    loaded(table, book.UNKNOWN)
    assert table.status()["held"] is None
    table.play("open", "wager 1 main 10", "close", "9C 7D 9H", "stand 1", "KD")
    assert (table.state, table.status()["shoe"]["remaining"]) == ("settled", 380)
    table.shoe((EMPTY, 0), (LOADED, book.UNKNOWN))
    assert (table.status()["held"], table.status()["shoe"]["remaining"]) == (None, None)


def test_the_discards_in_the_shoe_are_as_many_as_it_says() -> None:
    """MBS 5.19: the round is completed with them."""
    table = Live(MBS).play("open", "wager 1 main 10", "close")
    for card, left in zip(ROUND, (383, 382, 381), strict=True):
        table.slip(card, remaining=left)
    table.shoe((EMPTY, 0))
    table.say("stand 1")
    table.shoe((LOADED, 120))
    table.order("reshuffle")
    assert table.status()["shoe"]["remaining"] == 120
    table.slip("KD", remaining=119)
    assert (table.state, table.status()["held"]) == ("settled", None)


def test_what_ran_out_and_is_not_counted_is_not_known() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "close")
    table.slip("9C")
    table.shoe((EMPTY, 0), (LOADED, book.UNKNOWN))
    assert table.status()["shoe"]["remaining"] is None
    table.order("reshuffle")
    table.slip("7D", remaining=200)  # the first number that it tells is taken
    assert table.status()["shoe"]["remaining"] == 200
