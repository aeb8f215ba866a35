"""Squeezed cards lie face down: nothing shows them before the dealer turns them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from controller.replay.replay import _round
from hil_tests.benches.driven_table import FACE_UP, LOCKED
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, betting


def _squeezed(wagers: str = "1 main 10, 2 main 10", *boxes: int) -> Live:
    table = betting(wagers, PLUS)
    table.say(*(f"squeeze {box}" for box in boxes or (1,)), "close")
    return table


def _hands(table: Live, box: int) -> list[tuple[str, int]]:
    return [(hand["cards"], hand["total"]) for hand in table.status()["boxes"][str(box)]["hands"]]


def _nowhere(table: Live, *cards: str) -> None:
    """None of these cards can be read anywhere, nor what follows from them."""
    shown = [table.status(), table.wants().rows, _round(table.table)]
    notes = [note for outcome in table.outcomes for note in outcome.notes]
    for text in [*map(json.dumps, shown), *notes]:
        assert not [card for card in cards if card in text], text


def test_nothing_is_shown_or_settled_before_all_are_revealed() -> None:
    table = _squeezed("1 main 10, 1 pair 5, 1 bonus 5, 2 main 10", 1)
    assert table.rows()[0] == "CARD TO BOX 1: DOWN"
    assert "box 1 squeezes: face down" in table.status()["prompt"]
    table.deal("AS 8C 7D AH")
    assert _hands(table, 1) == [("?? ??", 0)]
    assert _hands(table, 2) == [("8C", 8)]
    table.deal("9C")
    told = table.status()
    assert (_hands(table, 1), _hands(table, 2)) == ([("?? ??", 0)], [("8C 9C", 17)])
    assert (told["settlements"], told["due"], told["turn"]) == ([], [], None)
    assert told["permitted"] == ["reveal 1", "shuffle 1", "shuffle 2"]
    assert (told["awaiting"], table.wants().gate_cards) == ("dealer", 0)
    assert table.rows()[0] == "REVEAL BOX 1: F"
    assert (told["shoe"]["unrevealed"], told["shoe"]["remaining"]) == (2, 379)
    _nowhere(table, "AS", "AH")
    for command in ("stand 1", "done", "hit 1", "surrender 1"):
        table.refuses(command, r"box 1 is to be revealed first \(3\.12; A-55\)")
    table.say("reveal 1")
    assert _hands(table, 1) == [("AS AH", 12)]
    assert [made["kind"] for made in table.status()["settlements"]] == ["pair", "bonus"]
    assert table.status()["shoe"]["unrevealed"] == 0
    assert table.state == "play.decide"


def test_a_last_box_that_squeezes_is_kept_back_too() -> None:
    table = _squeezed("1 main 10, 2 main 10", 2)
    table.deal("9C 8C 7D 9H KS")
    assert _hands(table, 2) == [("?? ??", 0)]
    _nowhere(table, "8C", "KS")
    assert table.status()["shoe"]["unrevealed"] == 2


def test_every_box_that_squeezes_is_turned() -> None:
    table = _squeezed("1 main 10, 2 main 10, 3 main 10", 1, 3)
    table.deal("9C 8C 5S 7D 9H KS KD")
    assert table.status()["permitted"][:2] == ["reveal 1", "reveal 3"]
    table.say("reveal 3")
    assert _hands(table, 3) == [("5S KD", 15)]
    _nowhere(table, "9C", "9H")
    assert table.status()["settlements"] == []
    table.refuses("reveal 3", "box 3 has nothing to reveal now; to be revealed: 1")
    table.say("reveal 1")
    assert table.state == "play.decide"


def test_a_card_drawn_later_lies_face_down_again() -> None:
    table = _squeezed()
    table.play("5C 8C 7D 6H 9C", "reveal 1", "hit 1")
    assert "box 1 squeezes: face down" in table.status()["prompt"]
    table.deal("KS")
    assert _hands(table, 1) == [("5C 6H ??", 0)]
    assert (table.state, table.status()["settlements"]) == ("play.decide", [])
    _nowhere(table, "KS")
    table.keys("F")
    assert _hands(table, 1) == [("5C 6H KS", 21)]
    assert [made["outcome"] for made in table.status()["settlements"]] == ["win"]
    table.deal("2S")  # to box 2, which does not squeeze
    assert _hands(table, 2) == [("8C 9C 2S", 19)]


def test_a_doubled_and_a_split_hand() -> None:
    table = _squeezed("1 main 10")
    table.play("8C 7D 8H", "reveal 1", "split 1", "3S")
    assert _hands(table, 1) == [("8C ??", 0), ("8H", 8)]
    table.play("reveal 1", "double 1 10", "5D")
    assert _hands(table, 1) == [("8C 3S ??", 0), ("8H", 8)]
    assert table.status()["permitted"][0] == "reveal 1"
    table.say("reveal 1")
    assert table.state == "play.withdraw"
    table.deal("9D")  # the next hand's: the window closes with it, once it is turned
    assert (table.state, _hands(table, 1)[1]) == ("play.withdraw", ("8H ??", 0))
    table.say("reveal 1")
    assert table.status()["turn"] == {"box": 1, "hand": 2}


def test_a_card_that_must_be_looked_at_is_not_named() -> None:
    table = _squeezed()
    table.slip("5C", 8)
    held = table.status()["held"]
    assert (held["fault"], held["cards"]) == ("card-locked", ["??"])
    assert held["reason"].startswith("?? was drawn while the gate was locked (5.9)")
    _nowhere(table, "5C")
    table.play("sue: reconstruct", "done")
    _nowhere(table, "5C")
    assert _hands(table, 1) == [("??", 0)]


def test_an_unread_card_is_named_and_still_lies_face_down() -> None:
    table = _squeezed()
    table.slip("??")
    table.order("card 5C")
    assert _hands(table, 1) == [("??", 0)]
    assert table.status()["shoe"]["unrevealed"] == 1


def test_an_entry_too_late_does_not_hear_the_card() -> None:
    table = _squeezed()
    table.play("5C 8C 7D 6H 9C", "reveal 1")
    number = table.enter("stand 1").entry
    table.slip("KS")
    outcome = table.lock(entry=number)
    assert outcome.answered[0].refused.startswith("a card left the shoe before it")
    _nowhere(table, "KS")


def test_granted_and_taken_back_before_the_cards() -> None:
    table = betting(rules=PLUS)
    assert "squeeze BOX" in table.status()["permitted"]
    table.say("squeeze 1")
    assert table.status()["squeezed"] == [1]
    table.refuses("squeeze 1", "box 1 squeezes already")
    table.say("squeeze 1 0")
    table.refuses("squeeze 1 0", "box 1 does not squeeze")
    table.say("squeeze 2", "undo", "close")
    assert table.status()["squeezed"] == []
    assert "squeeze 1" in table.status()["permitted"]
    assert table.status()["awaiting"] == "card"
    table.say("squeeze 1")
    table.refuses("squeeze 2", "there is no box 2 in play")
    table.deal("5C")
    table.refuses("squeeze 1 0", "before the cards of the round")
    assert _hands(table, 1) == [("??", 0)]


def test_it_is_for_one_round() -> None:
    table = _squeezed("1 main 10")
    table.play("KC 7D 8H", "reveal 1", "stand 1", "KD", "next", "open")
    assert table.status()["squeezed"] == []


@pytest.mark.parametrize("cards", ["5C 8C 7D", "5C 8C 7D 6H 9C"])
def test_a_void_round_shows_nothing_more(cards: str) -> None:
    table = _squeezed()
    table.deal(cards)
    table.order("void")
    assert table.state == "void"
    assert set(_hands(table, 1)[0][0].split()) == {"??"}
    table.play("next", "open", "close", "5C")


def test_a_round_void_while_a_card_is_kept_back() -> None:
    table = _squeezed()
    table.play("5C 8C 7D 6H 9C", "reveal 1", "KS", "sue: void")
    assert _hands(table, 1) == [("5C 6H", 11)]
    assert {made["outcome"] for made in table.status()["settlements"]} == {"returned"}
    assert table.status()["shoe"]["remaining"] == 378


@pytest.mark.parametrize(
    ("rules", "clause"),
    [(RWS, "3.6"), (MBS, "3.18"), (DIV, "4.2"), (FIVE, "[Deal]")],
)
def test_rules_without_squeezing(rules: str, clause: str) -> None:
    table = betting(rules=rules)
    for command in ("squeeze 1", "reveal 1"):
        assert table.refuses(command, "do not let players squeeze").clause == clause
    assert not [text for text in table.status()["permitted"] if text.startswith("squeeze")]


def test_keys() -> None:
    table = betting(rules=PLUS)
    assert table.keys("F") == "NO: B AND BOX FIRST"
    assert table.keys("B1 F") == "OK 1 DOWN"
    assert table.status()["squeezed"] == [1]
    assert table.keys("F") == "OK 1 FACE UP"
    assert table.status()["squeezed"] == []
    table.keys("F N")
    table.deal("5C 7D 6H")
    assert table.keys("F") == "OK 1 TURNED"
    assert table.state == "play.decide"


def test_the_journal_tells_the_truth_and_replays() -> None:
    table = _squeezed()
    table.deal("5C 8C 7D 6H 9C")
    other = table.replayed()
    assert [str(loose.card) for loose in other.dealing.drawn] == ["5C", "8C", "7D", "6H", "9C"]
    assert other.dealing.kept is not None


# Squeezed cards and what goes wrong with them ----------------------------------------------------


def test_a_card_face_up_for_a_box_that_squeezes_is_the_supervisors() -> None:
    table = _squeezed()
    table.slip("9C", FACE_UP)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("card-face-up", ["use", "discard", "void"])
    table.order("use")
    assert table.hand() == "??"


def test_a_card_kept_back_comes_before_one_drawn_after_it() -> None:
    table = _squeezed().play("5C 8C 7D 6H 9C")
    table.slip("2S", LOCKED)
    assert table.status()["held"]["fault"] == "card-locked"
    table.play("sue: reconstruct", "reveal 1")
    assert (table.hand(), table.hand(2)) == ("5C 6H", "8C 9C")
    table.say("hit 1", "reveal 1")
    assert table.hand() == "5C 6H 2S"


def _decided_wrongly() -> Live:
    """Box 1 was given two cards, of which the second lies face down, and should not have been."""
    table = _squeezed().play("2C 8C 7D 3H 9C")
    table.play("reveal 1", "4S", "reveal 1", "5D")
    assert table.hand() == "2C 3H 4S ??"
    table.play("sue: report wrong-decision 1", "sue: reconstruct")
    return table


def test_a_card_kept_back_is_put_back_with_those_before_it() -> None:
    table = _decided_wrongly()
    assert table.hand() == "2C 3H"
    table.say("hit 1")
    assert table.hand() == "2C 3H ??"
    table.say("reveal 1")
    assert table.hand() == "2C 3H 4S ??"  # it must draw
    table.say("reveal 1")
    assert table.hand() == "2C 3H 4S 5D"


@pytest.mark.parametrize("judged_first", [False, True])
def test_a_card_kept_back_can_be_corrected(judged_first: bool) -> None:
    table = _decided_wrongly()
    table.play("hit 1", "sue: correct 6 6S")
    if judged_first:
        table.order("done")
        assert table.hand() == "2C 3H ??"
    table.say("reveal 1")
    assert table.hand() == "2C 3H 6S ??"
    counted = sorted(str(card) for card, count in table.table.shoe.used.items() if count)
    assert counted == ["2C", "3H", "5D", "6S", "7D", "8C", "9C"]


def _with_discards_shuffled() -> Live:
    """A table of rules that squeeze and that go on with the shuffled discards."""
    table = Live(PLUS)
    rules = table.settings.rules
    cases = tuple(
        replace(case, remedies=("reshuffle",)) if case.trigger == "shoe-empty" else case
        for case in rules.irregularities
    )
    table.restart("boot-1", replace(table.settings, rules=replace(rules, irregularities=cases)))
    table.say("open", "wager 1 main 10", "wager 2 main 10")
    return table


def test_a_card_kept_back_is_not_among_the_discards_that_are_shuffled() -> None:
    table = _with_discards_shuffled().play("squeeze 1", "close", "5C 8C 7D 2H 9C")
    table.play("sue: report shoe-empty", "sue: reshuffle")
    out = ["2H", "5C", "7D", "8C", "9C"]
    assert sorted(map(str, table.table.shoe.used)) == out
    table.play("reveal 1", "KC")
    table.shoe((1, 378))
    assert table.hand() == "5C 2H ??"
    assert sorted(map(str, table.table.shoe.used)) == [*out, "KC"]
