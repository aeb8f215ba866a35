"""The strategies of :mod:`figures.rounds.strategies` as policies of the kernel.

A strategy says what it does of what may be done. Asked again without that, it says what comes next;
so every preference comes about that any permitted choice may need. A hand of more than two cards
is asked about as if all since then were bought: where one was taken free, none is bought any more,
and what else there is grows alike with what is staked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from controller.game.rules.cards import ACE, TEN, hand_total
from controller.game.rules.schema import RuleSet
from figures.edges.exactly import SEVEN
from figures.kernel import choices
from figures.kernel.plans import FirstTwo, Later, Policy, Preferences
from figures.kernel.words import SOFT_BY, SOFT_TO
from figures.rounds.strategies import STRATEGIES, Situation, Strategy

CHOICES: Final = {
    "stand": choices.STAND,
    "double": choices.DOUBLE,
    "split": choices.SPLIT,
    "buy": choices.BUY,
    "surrender": choices.SURRENDER,
}


def policy_of(name: str, rules: RuleSet, *, insures: bool = False) -> Policy:
    """The policy of a strategy by its name under these rules; it may insure wherever offered.

    Raises:
        LookupError: there is no such strategy.
    """
    strategy = STRATEGIES[name](rules)
    below = rules.double.withdraw_below.value if rules.double else 0

    def first_two(at: FirstTwo) -> Preferences:
        cards = (at.first, at.second)
        may = _may(rules, hand_total(cards), first=True)
        if at.first.points == at.second.points:
            may.add("split")
        if not at.split:
            may.add("surrender")
        ranks = (at.first.rank, at.second.rank)
        return _preferred(strategy, ranks, hand_total(cards), at.against, may, split=at.split)

    def later(at: Later) -> Preferences:
        ranks, bought = _ranks(at), at.cards - 2 if rules.buy else 0
        total = at.hard + (SOFT_BY if at.ace and at.hard <= SOFT_TO else 0)
        may = _may(rules, total, first=False)
        if not ranks:
            return [choices.HIT]
        return _preferred(strategy, ranks, total, at.against, may, bought=bought)

    def withdraws(total: int, against: int) -> bool:
        return total < below and strategy.withdraws(total, against)

    return Policy(first_two, later, withdraws, insures)


def _may(rules: RuleSet, total: int, *, first: bool) -> set[str]:
    """What may be done with a hand of that total, beside what only two cards permit."""
    may = {"stand"} if total >= rules.stand.minimum.value else set()
    if rules.double and (first or rules.double.cards.value == "any"):
        may.add("double")
    if rules.buy:
        may.add("buy")
    return may


def _preferred(
    strategy: Strategy,
    ranks: tuple[int, ...],
    total: int,
    against: int,
    may: Iterable[str],
    *,
    split: bool = False,
    bought: int = 0,
) -> Preferences:
    """All that is done, each where nothing before it is permitted; a hit always is."""
    left, preferred = frozenset(may), []
    while left:
        step = strategy.decide(Situation(ranks, total, against, left, split, bought))
        if step not in CHOICES:
            break
        preferred.append(CHOICES[step])
        left -= {step}
    return [*preferred, choices.HIT]


def _ranks(at: Later) -> tuple[int, ...]:
    """Cards that such a hand may have; none where there is no such hand."""
    left, least = at.hard - at.ace, ACE if at.ace else ACE + 1
    ranks = [ACE] if at.ace else []
    for behind in range(at.cards - len(ranks) - 1, -1, -1):
        rank = min(TEN, left - behind * least)
        if rank < least:
            return ()
        ranks.append(rank)
        left -= rank
    return tuple(ranks) if left == 0 else ()


def hitting_sevens(policy: Policy) -> Policy:
    """The same, but two sevens of one suit are hit against a seven, for the Super Bonus."""

    def first_two(at: FirstTwo) -> Preferences:
        sevens = at.first.rank == at.second.rank == at.against == SEVEN
        if sevens and at.first.suit == at.second.suit and not at.split:
            return [choices.HIT]
        return policy.first_two(at)

    return policy._replace(first_two=first_two)
