"""Defects planted in the kernel are found by the rounds that ``test_agreement`` plays: in its
source, which runs as it stands, in what it looks up, and in what it makes of a value. And what
chance brings too seldom: the dealer's Pontoon against three hands of a box, of which the original
one was paid or lost before."""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.round.wagers import Limits
from controller.game.rules.cards import parse_card
from figures.kernel import dealer, hands, rounds
from figures.kernel.dealer import has_enough
from figures.kernel.felt import BOXES_MAX, MAIN, Cells
from figures.kernel.hands import double_down
from figures.kernel.rounds import offer
from figures.kernel.settling import paid_21
from figures.kernel.tables import OVER, PONTOON, SHIFTS, Table
from figures.kernel.values import Values
from figures.kernel.words import LINES, count_of, number_of
from proof.agreement.changed import agree_with_changed, changed, unchanged
from proof.agreement.outcomes import as_it_stands
from proof.agreement.played_tables import BothSides, agree
from proof.agreement.tables import Subject, Trial
from tests.figures.kernel.games import SEED
from tests.figures.kernel.test_agreement import ROUNDS, WHERE_IT_MATTERS

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


WITHOUT_TRICKS = [document for document in rule_files() if not unchanged(document).rules.trick]
AT_TABLES = "mbs-pontoon-pandemonium-v5"


def draws_on_soft_17_or_not(values: Values, word: int) -> bool:
    otherwise = 1 - values.dealer_draws_soft_17
    return has_enough(values._replace(dealer_draws_soft_17=otherwise), word)


def stands_on_soft_17(values: Values, word: int) -> bool:
    return has_enough(values._replace(dealer_draws_soft_17=0), word)


def has_aces_of_11_when_doubled(
    values: Values, table: Table, plan: Any, felt: Cells, *given: Any
) -> tuple[int, int, int, int, int]:
    cards, at, word, stake, _hard_aces, up = given
    return double_down(values, table, plan, felt, cards, at, word, stake, 0, up)


def pays_a_split_21_as_a_pontoon(values: Values, table: Table, *given: Any) -> int:
    *_, word, stake, _doubled, split, _step = given
    if split and count_of(word) == 2:
        return int((stake * table[OVER + PONTOON]) >> table[SHIFTS + PONTOON])
    return paid_21(values, table, *given)


def insures_the_whole_wager(
    values: Values, table: Table, plan: Any, felt: Cells, *given: Any
) -> None:
    staked = felt[MAIN : MAIN + BOXES_MAX]
    felt[MAIN : MAIN + BOXES_MAX] = [2 * stake for stake in staked]
    offer(values, table, plan, felt, *given)
    felt[MAIN : MAIN + BOXES_MAX] = staked


@pytest.mark.parametrize("document", WITHOUT_TRICKS)
@pytest.mark.parametrize(
    ("module", "name", "planted"),
    [
        (dealer, "has_enough", draws_on_soft_17_or_not),
        (hands, "double_down", has_aces_of_11_when_doubled),
        (hands, "paid_21", pays_a_split_21_as_a_pontoon),
        (rounds, "offer", insures_the_whole_wager),
    ],
)
def test_what_is_planted_in_the_source_is_found(
    document: str, module: ModuleType, name: str, planted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, planted)
    assert agree(unchanged(document), as_it_stands(), SEED, 0, ROUNDS).difference


@pytest.mark.parametrize("line", ["678_mixed", "777_spades", "cards_7_or_more"])
def test_a_line_of_21_that_pays_more_is_found(line: str) -> None:
    planted = Subject(AT_TABLES, unchanged(AT_TABLES).rules)
    planted.table[OVER + LINES.index(line)] += 1
    assert agree(planted, as_it_stands(), SEED, 0, ROUNDS).difference


def test_a_kernel_that_does_not_ask_for_a_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealer, "has_enough", stands_on_soft_17)
    name, among = 'dealer.soft17 = "stand"', (SEED, 0, 0, WHERE_IT_MATTERS)
    found = agree_with_changed(AT_TABLES, name, as_it_stands(), *among)
    assert "no round is found in which that matters" in found.difference
