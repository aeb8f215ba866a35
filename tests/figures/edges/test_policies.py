"""Policies of the kernel: what they do of what may be done is what their strategy decides, hand by
hand, with the cards that there are."""

from __future__ import annotations

import random
from functools import cache

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.round.wagers import Limits
from controller.game.rules.schema import RuleSet
from figures.edges.policies import CHOICES, policy_of
from figures.games.games import UNIT, full_shoe
from figures.kernel.choices import HIT, SPLIT, SURRENDER, choose
from figures.kernel.endings import is_ended, may_do
from figures.kernel.plans import COUNTS, FIRSTS, HALVES, LATER, PAIRED, UPS, WITHDRAWS, new_plan
from figures.kernel.tables import new_table
from figures.kernel.values import Values, values_of
from figures.kernel.words import ACE_AT, CARDS, FIELD, HARD, MOST, card_of, total_of, word_of
from figures.rounds.strategies import STRATEGIES, Situation, Strategy

HANDS = 3_000
NAMES = {choice: name for name, choice in CHOICES.items()} | {HIT: "hit"}
MOST_CARDS = 7


class Decisions:
    """A strategy, and the kernel's plan made of it."""

    def __init__(self, name: str, rules: RuleSet) -> None:
        self.strategy: Strategy = STRATEGIES[name](rules)
        self.rules, self.table = rules, new_table(rules)
        self.values: Values = values_of(rules, Limits(min=UNIT))
        self.plan = new_plan(self.values, policy_of(name, rules))
        self.shoe = full_shoe(rules, 1)

    def compared(self, chance: random.Random) -> tuple[Situation, str, str] | None:
        """A hand by chance, what the strategy decides and what the plan does; None where nothing is
        to be decided."""
        count = chance.choice([2, 2, *range(3, MOST_CARDS + 1)])
        up, *numbers = chance.sample(self.shoe, count + 1)
        cards = [card_of(number) for number in numbers]
        word = sum(map(word_of, cards))
        total, split = total_of(word), count == 2 and chance.random() < 0.3
        hard = sum(card.points for card in cards)
        if hard > MOST or is_ended(self.values, total, total != hard, count, int(split)):
            return None
        may = may_do(self.values, word, total, UNIT, 0)
        if count == 2:
            same = cards[0].rank == cards[1].rank or not self.values.split_by_rank
            may |= (same and cards[0].points == cards[1].points) << SPLIT
            may |= (not split) << SURRENDER
        may = sum(1 << choice for choice in NAMES if may >> choice & 1 and chance.random() < 0.8)
        may |= 1 << HIT
        names = frozenset(name for name, choice in CHOICES.items() if may >> choice & 1)
        ranks = tuple(card.rank for card in cards)
        # Where a card can still be bought, all since the first two were.
        bought = 0
        if self.rules.buy:
            bought = count - 2 if "buy" in names else chance.randint(0, count - 2)
        at = Situation(ranks, total, card_of(up).rank, names, split, bought)
        entry = self.plan[self._place(numbers, word, split) + card_of(up).points - 1]
        return at, self.strategy.decide(at), NAMES[choose(self.table, [], entry, may)]

    def _place(self, numbers: list[int], word: int, split: bool) -> int:
        if len(numbers) == 2:
            pair = self.plan[PAIRED + numbers[0] * CARDS + numbers[1]]
            return (HALVES if split else FIRSTS) + pair * UPS
        ace = bool(word >> ACE_AT & FIELD)
        count = min(len(numbers), COUNTS - 1)
        return LATER + ((count * 2 + ace) * 32 + (word & HARD)) * UPS


@cache
def decisions(name: str, document: str) -> Decisions:
    return Decisions(name, load_rules(document))


@pytest.mark.parametrize("document", list(rule_files()))
@pytest.mark.parametrize("name", list(STRATEGIES))
def test_what_the_plan_does_is_what_the_strategy_decides(name: str, document: str) -> None:
    chance, said = random.Random(1), []
    for _ in range(HANDS):
        if found := decisions(name, document).compared(chance):
            at, decided, done = found
            assert done == decided, at
            said.append(done)
    assert len(said) > HANDS / 3
    assert {"hit", "stand", "split"} <= set(said)


@pytest.mark.parametrize("document", list(rule_files()))
@pytest.mark.parametrize("name", list(STRATEGIES))
def test_a_doubled_part_is_taken_back_where_the_strategy_does(name: str, document: str) -> None:
    asked = decisions(name, document)
    below = asked.values.withdraw_below
    for total in range(4, MOST):
        for up in {card_of(number) for number in asked.shoe}:
            done = asked.plan[WITHDRAWS + total * UPS + up.points - 1]
            decided = total < below and asked.strategy.withdraws(total, up.rank)
            assert bool(done) == decided, (total, up)
    assert (name == "basic" and below > 0) == any(asked.plan[WITHDRAWS : WITHDRAWS + MOST * UPS])
