"""Tables as a policy by which the kernel plays."""

from __future__ import annotations

from figures.kernel.choices import HIT, SPLIT, STAND
from figures.kernel.plans import COUNTS, FIRSTS, UPS, FirstTwo, Later, Policy, Preferences, new_plan
from figures.kernel.words import class_of
from figures.strategy.model import GameModel
from figures.strategy.preferring import NOTHING, Tables
from figures.strategy.shoes import Whole


def policy_of(model: GameModel, tables: Tables) -> Policy:
    """What the tables say, asked as the kernel asks."""
    hands, groups = model.hands, tables.groups
    keys = zip(hands.cards, hands.aces > 0, hands.hard, groups.later, strict=True)
    places = {
        (min(int(cards), COUNTS - 1), bool(ace), int(hard), way): int(group)
        for cards, ace, hard, of_states in keys
        for way, group in zip(model.ways, of_states, strict=True)
        if group >= 0
    }

    def first_two(two: FirstTwo) -> Preferences:
        group = int(groups.first[class_of(two.first, two.second)])
        return _listed(tables.half if two.split else tables.first, group, two.against)

    def later(hand: Later) -> Preferences:
        group = places.get((hand.cards, hand.ace, hand.hard, hand.way), NOTHING)
        return _listed(tables.later, group, hand.against) if group >= 0 else (HIT,)

    def withdraws(total: int, against: int) -> bool:
        return bool(tables.doubled.withdraws[total, against - 1])

    def doubles_again(total: int, soft: bool, against: int) -> bool:
        return bool(tables.doubled.again[int(soft), total, against - 1])

    return Policy(first_two, later, withdraws, doubles_again=doubles_again)


def splitting_plan(model: GameModel, policy: Policy) -> list[int]:
    """The plan of the policy, in which every pair is split."""
    plan = new_plan(model.values, policy)
    for pair in model.pairs:
        for up in range(UPS):
            plan[FIRSTS + pair * UPS + up] = SPLIT
    return plan


def _listed(table: Whole, group: int, against: int) -> Preferences:
    """The group's choices, the best first, to the first that may always be done."""
    if group < 0:
        return (STAND,)
    listed = [int(choice) for choice in table[:, group, against - 1] if choice != NOTHING]
    plain = [place for place, choice in enumerate(listed) if choice in (HIT, STAND)]
    return listed[: plain[0] + 1]
