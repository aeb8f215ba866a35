"""Cards that are doubted are out of play from the round's end, whatever the remedy: until a
supervisor says otherwise, or other or freshly shuffled cards are loaded."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from controller.files.rules import load_rules
from hil_tests.benches.driven_table import FOREIGN
from tests.table.live.driver import DIV, EVERY, FIVE, MBS, PLUS, RWS, Live, dealt, live

WORDS = {
    "unshuffled": "the cards were not shuffled",
    "count": "cards are missing or too many",
    "foreign": "a card that does not belong to the set",
}
CLAUSES = {
    # MBS 5.1; Pontoon Plus 5.5.1, 5.5.2, 5.5.4; RWS Pandemonium 5.1.1 knows foreign cards only.
    MBS: dict.fromkeys(WORDS, "5.1.1"),
    PLUS: {"unshuffled": "5.5.4", "count": "5.5.2", "foreign": "5.5.1"},
    RWS: {"foreign": "5.1.1"},
    # Division 15 says nothing of them: matrix A-66.
    DIV: dict.fromkeys(WORDS, "A-66"),
    FIVE: dict.fromkeys(WORDS, "matrix 3.5"),
}


def out_of_play(table: Live, words: str = "") -> None:
    told = table.status()
    assert told["shoe"]["shuffle_due"]
    assert "open" not in told["permitted"]
    assert f"these cards are out of play: {words}" in told["prompt"]
    table.refuses("open", "these cards are out of play")


def in_play(table: Live) -> None:
    told = table.status()
    assert (told["shoe"]["shuffle_due"], told["held"]) == (False, None)
    assert "out of play" not in told["prompt"]
    table.say("open")


def reported(trigger: str, rules: str, remedy: str = "void", **more: Any) -> Live:
    """A round of box 1 in which that is reported, to its end."""
    table = dealt("9C 7D 9H", rules=rules, **more).play(f"report {trigger}")
    table.order(remedy)
    if remedy != "void":
        table.play("stand 1", "KD")
    return table


# ---- what takes cards out of play -------------------------------------------------------------


@pytest.mark.parametrize("trigger", WORDS)
@pytest.mark.parametrize("rules", EVERY)
def test_a_reported_set_is_out_of_play_in_every_document(rules: str, trigger: str) -> None:
    table = reported(trigger, rules)
    words = f"{WORDS[trigger]} (round 1, {CLAUSES[rules].get(trigger, '')}"
    out_of_play(table, words)
    table.say("next")
    out_of_play(table, words)
    assert table.rows()[0] == "SHUFFLE FIRST"
    table.order("play-on")
    in_play(table)


@pytest.mark.parametrize("trigger", WORDS)
@pytest.mark.parametrize("rules", [DIV, FIVE])
def test_whatever_the_remedy(rules: str, trigger: str) -> None:
    """Where the document says nothing, the round may go on; the set does not."""
    table = reported(trigger, rules, "continue")
    assert table.state == "settled"
    assert [s["net"] for s in table.status()["settlements"]] == ["10.00"]
    out_of_play(table, WORDS[trigger])


def test_the_round_is_finished_first() -> None:
    table = dealt("9C 7D 9H", rules=DIV).play("report unshuffled", "sue: continue")
    assert not table.status()["shoe"]["shuffle_due"]
    table.play("hit 1", "2C")


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize(("card", "flags"), [("9H", FOREIGN), ("TH", 0)], ids=["back", "ten"])
def test_a_card_that_the_set_has_not(rules: str, card: str, flags: int) -> None:
    table = dealt("9C 7D", rules=rules)
    if rules == FIVE and not flags:
        return  # tens are in it
    table.slip(card, flags)
    table.order("void")
    out_of_play(table, WORDS["foreign"])


@pytest.mark.parametrize("rules", EVERY)
def test_nine_aces_of_spades_of_eight_decks(rules: str) -> None:
    table = live("1 main 10, 2 main 10, 3 main 10, 4 main 10", rules=rules)
    for _ in range(9):
        table.slip("AS")
    assert table.status()["held"]["fault"] == "card-excess"
    table.order("void")
    out_of_play(table, f"{WORDS['count']} (round 1")
    table.play("sue: play-on", "next", "open", "close", "9C 9D 9H 9S 7C 8C 8D 8H 8S", "sue: void")
    assert table.status()["shoe"]["shuffle_due"] is False  # this round gave no reason


def test_one_that_proved_to_be_misread_is_no_card_too_many() -> None:
    table = dealt("9C 7D", rules=DIV, decks=1)
    table.slip("9C")
    assert table.status()["held"]["fault"] == "card-excess"
    table.play("sue: correct 1 9D", "stand 1", "KD")
    assert table.state == "settled"
    in_play(table)


def test_a_misread_card_that_is_said_when_the_round_is_over_puts_the_set_back() -> None:
    """By a house's document that uses a card too many."""
    rules = load_rules(DIV)
    cases = tuple(
        dataclasses.replace(case, remedies=("use",)) if case.trigger == "count" else case
        for case in rules.irregularities
    )
    table = Live(dataclasses.replace(rules, irregularities=cases), decks=1)
    table.play("open", "wager 1 main 10", "close", "9C 7D")
    table.slip("9C")
    table.play("sue: use", "stand 1", "KD")
    out_of_play(table, f"{WORDS['count']} (round 1, A-66)")
    table.play("sue: correct 1 9D", "sue: done")
    in_play(table)


