"""The dealer's Pontoon against three hands of a box, of which the original one was paid or lost
before: chance brings that too seldom."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from controller.game.rules.cards import parse_card
from figures.kernel.words import number_of
from proof.agreement.changed import changed
from proof.agreement.outcomes import as_it_stands
from proof.agreement.played_tables import BothSides
from proof.agreement.tables import Subject, Trial

DOCUMENT = "division-15-pontoon"
PAID = ("KC KD KH AC KS 9C 8C AD", (0, 3, 3, 1, 1))
"""Against a king kings are split; the original one gets an ace and is paid, the other is split
again, 19 and 18 stand; the dealer has an ace."""
LOST = ("KC KD KH 6C KC KS 9C 8C AD", (0, 3, 0, 3, 1, 1))
"""The same, but the original one gets a six, and busts with a king."""


class Begins(random.Random):
    """Every round begins where cards and tape do."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return 0


@pytest.mark.parametrize(
    ("name", "played", "expected"),
    [
        ("", PAID, {"main win": 1, "split lose": 1, "split returned": 1}),
        ('compare.original_paid = "each_hand_loses"', PAID, {"main win": 1, "split lose": 2}),
        ('compare.original_gone = "obbo"', PAID, {"split lose": 1, "split returned": 1}),
        ("", LOST, {"main lose": 1, "split returned": 2}),
        ('compare.original_gone = "obbo"', LOST, {"main lose": 1, "split returned": 2}),
        (
            'compare.original_gone = "bust_plus_one"',
            LOST,
            {"main lose": 1, "split lose": 1, "split returned": 1},
        ),
    ],
)
def test_what_loses_to_the_dealers_pontoon_is_the_same(
    name: str, played: tuple[str, tuple[int, ...]], expected: dict[str, int]
) -> None:
    subject = changed(DOCUMENT)[name] if name else Subject(DOCUMENT, load_rules(DOCUMENT))
    cards = tuple(number_of(parse_card(card)) for card in played[0].split())
    trial = Trial(Limits(), (1,), (200,), (), (0,), 4, 75, played[1], cards * 3)
    seen, chance = Counter[str](), Begins()
    assert BothSides(subject, as_it_stands(), trial, 1, chance, seen).round(chance)
    assert {what: seen[what] for what in expected} == expected
