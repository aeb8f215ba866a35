"""What players do, as a row of small numbers that is filled by asking for every situation in which
one may be. Each name is where its numbers begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from controller.game.rules.cards import Card
from figures.kernel.choices import PREFERENCE_BITS, STAND
from figures.kernel.endings import is_ended
from figures.kernel.values import Values
from figures.kernel.words import (
    ACE_AT,
    CARDS,
    CLASSES,
    COUNT_AT,
    HARD,
    MOST,
    card_of,
    class_of,
    count_of,
    total_of,
    word_of,
)

Plan = Sequence[int]
"""A list, or an array of NumPy's, of whole numbers of 16 bits: it stays next to the processor."""

INSURES: Final = 0
"""1: all is insured that may be."""
PAIRED: Final = 8
"""The class of two cards: ``first * 52 + second``."""
UPS: Final = 10
"""The dealer's first card by its points less 1."""
FIRSTS: Final = PAIRED + CARDS * CARDS
"""The entry (:mod:`~.choices`) of a class and a dealer's first card, for the first two cards of a
box: ``class * 10 + up``."""
HALVES: Final = FIRSTS + CLASSES * UPS
"""The same for two cards of a hand that a split has formed."""
COUNTS: Final = 7
"""Cards of a hand that goes on, from 6 on the same."""
WITHDRAWS: Final = HALVES + CLASSES * UPS
"""1 where the doubled part is taken back: ``total * 10 + up``."""
AGAIN: Final = WITHDRAWS + (MOST + 1) * UPS
"""1 where a doubled hand is doubled again: ``(an ace counts 11 * 22 + total) * 10 + up``."""
LATER: Final = AGAIN + 2 * (MOST + 1) * UPS
"""The entry of more cards: ``((min(cards, 6) * 2 + has an ace) * 32 + hard total) * 10 + up``, and
as many again for each other way in which they came (:data:`WAYS`)."""
OF_A_WAY: Final = COUNTS * 64 * UPS
LITTLE_MAX: Final = 3
"""The smallest buys of a hand that are told apart."""
FREE: Final = LITTLE_MAX + 1
"""A card was taken free, where others are bought; the ways before: so many smallest buys."""
WAYS: Final = FREE + 1
PLAN: Final = LATER + WAYS * OF_A_WAY


class FirstTwo(NamedTuple):
    """The two cards of a hand, which is ``split`` where a split has formed it, against a dealer's
    first card of ``against`` points."""

    first: Card
    second: Card
    split: bool
    against: int


class Later(NamedTuple):
    """A hand of ``cards`` cards, more than two, that total ``hard`` with every ace as 1; ``ace``:
    there is one among them. At the highest number of cards there may be more. ``way``: how many of
    them were bought for the smallest sum, or :data:`FREE`; 0 where no cards are bought."""

    cards: int
    ace: bool
    hard: int
    against: int
    way: int = 0


Preferences = Sequence[int]
"""What is done, the best first (:data:`~.choices.HIT` …)."""


class Policy(NamedTuple):
    """What is preferred in each situation; ``withdraws`` is asked by total and dealer's points,
    ``doubles_again`` by total, whether an ace counts 11 in it, and dealer's points."""

    first_two: Callable[[FirstTwo], Preferences]
    later: Callable[[Later], Preferences]
    withdraws: Callable[[int, int], bool]
    insures: bool = False
    doubles_again: Callable[[int, bool, int], bool] = lambda _total, _soft, _points: False


def new_plan(values: Values, policy: Policy | None = None) -> list[int]:
    """The row of a policy; without one it decides nothing, and a tape does. What begins with a hit
    or a stand is permitted by the rules: a hand that takes no more stands."""
    plan = [0] * PLAN
    cards = [card_of(number) for number in range(CARDS)]
    examples = {}
    for first, one in enumerate(cards):
        for second, other in enumerate(cards):
            plan[PAIRED + first * CARDS + second] = class_of(one, other)
            examples[class_of(one, other)] = one, other
    if policy is None:
        return plan
    plan[INSURES] = int(policy.insures)
    ways = ways_of(values)
    for up in range(UPS):
        for pair, (one, other) in examples.items():
            for at, split in ((FIRSTS, False), (HALVES, True)):
                two = FirstTwo(one, other, split, up + 1)
                said = policy.first_two(two)
                word = word_of(one) + word_of(other)
                plan[at + pair * UPS + up] = _permitted(values, word, split, said)
        for count in range(3, COUNTS):
            for ace in (False, True):
                for hard in range(count, 32):
                    place = LATER + ((count * 2 + ace) * 32 + hard) * UPS + up
                    word = hard | int(ace) << ACE_AT | count << COUNT_AT
                    for way in ways:
                        hand, going_on = Later(count, ace, hard, up + 1, way), hard < MOST
                        said = policy.later(hand) if going_on else ()
                        plan[place + way * OF_A_WAY] = _permitted(values, word, False, said)
        for total in range(MOST):
            plan[WITHDRAWS + total * UPS + up] = int(policy.withdraws(total, up + 1))
            for soft in (False, True):
                place = AGAIN + (soft * (MOST + 1) + total) * UPS + up
                plan[place] = int(policy.doubles_again(total, soft, up + 1))
    return plan


def ways_of(values: Values) -> list[int]:
    """The ways in which more than two cards may have come that a plan tells apart."""
    if not values.buys:
        return [0]
    return [*range(LITTLE_MAX + 1 if values.little else 1), FREE]


def _permitted(values: Values, word: int, split: bool, said: Preferences) -> int:
    """The entry of what is said, as far as the rules permit it."""
    total, count = total_of(word), count_of(word)
    soft = total != word & HARD
    if is_ended(values, total, soft, count, int(split)):
        return entry((STAND,))
    return entry([choice for choice in said if choice != STAND or total >= values.stand_minimum])


def entry(preferences: Preferences) -> int:
    """A table's entry."""
    return sum(choice << (PREFERENCE_BITS * place) for place, choice in enumerate(preferences))
