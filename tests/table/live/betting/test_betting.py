"""Bets: opened, entered, taken back, closed; what stays from round to round."""

from __future__ import annotations

import re

import pytest

from controller.game.commands.values import Malformed
from tests.table.live.driver import MBS, RWS, Live, dealt, live, settings


def test_a_round_is_opened_wagered_closed_and_cleared() -> None:
    table = Live()
    assert (table.state, table.status()["round"]) == ("idle", 0)
    table.say("open", "wager 2 main 10", "close")
    assert (table.state, table.status()["round"]) == ("deal.first_cards", 1)
    table.deal("9C 9D 9H")
    assert table.state == "play.decide"


def test_the_number_of_side_wagers_is_shown_at_the_close() -> None:
    table = live("1 main 10, 1 pair 5, 1 pandemonium 5, 3 main 10, 3 pair 5")
    assert table.status()["prompt"].startswith(
        "First card to box 1 (bets closed: 2 boxes; side wagers: 2 pair, 1 Pandemonium)."
    )
    table.deal("9C")
    assert table.status()["prompt"] == "First card to box 3."


def test_a_wager_is_set_and_never_added() -> None:
    table = Live()
    table.say("open", "wager 1 main 10", "wager 1 main 25", "wager 1b main", "wager 2 main 10")
    table.say("wager 2 main 0", "wager 1 pair 5")
    assert table.status()["boxes"]["1"]["wagers"] == {
        "a": {"main": "25.00", "pair": "5.00"},
        "b": {"main": None},
    }
    assert "2" not in table.status()["boxes"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("wager 8 main 10", "there is no box 8"),
        ("wager 1d main 10", "there is no main wager of bettor 'd': expected a, b, c"),
        ("wager 1 main 5001", "the limits are"),
        ("wager 1 pair 501", "the limits are 1.00 to 500.00"),
        ("wager 1 main 10.50", "steps of 1.00"),
        ("wager 1 bonus 5", "know no bonus wager: expected main, pair, pandemonium"),
        ("wager 1 side 5", "know no side wager"),
        ("close", "there is no main wager"),
        ("next", "the round is not over"),
        ("open", "bets cannot be opened now"),
        ("hit 1", "not permitted now (betting)"),
        ("undo", "nothing can be taken back"),
        ("press 1", "only the button gives it"),
        ("overdraw", "only the shoe gives it"),
    ],
)
def test_refused_while_bets_are_open(command: str, why: str) -> None:
    table = Live().play("open")
    if command == "undo":
        table.say("undo")
    table.refuses(command, re.escape(why))


@pytest.mark.parametrize(
    "command",
    [
        "",
        "wager",
        "wager 1 main x",
        "wager 1i main 5",
        "wager 1 5",
        "wager 1 Pair 5",
        "open 1",
        "shuffle 3",
        "go",
        "wager 0 main 5",
        "stand",
        "double 1 0",
        "insure 1@ 5 5",
        "wager 1 main 0.001",
        *("squeeze", "squeeze 1 1", "squeeze 1b", "reveal", "reveal 1 0", "squeeze x"),
    ],
)
def test_what_cannot_be_read(command: str) -> None:
    table = Live()
    with pytest.raises(Malformed):
        table.say(command)


def test_an_orphaned_side_wager_keeps_bets_open() -> None:
    table = Live(RWS).play("open", "wager 1 main 10", "wager 1b pair 5")
    assert "close" not in table.status()["permitted"]
    assert table.refuses("close", "who has no main wager").clause == "3.3"
    table.say("wager 1b pair 0", "close")


def test_main_wagers_stay_and_side_wagers_go() -> None:
    table = dealt("9C 7D 9H", "1 main 10, 1 pair 5, 1b main").play("stand 1", "KD")
    assert table.state == "settled"
    table.say("next")
    kept = {"1": {"hands": [], "wagers": {"a": {"main": "10.00"}, "b": {"main": None}}}}
    assert table.status()["boxes"] == kept
    table.say("open")
    assert table.status()["boxes"] == kept
    table.say("close")
    assert table.state == "deal.first_cards"


def test_amounts_left_out_settle_as_odds() -> None:
    table = dealt("9C 7D 9H", "1 main, 1 pair")
    pair = table.outcomes[-1].settlements[0]
    assert (pair["kind"], pair["odds"], pair["stake"], pair["net"]) == ("pair", "11:1", None, None)
    table.say("stand 1")
    [main] = table.deal("KD").settlements
    assert (main["outcome"], main["odds"], main["net"]) == ("win", "1:1", None)


def test_wagers_are_refused_once_bets_are_closed() -> None:
    table = live()
    assert table.refuses("wager 1 main 20", "no wager may be placed").clause == "5.3"


def test_new_settings_are_played_from_the_next_round_on() -> None:
    table = live("1 main 10, 6 main 5000")
    table.start(new=settings(MBS, boxes=5))
    table.up("shoe")
    table.play("9C 9D 7D 9H 9S", "stand 1", "stand 6", "KD")
    assert table.table.settings.boxes == 7
    [told] = table.say("next").notes
    assert told == "the wager main of 6a is taken out: there is no box 6: expected 1 to 5"
    assert table.table.settings.boxes == 5
    assert list(table.status()["boxes"]) == ["1"]


def test_other_rules_clear_the_wagers() -> None:
    table = Live().play("open", "wager 1 main 10")
    table.start(new=settings(RWS))
    table.up("shoe")
    table.say("close")
    assert table.status()["rules"] == MBS
    table.play("9C 7D 9H", "stand 1", "KD")
    assert table.say("next").notes == ["the rules have changed: every wager is taken out"]
    assert (table.status()["rules"], table.status()["boxes"]) == (RWS, {})


# Taken back --------------------------------------------------------------------------------------


def test_a_card_a_payment_and_a_shuffle_leave_nothing_to_take_back() -> None:
    table = live().play("9C")
    table.refuses("undo", "nothing can be taken back")
    table.play("7D 8H", "stand 1", "undo", "stand 1", "KD")
    assert "undo" not in table.status()["permitted"]
    table.say("next", "shuffle 2")
    assert "undo" not in table.status()["permitted"]


def test_a_payment_cannot_be_taken_back() -> None:
    table = dealt("9C 9D", "1 main 10")
    table.deal("9H")  # 18 against 9
    table.say("double 1 10")
    table.deal("AS")  # 19: may be withdrawn
    table.say("withdraw 1")  # paid, and the round is over: nothing is left
    assert table.state == "settled"
    assert "undo" not in table.status()["permitted"]
