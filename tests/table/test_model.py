"""Copies of bets and hands are whole: what a copy forgets would be money lost in a trial."""

from __future__ import annotations

from dataclasses import fields

import pytest

from controller.files.rules import load_rules
from controller.game.round.model import Bet, Hand
from controller.game.round.state import Irregular, Irregularity, Round
from controller.game.round.wagers import Limits
from controller.game.rules.cards import Card


@pytest.mark.parametrize("whole", [Bet(0), Hand(0, 0)])
def test_a_copy_has_every_field(whole: Bet | Hand) -> None:
    for known in fields(whole):
        if known.name not in ("cards", "bets", "beyond"):
            setattr(whole, known.name, f"the {known.name}")
    copy = whole.clone()
    assert copy == whole
    assert copy is not whole


def test_a_copy_of_a_round_has_every_field_and_shares_nothing_that_changes() -> None:
    whole = Round(load_rules("mbs-pontoon-pandemonium-v5"), Limits())
    for part in (whole, whole.irregular):
        for known in fields(part):
            value = getattr(part, known.name)
            if isinstance(value, (str, int, tuple, frozenset)) or value is None:
                setattr(part, known.name, f"the {known.name}")
    whole.irregular.irregularity = Irregularity("other")
    copy = whole.clone()
    assert copy == whole
    for part, copied in ((whole, copy), (whole.irregular, copy.irregular)):
        for known in fields(part):
            value = getattr(part, known.name)
            if known.name != "sheet" and isinstance(
                value, (list, dict, set, Irregularity, Irregular)
            ):
                assert getattr(copied, known.name) is not value


def test_a_copy_is_independent() -> None:
    hand = Hand(1, 1, bets={"a": Bet(100)})
    copy = hand.clone()
    copy.bets["a"].doubled = True
    copy.cards.append(Card(1, 1))
    assert not hand.bets["a"].doubled
    assert hand.cards == []
