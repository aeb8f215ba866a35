"""Cards for both sides. From a shoe: the kernel shuffles, the simulated shoe is told its order, and
must be shuffled, burned, cut and refilled at the same times. Or drawn ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from figures.kernel.shoe import AT, BEGIN, END, LIMIT
from figures.kernel.words import CARDS, card_of
from figures.rounds.shoe import SimulatedShoe

EVERY: Final = tuple(card_of(number) for number in range(CARDS))


class OtherCards(Exception):
    """What is shuffled on one side is not what is on the other."""


class Cards(Protocol):
    """The engine's cards."""

    def begin_round(self, shoe: Sequence[int]) -> bool:
        """Begin a round that the kernel has played, but not ended, with this shoe; whether the
        engine's was shuffled for it."""

    def take(self) -> Card:
        """The next card."""

    def end_round(self) -> None:
        """The round has ended."""

    @property
    def counts(self) -> tuple[int, int]:
        """How often they were shuffled, and ran out in mid-round."""


class FollowingShoe:
    """A simulated shoe in the order of the kernel's; :class:`OtherCards` is raised where it cannot
    be brought into that."""

    def __init__(self, rules: RuleSet, decks: int, penetration: int) -> None:
        self._simulated = SimulatedShoe(rules, decks, penetration, self._shuffle)
        self._cards: list[Card] = []
        self._taken = 0
        """Cards that were taken of them."""
        self._before = 0
        """Cards of the kernel's shoe that lie in front of them."""
        self._order: list[Card] = []
        self._discards: list[Card] = []
        self._left = 0
        """Cards that the kernel had left when the round began."""
        self._dealing = False

    @property
    def counts(self) -> tuple[int, int]:
        """See :class:`Cards`."""
        return self._simulated.shuffles, self._simulated.refills

    def begin_round(self, shoe: Sequence[int]) -> bool:
        """See :class:`Cards`."""
        end, limit = int(shoe[END]), int(shoe[LIMIT])
        self._order = [EVERY[card] for card in shoe[BEGIN:end]]
        self._discards = [EVERY[card] for card in shoe[end:limit]] if limit else []
        self._left = end - int(shoe[AT])
        self._dealing = False
        shuffled = self._simulated.begin_round()
        if not shuffled:
            behind = self._order[self._before :]
            if behind[: self._taken] != self._cards[: self._taken]:
                raise OtherCards("cards that were dealt do not lie any more where they were")
            self._cards[:] = behind  # what has not been dealt may be shuffled late
        self._dealing = True
        return shuffled

    def take(self) -> Card:
        """See :class:`Cards`."""
        card = self._simulated.next_card()
        self._taken += 1
        return card

    def end_round(self) -> None:
        """See :class:`Cards`."""
        self._simulated.end_round()

    def _shuffle(self, cards: list[Card]) -> None:
        laid = self._discards if self._dealing else self._order
        if sorted(cards) != sorted(laid):
            raise OtherCards(f"{len(cards)} cards are shuffled, {len(laid)} by the kernel")
        cards[:] = laid
        self._cards, self._taken = cards, 0
        self._before = self._left if self._dealing else 0


class DrawnCards:
    """A row that is dealt from anywhere."""

    def __init__(self) -> None:
        self._row: Sequence[int] = ()
        self._at = 0

    @property
    def counts(self) -> tuple[int, int]:
        """See :class:`Cards`."""
        return 0, 0

    def begin_round(self, shoe: Sequence[int]) -> bool:
        """See :class:`Cards`."""
        self._row, self._at = shoe, int(shoe[AT])
        return False

    def take(self) -> Card:
        """See :class:`Cards`."""
        self._at += 1
        return EVERY[self._row[self._at - 1]]

    def end_round(self) -> None:
        """See :class:`Cards`."""
