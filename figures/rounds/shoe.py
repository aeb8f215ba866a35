"""A shoe that is shuffled, burned, cut and refilled as the rule document says.

The rules:

- The cutting card stands behind a share of the cards. When it comes during a round, the round is
  finished and the shoe is shuffled (``shoe.cutting_card``); when it would be a round's first card,
  ``shoe.cutting_card_first`` says whether that round is played before the shuffle.
- ``shoe.burn`` says whether the first card of a new shoe is burned.
- A shoe that runs out in mid-round is refilled with its shuffled discards: every card that does
  not lie on the table, cut as a new shoe is (Division 15, 16.7 and 7.6). ``shoe.after_reshuffle``
  says whether it is shuffled after that round, or when the cutting card comes again.
- Nothing here draws at random: who makes the shoe hands in what shuffles a list in place.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.game.rules.cards import TEN, Card
from controller.game.rules.schema import RuleSet

Shuffle = Callable[[list[Card]], None]

HUNDRED = 100


class ShoeRanOut(Exception):
    """All cards of the decks lie on the table and another one is due; more decks are needed."""


def full_shoe(rules: RuleSet, decks: int) -> list[Card]:
    """The cards of that number of decks in the order of their ranks and suits."""
    return [
        Card(rank, suit)
        for _ in range(decks)
        for suit in range(1, 5)
        for rank in range(1, 14)
        if rank != TEN or rules.cards.tens.value
    ]


class SimulatedShoe:
    """A shoe of ``decks``, the cutting card behind ``penetration`` percent of its cards.

    ``shuffles`` counts its shuffles, ``refills`` how often it ran out in mid-round.
    """

    def __init__(self, rules: RuleSet, decks: int, penetration: int, shuffle: Shuffle) -> None:
        self.shuffles = 0
        self.refills = 0
        self._rules = rules.shoe
        self._every = full_shoe(rules, decks)
        self._penetration = penetration
        self._shuffle = shuffle
        self._cards: list[Card] = []
        self._next = 0
        self._cut = 0
        self._due = True
        self._out: list[Card] = []

    def begin_round(self) -> bool:
        """A round begins; whether the shoe was shuffled for it."""
        self._out = []
        first = self._next == self._cut
        if not self._due and not (
            first and self._rules.cutting_card_first.value == "shuffle_at_once"
        ):
            return False
        self._cards = self._every.copy()
        self._shuffle(self._cards)
        self._next = 0 if self._rules.burn.value == "never" else 1
        self._cut, self._due = self._depth(self._cards), False
        self.shuffles += 1
        return True

    def end_round(self) -> None:
        """The round is over: was the cutting card among its cards?"""
        self._due = self._due or self._next > self._cut

    def next_card(self) -> Card:
        """The next card.

        Raises:
            ShoeRanOut: there is none, not even among the discards.
        """
        if self._next == len(self._cards):
            self._refill()
        card = self._cards[self._next]
        self._next += 1
        self._out.append(card)
        return card

    def _refill(self) -> None:
        discards = self._every.copy()
        for card in self._out:
            discards.remove(card)
        if not discards:
            raise ShoeRanOut(f"all {len(self._every)} cards lie on the table")
        self._shuffle(discards)
        self._cards, self._next, self._cut = discards, 0, self._depth(discards)
        self._due = self._rules.after_reshuffle.value == "shuffle_after_round"
        self.refills += 1

    def _depth(self, cards: list[Card]) -> int:
        return len(cards) * self._penetration // HUNDRED
