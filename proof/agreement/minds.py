"""Who decides for both sides: a tape of numbers, by which every choice and every amount is tried;
or a plan by chance, which is how the kernel decides when it is used for figures."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.game.round.model import Hand
from controller.game.rules.cards import ACE, Card, hard_total
from figures.kernel.choices import CHOICES, HIT, STAND, SURRENDER
from figures.kernel.plans import COUNTS, FREE, FirstTwo, Later, Policy, Preferences
from figures.kernel.words import class_of


@dataclass(slots=True)
class Tape:
    """Numbers that choose, read from ``at`` on."""

    numbers: Sequence[int]
    at: int

    def next_below(self, choices: int) -> int:
        """The next number below ``choices``; where there is one choice, none is read."""
        if choices == 1:
            return 0
        self.at += 1
        return self.numbers[self.at - 1] % choices

    def insures(self, half: int) -> int:
        """For how many cents up to ``half`` of the wager a box is insured; 0: it is not."""
        return self.next_below(half + 1)

    def gives_up(self, _hand: Hand, _dealer: Card) -> bool:
        """Whether a box that may surrender before play does."""
        return self.next_below(2) == 1

    def decides(self, _hand: Hand, _dealer: Card, choices: Sequence[int]) -> int:
        """Which of these choices (by the kernel's numbers, rising) a hand makes."""
        return choices[self.next_below(len(choices))]

    def raises(self, most: int) -> int:
        """By how many steps above the least sum the wager is raised."""
        return self.next_below(most + 1)

    def withdraws(self, _total: int, _dealer: Card) -> bool:
        """Whether the doubled part is withdrawn."""
        return self.next_below(2) == 1

    def draws(self, _place: int, multipliers: Sequence[int]) -> int:
        """What is drawn for the box at that place among those in play."""
        return multipliers[self.next_below(len(multipliers))]

    def draws_although_moot(self) -> bool:
        """Whether the dealer takes a card on which nothing depends."""
        return self.next_below(2) == 0


ASKED: Final = 12
"""How many lists of preferences a plan by chance has: few, so that it is quickly made."""


@dataclass(slots=True)
class Planned:
    """A plan by chance; ``drawn`` says what the kernel has drawn at the button. Who prefers to
    stand below ``minimum`` has no such preference, also where surrender is offered before play.
    Where cards are bought, ``little`` is the smallest sum (0: it is never chosen); else it is
    None."""

    chance: random.Random
    drawn: Callable[[int], int]
    minimum: int
    little: int | None
    _said: dict[object, Preferences] = field(default_factory=dict)
    _agreed: dict[object, bool] = field(default_factory=dict)
    _lists: list[Preferences] = field(default_factory=list)

    @property
    def policy(self) -> Policy:
        """The plan as the kernel takes it."""
        return Policy(self.first_two, self.later, self.takes_back, self._yes("insures"))

    def first_two(self, two: FirstTwo) -> Preferences:
        """What is preferred with two cards, by what the kernel tells apart."""
        key = class_of(two.first, two.second), two.split, two.against
        return self._once(key)

    def later(self, hand: Later) -> Preferences:
        """What is preferred with more."""
        return self._once(hand)

    def takes_back(self, total: int, against: int) -> bool:
        """Whether the doubled part is withdrawn."""
        return self._yes((total, against))

    def _preferred(self, hand: Hand, dealer: Card) -> Preferences:
        said = self._preferences_of(hand, dealer)
        return [choice for choice in said if choice != STAND or hand.total >= self.minimum]

    def _preferences_of(self, hand: Hand, dealer: Card) -> Preferences:
        if len(hand.cards) == 2:
            first, second = hand.cards
            return self.first_two(FirstTwo(first, second, hand.split, dealer.points))
        ace = any(card.rank == ACE for card in hand.cards)
        count = min(len(hand.cards), COUNTS - 1)
        way = self._way(hand)
        return self.later(Later(count, ace, hard_total(hand.cards), dealer.points, way))

    def _way(self, hand: Hand) -> int:
        if self.little is None:
            return 0
        bought = [sum_ for bet in hand.bets.values() for sum_ in bet.buys]
        return FREE if len(bought) < len(hand.cards) - 2 else bought.count(self.little)

    def insures(self, half: int) -> int:
        """See :class:`Tape`."""
        return half if self._yes("insures") else 0

    def gives_up(self, hand: Hand, dealer: Card) -> bool:
        """See :class:`Tape`."""
        return self._preferred(hand, dealer)[:1] == [SURRENDER]

    def decides(self, hand: Hand, dealer: Card, choices: Sequence[int]) -> int:
        """See :class:`Tape`."""
        preferred = self._preferred(hand, dealer)
        return next((choice for choice in preferred if choice in choices), HIT)

    def raises(self, most: int) -> int:
        """See :class:`Tape`."""
        return most

    def withdraws(self, total: int, dealer: Card) -> bool:
        """See :class:`Tape`."""
        return self.takes_back(total, dealer.points)

    def draws(self, place: int, _multipliers: Sequence[int]) -> int:
        """See :class:`Tape`."""
        return self.drawn(place)

    def draws_although_moot(self) -> bool:
        """See :class:`Tape`."""
        return False

    def _yes(self, key: object) -> bool:
        if key not in self._agreed:
            self._agreed[key] = self.chance.random() < 0.5
        return self._agreed[key]

    def _once(self, key: object) -> Preferences:
        if key not in self._said:
            self._said[key] = self._preferences()
        return self._said[key]

    def _preferences(self) -> Preferences:
        if not self._lists:
            self._lists = [
                tuple(self.chance.sample(range(CHOICES), self.chance.randint(0, 4)))
                for _ in range(ASKED)
            ]
        return self.chance.choice(self._lists)


Mind = Tape | Planned
"""Who is asked in a round."""
