"""Squeezed cards and what goes wrong with them: they stay face down through every remedy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hil_tests.benches.driven_table import FACE_UP, LOCKED
from tests.table.live.driver import ALL, PLUS, Live, betting


def _squeezed(cards: str, table: Live | None = None) -> Live:
    """Box 1 squeezes, and these cards are dealt."""
    table = table or betting("1 main 10, 2 main 10", PLUS)
    table.say("squeeze 1", "close")
    table.deal(cards)
    return table


def test_a_card_face_up_for_a_box_that_squeezes_is_the_supervisors() -> None:
    table = _squeezed("")
    table.slip("9C", FACE_UP)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("card-face-up", ["use", "discard", "void"])
    table.order("use")
    assert table.hand() == "??"


def test_a_card_kept_back_comes_before_one_drawn_after_it() -> None:
    table = _squeezed("5C 8C 7D 6H 9C")
    table.slip("2S", LOCKED)
    assert table.status()["held"]["fault"] == "card-locked"
    table.play("sue: reconstruct", "reveal 1")
    assert (table.hand(), table.hand(2)) == ("5C 6H", "8C 9C")
    table.say("hit 1", "reveal 1")
    assert table.hand() == "5C 6H 2S"


def _decided_wrongly() -> Live:
    """Box 1 was given two cards, of which the second lies face down, and should not have been."""
    table = _squeezed("2C 8C 7D 3H 9C")
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
    table.start("boot-1", replace(table.settings, rules=replace(rules, irregularities=cases)))
    for name in ALL:
        table.up(name)
    table.say("open", "wager 1 main 10", "wager 2 main 10")
    return table


def test_a_card_kept_back_is_not_among_the_discards_that_are_shuffled() -> None:
    table = _squeezed("5C 8C 7D 2H 9C", _with_discards_shuffled())
    table.play("sue: report shoe-empty", "sue: reshuffle")
    out = ["2H", "5C", "7D", "8C", "9C"]
    assert sorted(map(str, table.table.shoe.used)) == out
    table.play("reveal 1", "KC")
    table.device("shoe", "SHOE_STATE", state=1, remaining=378)
    assert table.hand() == "5C 2H ??"
    assert sorted(map(str, table.table.shoe.used)) == [*out, "KC"]
