"""Defects planted in the kernel are found by the rounds that ``test_agreement`` plays: in its
source, which runs as it stands, in what it looks up, and in what it makes of a value."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from controller.files.rules import rule_files
from figures.kernel import dealer, hands, rounds
from figures.kernel.dealer import has_enough
from figures.kernel.felt import BOXES_MAX, MAIN, Cells
from figures.kernel.hands import double_down
from figures.kernel.rounds import offer
from figures.kernel.settling import paid_21
from figures.kernel.tables import OVER, PONTOON, SHIFTS, Table
from figures.kernel.values import Values
from figures.kernel.words import LINES, count_of
from proof.agreement.changed import agree_with_changed, unchanged
from proof.agreement.outcomes import as_it_stands
from proof.agreement.played_tables import agree
from proof.agreement.tables import Subject
from tests.figures.kernel.games import SEED
from tests.figures.kernel.test_agreement import ROUNDS, WHERE_IT_MATTERS

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
