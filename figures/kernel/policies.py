"""What players do, as tables that are filled by asking for every situation in which one may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from controller.game.rules.cards import Card
from figures.kernel.choices import PREFERENCE_BITS
from figures.kernel.pairs import class_of
from figures.kernel.tables import COUNTS, FIRSTS, HALVES, INSURES, LATER, UPS, WITHDRAWS
from figures.kernel.words import CARDS, MOST, card_of


class FirstTwo(NamedTuple):
    """The two cards of a hand, which is ``split`` where a split has formed it, against a dealer's
    first card of ``against`` points."""

    first: Card
    second: Card
    split: bool
    against: int


class Later(NamedTuple):
    """A hand of ``cards`` cards, more than two, that total ``hard`` with every ace as 1; ``ace``:
    there is one among them. At the highest number of cards there may be more."""

    cards: int
    ace: bool
    hard: int
    against: int


Preferences = Sequence[int]
"""What is done, the best first (:data:`~.choices.HIT` …)."""


class Policy(NamedTuple):
    """What is preferred in each situation; ``withdraws`` is asked by total and dealer's points."""

    first_two: Callable[[FirstTwo], Preferences]
    later: Callable[[Later], Preferences]
    withdraws: Callable[[int, int], bool]
    insures: bool = False


def with_policy(table: Sequence[int], policy: Policy) -> list[int]:
    """The same row, in which that policy decides."""
    decided = list(table)
    decided[INSURES] = int(policy.insures)
    cards = [card_of(number) for number in range(CARDS)]
    examples = {class_of(one, other): (one, other) for one in cards for other in cards}
    for pair, (one, other) in examples.items():
        for up in range(UPS):
            for at, split in ((FIRSTS, False), (HALVES, True)):
                two = FirstTwo(one, other, split, up + 1)
                decided[at + pair * UPS + up] = entry(policy.first_two(two))
    for count in range(3, COUNTS):
        for ace in (False, True):
            for hard in range(count, MOST):
                for up in range(UPS):
                    place = ((count * 2 + ace) * 32 + hard) * UPS + up
                    decided[LATER + place] = entry(policy.later(Later(count, ace, hard, up + 1)))
    for total in range(MOST):
        for up in range(UPS):
            decided[WITHDRAWS + total * UPS + up] = int(policy.withdraws(total, up + 1))
    return decided


def entry(preferences: Preferences) -> int:
    """A table's entry."""
    return sum(choice << (PREFERENCE_BITS * place) for place, choice in enumerate(preferences))
