"""The book of the shoe: burning, the cutting card, card sets, counting, opening and closing."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.commands.values import Malformed
from controller.table.showing.prompt_text import GREEN
from hil_tests.tables.scripted import hands_of
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, dealt

NOBODY = {"by": None, "why": None}


def _loaded(table: Live, remaining: int | None = None) -> None:
    full = table.settings.shoe_size
    table.shoe((1, full if remaining is None else remaining))


def _cutting_card(table: Live) -> Any:
    return table.device("shoe", "CUTTING_CARD", remaining=60)


def _round(table: Live) -> None:
    """A round of one box to its end: the dealer has 17 against 18."""
    table.play("open", "wager 1 main 10", "close", "9C 7D 9H", "stand 1", "KD")
    assert table.state == "settled"


# ---- burning ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "clause"), [(MBS, "5.21; A-38"), (DIV, "8.1")])
def test_the_first_card_of_a_new_shoe_is_burned(rules: str, clause: str) -> None:
    table = Live(rules)
    assert f"a new shoe: burn its first card, {clause}" in table.status()["prompt"]
    assert table.wants().gate_cards == 0
    table.say("open", "wager 1 main 10", "burn")
    assert (table.wants().gate_cards, table.wants().signal) == (1, (GREEN, 0))
    assert table.rows()[0] == "BURN ONE CARD"
    table.refuses("close", "the card to be burned has not come")
    outcome = table.deal("AS")
    assert outcome.notes == ["burned: AS"]
    assert (table.state, table.wants().gate_cards) == ("betting", 0)
    told = table.status()["shoe"]
    assert (told["burned"], told["used"], told["remaining"]) == ("AS", 1, 383)
    assert not told["burn_due"]
    table.play("close", "9C 7D 9H")
    assert hands_of(table.status(), 1) == [("9C 9H", 18)]
    table.refuses("burn", "only the first card")


def test_a_burn_that_is_left_out_is_noted_and_can_still_be_mended() -> None:
    table = Live().play("open", "wager 1 main 10")
    outcome = table.say("close")
    assert outcome.notes == ["the first card of the shoe was not burned (5.21; A-38)"]
    assert "the first card was not burned: undo, then burn" in table.status()["prompt"]
    table.play("undo", "burn", "2S")
    assert table.say("close").notes == []


def test_a_burned_card_need_not_be_read() -> None:
    table = Live().play("burn")
    table.slip("??")
    assert table.table.hold is None
    told = table.status()["shoe"]
    assert (told["burned"], told["unread"], told["remaining"]) == ("??", 1, 383)


def test_a_burn_card_is_awaited_between_rounds_behind_the_cutting_card_too() -> None:
    """Nothing but a card can come where no round may be opened."""
    table = Live(DIV)
    table.device("shoe", "CUTTING_CARD", remaining=0)
    table.say("burn")
    told = table.status()
    assert (told["state"], told["awaiting"]) == ("idle", "card")
    assert told["permitted"] == ["undo", "shuffle 1", "shuffle 2"]


@pytest.mark.parametrize("rules", [RWS, PLUS, FIVE])
def test_rules_that_burn_no_card(rules: str) -> None:
    table = Live(rules)
    assert "burn" not in table.status()["permitted"]
    table.refuses("burn", r"burn no card .*A-38")


def test_a_new_session_of_an_untouched_shoe_burns_once() -> None:
    table = Live().play("burn", "2C")
    table.up("shoe", new_session=True)
    _loaded(table, 383)
    assert not table.status()["shoe"]["burn_due"]
    assert table.status()["shoe"]["remaining"] == 383


# ---- the cutting card -------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "clause"), [(MBS, "5.20"), (DIV, "8.7"), (RWS, "A-38")])
def test_the_round_is_finished_and_then_a_shuffle_is_due(rules: str, clause: str) -> None:
    table = Live(rules).play("open", "wager 1 main 10", "close", "9C 7D 9H")
    _cutting_card(table)
    table.play("stand 1", "KD")
    assert table.status()["permitted"][0] == "next"
    assert "open" not in table.status()["permitted"]
    table.refuses("open", f"load a shuffled shoe first.*[(]{clause}[)]")
    table.say("next")
    assert table.rows()[0] == "SHUFFLE FIRST"
    assert table.status()["awaiting"] == "device"
    assert table.status()["shoe"]["shuffle_due"]
    _loaded(table)
    assert table.status()["shoe"]["shuffle_due"] is False
    table.say("open", "close")


def test_a_shuffle_may_be_put_off_by_the_supervisor() -> None:
    table = Live(MBS)
    _round(table)
    _cutting_card(table)
    table.say("next")
    for missing in ("by", "why"):
        with pytest.raises(Malformed, match="needs who"):
            table.order("play-on", **{missing: None})
    outcome = table.order("play-on", by="Tan", why="last round of the night")
    assert outcome.notes == ["supervisor: play-on by Tan: last round of the night"]
    table.say("open", "close")
    table.refuses_order("play-on", "no shuffle is due")


def test_as_the_first_card_of_a_round_it_takes_the_call_back() -> None:
    table = Live(DIV).play("open", "wager 1 main 10", "wager 2b main 30", "close")
    wagers = table.status()["boxes"]
    outcome = _cutting_card(table)
    assert outcome.notes[-1] == ("round 1 does not begin: shuffle first; the wagers stand (8.8)")
    told = table.status()
    assert (told["state"], told["round"], table.wants().gate_cards) == ("betting", 1, 0)
    assert {box: shown["wagers"] for box, shown in told["boxes"].items()} == {
        box: shown["wagers"] for box, shown in wagers.items()
    }
    table.refuses("close", r"8\.8")
    table.refuses("undo", "nothing can be taken back")
    _loaded(table)
    table.play("burn", "2C", "close", "9C 8C 7D")


def test_a_card_that_follows_the_cutting_card_is_nobodys() -> None:
    table = Live(DIV).play("open", "wager 1 main 10", "close")
    _cutting_card(table)
    table.slip("9C")
    assert table.status()["held"]["fault"] == "card-unexpected"
    assert table.status()["held"]["remedies"] == ["discard"]
    table.order("discard")
    assert table.state == "betting"


@pytest.mark.parametrize(
    ("rules", "clause"), [(MBS, "5.20"), (RWS, "A-38"), (PLUS, "A-38"), (FIVE, "A-38")]
)
def test_as_the_first_card_it_plays_the_round_elsewhere(rules: str, clause: str) -> None:
    table = Live(rules).play("open", "wager 1 main 10", "close")
    _cutting_card(table)
    table.play("9C 7D 9H", "stand 1", "KD")
    table.refuses("open", f"[(]{clause}[)]")


@pytest.mark.parametrize(("rules", "refused"), [(MBS, False), (DIV, True)])
def test_between_rounds_it_is_the_first_of_the_next(rules: str, refused: bool) -> None:
    table = Live(rules)
    _cutting_card(table)
    assert ("open" in table.status()["permitted"]) is not refused
    if not refused:
        _round(table)
        assert table.status()["shoe"]["shuffle_due"]


# ---- card sets --------------------------------------------------------------------------------


def _shuffled(table: Live, number: int, result: int = 0, missing: str = "") -> None:
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=number, count=384, progress=0)
    if missing:
        rank, suit = "A23456789TJQK".index(missing[0]) + 1, "CDHS".index(missing[1]) + 1
        table.device("shuffler", "CARD_DISCREPANCY", rank=rank, suit=suit, difference=-1)
    table.device("shuffler", "SHUFFLE_DONE", set=number, count=384, result=result)
    state = 3 if result == 0 else 1
    table.device("shuffler", "SHUFFLER_STATE", state=state, set=number, count=384, progress=0)


def test_the_sets_change_roles_with_the_shoe() -> None:
    table = Live(DIV)
    assert table.status()["shoe"]["set"] is None
    table.holds_sets(0, 1)
    _round(table)
    _loaded(table)
    assert table.status()["shoe"]["set"] == 1
    assert "shuffle 1" not in table.status()["permitted"]
    table.refuses("shuffle 1", r"set 1 is in play.*3\.4; A-63")
    table.say("shuffle 2")
    _shuffled(table, 2)
    table.say("next")
    _round(table)
    table.holds_sets(0, 0)
    table.shoe((0, 0))
    assert table.status()["shoe"]["set"] is None
    _loaded(table)
    table.holds_sets(1, 0)
    assert table.status()["shoe"]["set"] == 2
    table.say("shuffle 1")


def test_an_incomplete_set_is_blocked_until_it_is_cleared() -> None:
    table = Live(MBS)
    table.holds_sets(0, 1)
    table.say("open", "wager 1 main 10", "close")
    _shuffled(table, 2, result=1, missing="9D")
    assert table.status()["shoe"]["blocked"] == {"2": "1 9D missing"}
    assert table.table.hold is None  # it belongs to no round
    table.play("9C 7D 9H", "stand 1", "KD", "next", "open", "close", "undo")
    _loaded(table)
    table.device("shuffler", "SHUFFLER_STATE", state=0, set=2, count=0, progress=0)
    table.device("shuffler", "SHUFFLER_STATE", state=1, set=1, count=384, progress=0)
    _loaded(table)
    assert table.status()["shoe"]["set"] == 2
    table.refuses("close", "set 2 is in the shoe and not to be played: 1 9D missing")
    assert "close" not in table.status()["permitted"]
    with pytest.raises(Malformed, match="needs who"):
        table.order("clear-set 2", **NOBODY)
    table.refuses_order("clear-set 1", "set 1 is not blocked")
    table.order("clear-set 2", by="Tan", why="found under the shoe")
    table.say("close")


def test_a_complete_shuffle_clears_the_set() -> None:
    table = Live(MBS)
    table.holds_sets(0, 1)
    _shuffled(table, 2, result=4)
    assert table.status()["shoe"]["blocked"] == {"2": "a foreign card is among them"}
    _shuffled(table, 2)
    assert table.status()["shoe"]["blocked"] == {}


# ---- counting ---------------------------------------------------------------------------------


def test_which_cards_are_left_is_told_to_nobody() -> None:
    table = dealt("9C 7D 9H", rules=RWS)
    told = table.status()["shoe"]
    assert (told["remaining"], told["used"], told["unread"]) == (381, 3, 0)
    numbers = {name for name, value in told.items() if type(value) is int}
    assert numbers == {"full", "gate", "remaining", "used", "unrevealed", "unread"}
    assert (told["burned"], told["blocked"]) == ("", {})


# ---- opening and closing ----------------------------------------------------------------------


def test_two_check_the_cards_of_a_table_that_was_closed() -> None:
    table = Live(DIV)
    _round(table)
    with pytest.raises(Malformed, match="needs who"):
        table.order("close-table", **NOBODY)
    outcome = table.order("close-table", by="Tan", why="end of the day")
    assert outcome.notes[0] == "the table is closed; 380 cards remain in the shoe"
    assert (table.state, table.status()["boxes"]) == ("closed", {})
    assert (table.status()["awaiting"], table.rows()[0]) == ("dealer", "TABLE CLOSED")
    table.refuses("open", "cannot be opened now")
    table.keys("E")
    assert table.status()["awaiting"] == "supervisor"
    table.refuses("inspected", "checked the cards already")
    table.order("open-table", by="Tan", why="start of the day")
    assert table.state == "idle"
    table.refuses("open", "the table was closed: load a shuffled shoe")
    _loaded(table)
    table.say("open")


def test_a_round_is_not_closed_away() -> None:
    table = dealt("9C", rules=RWS)
    table.refuses_order("close-table", "only between rounds")
    table.refuses_order("open-table", "the table is not closed")
    Live().refuses("inspected", "the table is not closed")


def test_new_settings_count_at_once_at_a_closed_table() -> None:
    table = Live(RWS).play("sue: close-table")
    table.start(new=Live(DIV).settings)
    assert table.status()["rules"] == DIV


def test_a_burn_is_asked_for_once_and_only_of_a_new_shoe() -> None:
    table = Live().play("burn")
    table.refuses("burn", r"the card to be burned is awaited \(5\.21; A-38\)")
    table.deal("AS")
    table.refuses("burn", "only the first card of a new shoe is burned")


def test_a_set_that_the_table_does_not_have_is_none_of_its_two() -> None:
    table = Live()
    table.device("shuffler", "SHUFFLER_STATE", state=4, set=3)
    table.device("shuffler", "SHUFFLE_DONE", set=3, result=1)
    assert (table.status()["shoe"]["set"], table.status()["shoe"]["blocked"]) == (None, {})


def test_a_blocked_set_that_is_loaded_is_noted() -> None:
    table = Live()
    _shuffled(table, 1, result=1)
    table.holds_sets(0, 1)
    table.shoe((0, 0))
    outcome = table.shoe((1, 384))
    assert "set 1 is in the shoe and not to be played: " in " ".join(outcome.notes)
