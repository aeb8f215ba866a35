"""A second reckoning, for shoes of a few dozen cards: card by card, with each card's suit, and by
the rules' own words. It knows nothing of how :mod:`figures.strategy` counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

from controller.game.rules.cards import Card, suits_are
from controller.game.rules.schema import RuleSet
from figures.kernel.words import card_of


class Plain:
    """The best play of two known cards against a dealer's first card of known points."""

    def __init__(self, rules: RuleSet, cards: list[int], redoubles: int = 0) -> None:
        self.rules = rules
        self.at_first = 2.0, redoubles
        self.points = Counter(card_of(card).points for card in cards)
        self.cards = Counter(card_of(card) for card in cards)

    def best(self, first: Card, second: Card, up: int) -> dict[str, float]:
        self.up, self.two = up, (first, second)
        self.value.cache_clear()
        self.against.cache_clear()
        hand = tuple(sorted((first.points, second.points)))
        if hand == (1, 10):
            return {"pontoon": self.odds("pontoon")}
        choices = self.choices(hand, late_ace=False)
        if card_names(self.rules.surrender.dealer_first.value, up):
            pontoon = self.against(hand).get("pontoon", 0.0)
            choices["surrender"] = -0.5 - 0.5 * pontoon
        return choices

    def odds(self, line: str) -> float:
        over, under = self.rules.pays[line].value
        return over / under

    def left(self, hand: tuple[int, ...]) -> Counter[int]:
        left = Counter(self.points)
        left[self.up] -= 1
        left.subtract(hand)
        return left

    @cache  # noqa: B019 - cleared with each question
    def value(self, hand: tuple[int, ...], late_ace: bool) -> float:
        total = best_total(hand)
        if total > 21:
            return -1.0
        if total == 21:
            return self.odds(
                f"cards_{len(hand)}"
                if len(hand) in (5, 6)
                else "cards_7_or_more"
                if len(hand) > 6
                else "regular"
            )
        return max(self.choices(hand, late_ace=late_ace).values())

    def choices(self, hand: tuple[int, ...], *, late_ace: bool) -> dict[str, float]:
        double, left = self.rules.double, self.left(hand)
        assert double is not None
        size = sum(left.values())
        choices = {"hit": 0.0}
        if best_total(hand) >= self.rules.stand.minimum.value:
            choices["stand"] = self.settled(hand, best_total(hand), 1.0)
        if len(hand) == 2 or double.cards.value == "any":
            choices["double"] = 0.0
        for points, count in left.items():
            if count:
                more, late = tuple(sorted((*hand, points))), late_ace or points == 1
                bonus = self.ranked(points) if len(more) == 3 else 0.0
                choices["hit"] += count / size * (self.value(more, late) + bonus)
                if "double" in choices:
                    choices["double"] += count / size * self.doubled(more, late, *self.at_first)
        return choices

    def ranked(self, points: int) -> float:
        """What suits and ranks of three cards of 21 add to even money, on average."""
        together = [*sorted(card.points for card in self.two), points]
        name = {"678": "678", "777": "777"}.get("".join(map(str, sorted(together))))
        if name is None:
            return 0.0
        third = {
            card: n for card, n in (self.cards - Counter(self.two)).items() if card.points == points
        }
        pays = sum(
            n * self.odds(f"{name}_{suits_are((*self.two, card))}") for card, n in third.items()
        )
        return pays / sum(third.values()) - 1.0

    def doubled(self, hand: tuple[int, ...], late_ace: bool, units: float, more: int) -> float:
        total = sum(hand) + (10 if late_ace and sum(hand) <= 11 else 0)
        if total > 21:
            return -units
        if total == 21:
            return units
        worth = self.settled(hand, total, units)
        assert self.rules.double is not None
        if total < self.rules.double.withdraw_below.value:
            worth = max(worth, -units / 2)
        if not more:
            return worth
        left, again = self.left(hand), 0.0
        for points, count in left.items():
            if count:
                longer, late = tuple(sorted((*hand, points))), late_ace or points == 1
                again += count / left.total() * self.doubled(longer, late, 2 * units, more - 1)
        return max(worth, again)

    def settled(self, hand: tuple[int, ...], total: int, stake: float) -> float:
        worth = 0.0
        for dealer, chance in self.against(hand).items():
            if dealer == "pontoon":  # takes the original alone
                worth -= chance
            elif dealer == "bust" or total > int(dealer):
                worth += chance * stake
            elif total < int(dealer):
                worth -= chance * stake
        return worth

    @cache  # noqa: B019
    def against(self, hand: tuple[int, ...]) -> dict[str, float]:
        found: dict[str, float] = defaultdict(float)
        self.deal((self.up,), self.left(hand), 1.0, found)
        return dict(found)

    def deal(
        self, dealer: tuple[int, ...], left: Counter[int], chance: float, found: dict[str, float]
    ) -> None:
        total = best_total(dealer)
        soft = total != sum(dealer)
        stops = total > 17 or (
            total == 17 and not (soft and self.rules.dealer.soft17.value == "draw")
        )
        if len(dealer) > 1 and stops:
            pontoon = sorted(dealer) == [1, 10]
            found["pontoon" if pontoon else "bust" if total > 21 else str(total)] += chance
            return
        size = sum(left.values())
        for points in [points for points, count in left.items() if count]:
            left[points] -= 1
            self.deal((*dealer, points), left, chance * (left[points] + 1) / size, found)
            left[points] += 1


def best_total(hand: tuple[int, ...]) -> int:
    hard = sum(hand)
    return hard + 10 if 1 in hand and hard <= 11 else hard


def card_names(names: tuple[str, ...], points: int) -> bool:
    return ("K" if points == 10 else "A" if points == 1 else str(points)) in names