def test_a_report_that_is_taken_back_was_none() -> None:
    table = dealt("9C 7D 9H", rules=MBS).play("report unshuffled", "undo", "stand 1", "KD")
    in_play(table)


@pytest.mark.parametrize(("card", "flags"), [("9C", FOREIGN), ("TC", 0), ("15", 0)])
def test_a_foreign_card_between_rounds(card: str, flags: int) -> None:
    table = Live(RWS)
    if card == "15":
        table.device("shoe", "CARD", rank=15, suit=1, flags=0, card_uid=0, remaining=0xFFFF)
    else:
        table.slip(card, flags)
    assert table.status()["held"]["fault"] == "card-foreign"
    table.order("discard")
    out_of_play(table, f"{WORDS['foreign']} (after round 0)")


def test_one_too_many_between_rounds() -> None:
    table = Live(RWS, decks=1)
    table.slip("9C")
    table.order("discard")
    in_play(table.copy())
    table.slip("9C")
    table.order("discard")
    out_of_play(table, f"{WORDS['count']} (after round 0)")


def test_a_foreign_card_while_bets_are_open_keeps_them_open() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "burn")
    table.slip("9C", FOREIGN)
    table.order("discard")
    table.refuses("close", "these cards are out of play")
    table.play("sue: play-on", "2C", "close")


def test_two_doubts_are_both_told() -> None:
    table = dealt("9C 7D", rules=DIV)
    table.slip("9H", FOREIGN)
    table.play("sue: discard", "report unshuffled", "sue: void")
    out_of_play(table)
    prompt = table.status()["prompt"]
    assert f"{WORDS['foreign']} (round 1, A-66); {WORDS['unshuffled']} (round 1, A-66)" in prompt


# ---- what ends it -----------------------------------------------------------------------------


def _loaded(table: Live) -> None:
    for state, remaining in ((2, 300), (0, 0), (1, 384)):
        table.shoe((state, remaining))


def _shuffled(table: Live, number: int) -> None:
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=number, count=384, progress=0)
    table.device("shuffler", "SHUFFLE_DONE", set=number, count=384, result=0)
    table.device("shuffler", "SHUFFLER_STATE", state=3, set=number, count=384, progress=0)


def known_set(trigger: str = "unshuffled") -> Live:
    """Set 2 is in the shoe, and was reported."""
    table = Live(RWS)
    table.holds_sets(1, 0)
    assert table.status()["shoe"]["set"] == 2
    table.play("open", "wager 1 main 10", "close", "9C 7D 9H", f"report {trigger}", "sue: void")
    assert list(table.status()["shoe"]["blocked"]) == ["2"]
    out_of_play(table, WORDS[trigger])
    return table


@pytest.mark.parametrize("trigger", WORDS)
@pytest.mark.parametrize("command", ["play-on", "clear-set 2"])
def test_a_supervisor_lets_the_set_be_played(trigger: str, command: str) -> None:
    table = known_set(trigger)
    table.refuses("open", r"the supervisor may let it go on \(play-on, or clear-set 2")
    table.order(command)
    assert table.status()["shoe"]["blocked"] == {}
    in_play(table)


