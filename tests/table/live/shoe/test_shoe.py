"""The shoe: empty, loaded anew, its lid open; and a notice of cards that come in rank order."""

from __future__ import annotations

import pytest

from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, dealt, live


def test_an_empty_shoe_holds_where_only_a_card_can_come() -> None:
    table = dealt("9C 7D")
    table.shoe((0, 0))
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-empty", ["reshuffle"])
    assert "the shoe has run out (5.19)" in held["reason"]
    assert table.wants().gate_cards == 0


def test_with_an_empty_shoe_one_may_still_stand() -> None:
    table = dealt("9C 7D 9H")
    table.shoe((0, 0))
    assert table.status()["held"] is None
    assert "the card shoe is empty" in table.status()["prompt"]
    table.say("stand 1")
    assert table.status()["held"]["fault"] == "shoe-empty"
    table.shoe((2, 100), (1, 384))
    assert [hold.fault for hold in table.table.holds.standing] == ["shoe-empty", "shoe-reloaded"]
    table.order("reshuffle")  # which is what it was loaded with
    assert table.status()["held"] is None
    table.deal("KD")
    assert table.state == "settled"


def test_a_shoe_loaded_before_a_card_was_due() -> None:
    table = dealt("9C 7D 9H")
    table.shoe((0, 0), (1, 384))
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-reloaded", ["resume", "void"])
    table.play("sue: resume", "stand 1", "KD")
    assert table.state == "settled"


def test_another_shoe_has_all_its_cards() -> None:
    table = dealt("9C 7D 9H", decks=1).play("stand 1")
    table.shoe((1, 48))  # in the middle of a round, and it was not empty: the same shoe
    table.slip("9C")
    table.play("sue: void", "sue: resume", "sue: play-on", "next", "open", "close")
    table.slip("9C")
    assert table.status()["held"]["fault"] == "card-excess"
    table.play("sue: void", "next")
    table.shoe((1, 48))
    table.play("open", "close", "9C 9H 7D")


@pytest.mark.parametrize(("state", "words"), [(2, "has its lid open"), (3, "reports a fault")])
def test_a_shoe_that_cannot_work(state: int, words: str) -> None:
    table = dealt("9C 7D")
    table.shoe((state, 100))
    assert words in table.status()["held"]["reason"]
    assert table.rows() == ("SHOE NOT READY", "SHOE DOWN")
    table.shoe((1, 100))
    assert table.status()["held"] is None
    table.deal("5C")


def test_a_restarted_device_has_no_faults_until_it_tells() -> None:
    table = Live()
    table.device("shoe", "FAULT", faults=0b1000100)
    assert table.status()["devices"]["shoe"]["faults"] == "sensor, cover open"
    assert "the card shoe reports: sensor, cover open" in table.status()["prompt"]
    table.shoe((2, 100))
    table.up("shoe", new_session=True)
    assert table.status()["devices"]["shoe"]["faults"] == ""
    assert table.table.devices["shoe"].state is None


NOTICE = "shoe-in-order"
SAID = "six cards or more have left the card shoe in the rank order of one suit"
THREE_BOXES = "1 main 10, 2 main 10, 3 main 10"
"""Seven cards are dealt."""


def _told(table: Live) -> bool:
    state = table.status()
    assert (NOTICE in state["conditions"]) == (SAID in state["prompt"])
    return NOTICE in state["conditions"]


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV, FIVE])
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
        (FIVE, "8C 9C TC JC QC KC", True),
        (FIVE, "7C 8C 9C JC QC KC", False),  # a ten is missing
        (MBS, "9C 3C 4C 5C 6C 7C 8C", True),  # they need not be the first
        (MBS, "5C 4C 3C 4C 5C 6C 7C", False),  # five at most in one direction
        (MBS, "4C 3C 4C 5C 6C 7C 8C", True),
        (MBS, "2C 3C 4C 5C 6D 7D 8D", False),
        (MBS, "2C 3C 4C 5C 5C 6C 7C", False),
        (MBS, "JC QC KC AC 2C 3C", False),
        (MBS, "2C 3C 4C ?? 6C 7C 8C", False),  # one that is not read ends it
    ],
)
def test_what_is_in_order(rules: str, order: str, told: bool) -> None:
    table = Live(rules)
    for card in order.split():
        table.slip(card)  # whether a card is due does not matter
    assert (NOTICE in table.status()["conditions"]) is told


def test_it_goes_on_from_round_to_round() -> None:
    table = live(rules=MBS).play("2C 3C 4C", "sue: void", "next", "open", "close", "5C 6C")
    assert not _told(table)
    table.deal("7C")
    assert _told(table)


def _in_order(rules: str = MBS) -> Live:
    table = live(THREE_BOXES, rules=rules).play("2C 3C 4C 5C 6C 7C 8C")
    assert _told(table)
    table.play("sue: void", "next")
    assert _told(table)
    return table


def test_another_shoe_ends_it() -> None:
    table = _in_order()
    table.shoe((1, 384))
    assert not _told(table)
    table.play("open", "close", "9C")
    assert not _told(table)


def test_a_supervisor_who_lets_the_cards_be_played_ends_it() -> None:
    table = _in_order()
    table.order("play-on")
    assert not _told(table)
    table.refuses_order("play-on", "no shuffle is due")
