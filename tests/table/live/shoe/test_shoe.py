"""The shoe: empty, loaded anew, with its lid open."""

from __future__ import annotations

import pytest

from tests.table.live.driver import Live, dealt


def _shoe(table: Live, state: int, remaining: int = 100) -> None:
    table.device("shoe", "SHOE_STATE", state=state, remaining=remaining)


def test_an_empty_shoe_holds_where_only_a_card_can_come() -> None:
    table = dealt("9C 7D")
    _shoe(table, 0, 0)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-empty", ["reshuffle"])
    assert "the shoe has run out (5.19)" in held["reason"]
    assert table.wants().gate_cards == 0


def test_with_an_empty_shoe_one_may_still_stand() -> None:
    table = dealt("9C 7D 9H")
    _shoe(table, 0, 0)
    assert table.status()["held"] is None
    assert "the card shoe is empty" in table.status()["prompt"]
    table.say("stand 1")
    assert table.status()["held"]["fault"] == "shoe-empty"
    _shoe(table, 2)
    _shoe(table, 1, 384)
    assert [hold.fault for hold in table.table.holds.standing] == ["shoe-empty", "shoe-reloaded"]
    table.order("reshuffle")  # which is what it was loaded with
    assert table.status()["held"] is None
    table.deal("KD")
    assert table.state == "settled"


def test_a_shoe_loaded_before_a_card_was_due() -> None:
    table = dealt("9C 7D 9H")
    _shoe(table, 0, 0)
    _shoe(table, 1, 384)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-reloaded", ["resume", "void"])
    table.order("resume")
    table.say("stand 1")
    table.deal("KD")
    assert table.state == "settled"


def test_a_new_shoe_has_all_its_cards() -> None:
    table = dealt("9C 7D 9H", decks=1)
    table.say("stand 1")
    _shoe(table, 1, 48)  # in the middle of a round, and it was not empty: the same shoe
    table.slip("9C")
    table.order("void")
    assert "holds 48 cards and should hold 45: 3 too many" in table.status()["held"]["reason"]
    _shoe(table, 1, 44)
    table.order("resume")
    table.order("play-on")  # of the one deck a second 9C came
    table.say("next")
    table.device("shoe", "CUTTING_CARD", remaining=20)
    assert "the cutting card has come: shuffle" in table.status()["prompt"]
    _shoe(table, 1, 44)
    table.say("open", "close")
    table.slip("9C")
    assert table.status()["held"]["fault"] == "card-excess"
    table.order("void")
    table.say("next")
    _shoe(table, 1, 48)
    assert "cutting card" not in table.status()["prompt"]
    table.say("open", "close")
    table.deal("9C 9H 7D")


@pytest.mark.parametrize(("state", "words"), [(2, "has its lid open"), (3, "reports a fault")])
def test_a_shoe_that_cannot_work(state: int, words: str) -> None:
    table = dealt("9C 7D")
    _shoe(table, state)
    assert words in table.status()["held"]["reason"]
    assert table.rows() == ("SHOE NOT READY", "SHOE DOWN")
    _shoe(table, 1)
    assert table.status()["held"] is None
    table.deal("5C")


def test_a_restarted_device_has_no_faults_until_it_tells() -> None:
    table = Live()
    table.device("shoe", "FAULT", faults=0b1000100)
    assert table.status()["devices"]["shoe"]["faults"] == "sensor, cover open"
    assert "the card shoe reports: sensor, cover open" in table.status()["prompt"]
    _shoe(table, 2)
    table.up("shoe", new_session=True)
    assert table.status()["devices"]["shoe"]["faults"] == ""
    assert table.table.devices["shoe"].state is None