@pytest.mark.parametrize("trigger", ["count", "foreign"])
def test_another_set_is_played_and_that_one_once_it_was_shuffled(trigger: str) -> None:
    table = known_set(trigger)
    table.say("next")
    table.holds_sets(0, 0)
    table.shoe((0, 0))
    table.holds_sets(0, 1)
    _loaded(table)
    told = table.status()["shoe"]
    assert (told["set"], list(told["blocked"])) == (1, ["2"])
    in_play(table)
    _shuffled(table, 2)
    assert table.status()["shoe"]["blocked"] == {}


@pytest.mark.parametrize("trigger", ["count", "foreign"])
def test_the_same_set_put_back_is_still_blocked(trigger: str) -> None:
    """Shuffled it is as incomplete, or impure, as before."""
    table = known_set(trigger)
    table.say("next")
    _loaded(table)
    assert table.status()["shoe"]["set"] == 2
    said = f"set 2 is in the shoe and not to be played: {WORDS[trigger]} .round 1, "
    table.refuses("open", said)
    table.order("clear-set 2")
    in_play(table)


def test_a_set_that_was_only_unshuffled_is_played_once_a_full_one_is_loaded() -> None:
    table = known_set("unshuffled")
    table.say("next")
    _loaded(table)
    told = table.status()["shoe"]
    assert (told["set"], told["blocked"]) == (2, {})
    in_play(table)


def test_unshuffled_and_foreign_is_more_than_unshuffled() -> None:
    table = Live(DIV)
    table.holds_sets(1, 0)
    table.play("open", "wager 1 main 10", "close", "9C 7D")
    table.slip("9H", FOREIGN)
    table.play("sue: discard", "report unshuffled", "sue: void", "next")
    _loaded(table)
    assert list(table.status()["shoe"]["blocked"]) == ["2"]


def test_what_the_shuffler_found_in_it_stays_when_it_was_shuffled_by_hand() -> None:
    table = known_set("unshuffled")
    table.table.shoe.sets.blocked[2] = "1 9D missing"
    table.say("next")
    _loaded(table)
    assert table.status()["shoe"]["blocked"] == {"2": "1 9D missing"}


def test_play_on_is_said_of_the_set_in_the_shoe_whatever_blocks_it() -> None:
    table = known_set("count").play("next")
    _loaded(table)
    assert not table.status()["shoe"]["shuffle_due"]
    table.refuses("open", "set 2 is in the shoe and not to be played")
    table.order("play-on")
    assert table.status()["shoe"]["blocked"] == {}
    in_play(table)


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize("trigger", WORDS)
def test_other_cards_in_a_shoe_whose_set_is_not_known(rules: str, trigger: str) -> None:
    table = reported(trigger, rules, devices=("shoe",))
    table.say("next")
    table.shoe((1, table.settings.shoe_size))
    in_play(table)


def test_a_shoe_that_only_starts_anew_holds_no_other_cards() -> None:
    table = live(rules=MBS).play("report unshuffled", "sue: void")
    out_of_play(table)
    table.up("shoe", new_session=True)
    table.shoe((1, 384))
    out_of_play(table, WORDS["unshuffled"])
    _loaded(table)
    in_play(table)


def test_cards_that_were_exchanged_in_the_round_are_others() -> None:
    table = dealt("9C 7D 9H", rules=MBS).play("report unshuffled")
    table.shoe((0, 0), (1, 384))
    table.order("void")
    in_play(table)


def test_play_on_is_said_once_for_a_round() -> None:
    """Corrected afterwards, the round is over again, and gives no other reason."""
    table = reported("count", DIV, "continue")
    table.play("sue: play-on", "sue: correct 1 8C", "sue: done")
    assert table.state == "settled"
    in_play(table)


def test_the_next_round_may_doubt_them_again() -> None:
    table = reported("count", DIV, "continue")
    table.play("sue: play-on", "next", "open", "close", "9C 7D 9H", "report count", "sue: continue")
    table.play("stand 1", "KD")
    out_of_play(table, f"{WORDS['count']} (round 2")


def test_beside_the_cutting_card_both_are_told() -> None:
    table = dealt("9C 7D 9H", rules=DIV)
    table.device("shoe", "CUTTING_CARD", remaining=60)
    table.play("report foreign", "sue: continue", "stand 1", "KD")
    table.refuses("open", r"does not belong.*; the cutting card has come: load")
