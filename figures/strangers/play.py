"""Good play by a stranger's rules: what is worth most when cards come as from a full shoe without
the dealer's first card. Composition counts no further; 6-7-8 and 7-7-7 do for the first two cards.
A hand of a split is charged a half of what the dealer's Pontoon takes where that is one wager.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from controller.game.rules.cards import ACE
from controller.game.rules.hands import suits_are
from figures.games.games import full_shoe
from figures.kernel.choices import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from figures.kernel.plans import FirstTwo, Later, Policy, Preferences
from figures.kernel.tables import OVER, SHIFTS, new_table
from figures.kernel.words import LINES, MOST, SOFT_BY, SOFT_TO, card_of
from figures.strangers.rows import Stranger

SEVENTEEN: Final = 17
CHANCES: Final = {
    "mixed": (1.0, 0.0, 0.0),
    "suited": (0.75, 0.25, 0.0),
    "spades": (0.75, 0.0, 0.25),
}
"""How three cards match in suit where two do so, about: mixed, suited, spades."""


def good_play(stranger: Stranger, decks: int) -> Policy:
    """The policy for that number of decks."""
    against = {
        up: (_Worth(stranger, decks, up, split=False), _Worth(stranger, decks, up, split=True))
        for up in range(1, 11)
    }

    def first_two(at: FirstTwo) -> Preferences:
        worth = against[at.against]
        return worth[at.split].first_two(at, worth[True])

    def later(at: Later) -> Preferences:
        return _best_first(against[at.against][0].ways(at.hard, at.ace, at.cards))

    return Policy(
        first_two,
        later,
        withdraws=lambda total, up: against[up][0].withdraws(total),
        doubles_again=lambda total, soft, up: against[up][0].doubles_again(total, soft),
    )


class _Worth:
    """Values of hands against a dealer's card of ``up`` points, in units of the original wager."""

    def __init__(self, stranger: Stranger, decks: int, up: int, *, split: bool) -> None:
        values = self._values = stranger.values
        self._up, self._split = up, split
        table = new_table(stranger.rules)
        self._odds = [table[OVER + n] / (1 << table[SHIFTS + n]) for n in range(len(LINES))]
        self._super_bonus = stranger.super_bonus
        shoe = [card_of(card).points for card in full_shoe(stranger.rules, decks)]
        shoe.remove(up)
        self._chances = [(points, shoe.count(points) / len(shoe)) for points in range(1, 11)]
        ends: dict[int, float] = {}
        for total, chance in self._dealt(up, up == ACE, 1, 1.0):
            ends[total] = ends.get(total, 0.0) + chance
        self._pontoon = ends.pop(0, 0.0)
        if values.hole_card:
            ends = {total: chance / (1 - self._pontoon) for total, chance in ends.items()}
            self._pontoon = 0.0
        self._compared = [
            sum(
                chance * (1 if end > MOST else (total > end) - (total < end))
                for end, chance in ends.items()
            )
            for total in range(MOST + 1)
        ]
        shared = split and values.pontoon_takes_original
        self._taken = self._pontoon / (2 if shared else 1)
        self._taken_doubled = self._taken * (1 if shared or values.pontoon_returns_double else 2)
        self._known: dict[tuple[int, ...], float] = {}

    def _dealt(
        self, hard: int, ace: bool, cards: int, chance: float
    ) -> Iterator[tuple[int, float]]:
        """The totals of the dealer's hand and their chances; 0: a Pontoon."""
        soft = ace and hard <= SOFT_TO
        total = hard + SOFT_BY if soft else hard
        if cards == 2 and total == MOST:
            yield 0, chance
        elif total > SEVENTEEN or (
            total == SEVENTEEN and not (soft and self._values.dealer_draws_soft_17)
        ):
            yield total, chance
        else:
            more = (
                self._dealt(hard + points, ace or points == ACE, cards + 1, chance * share)
                for points, share in self._chances
            )
            yield from chain.from_iterable(more)

    def _stand(self, total: int) -> float:
        return self._compared[total] - self._taken

    def ways(self, hard: int, ace: bool, cards: int, bonus: float = 0.0) -> list[tuple[float, int]]:
        """What may be done but splits and surrenders, each behind what it is worth."""
        values, total = self._values, _total(hard, ace)
        ways = [(self._hit(hard, ace, cards) + bonus, HIT)]
        if total >= values.stand_minimum:
            ways.append((self._stand(total), STAND))
        may = values.doubles and (cards == 2 or values.double_any)
        if may and (values.double_totals >> hard) & 1:
            soft = bool(ace and values.double_soft)
            ways.append((self._again(hard, soft, 2, values.redoubles), DOUBLE))
        return ways

    def value(self, hard: int, ace: bool, cards: int) -> float:
        """A hand of more than two cards, played on."""
        if hard > MOST:
            return -1.0
        if _total(hard, ace) == MOST:
            return self._odds[0 if cards < 5 else 2 + min(cards, 7)]
        if (key := (hard, ace, cards)) not in self._known:
            self._known[key] = max(worth for worth, _ in self.ways(hard, ace, cards))
        return self._known[key]

    def _hit(self, hard: int, ace: bool, cards: int) -> float:
        return sum(
            chance * self.value(hard + points, ace or points == ACE, min(cards + 1, 7))
            for points, chance in self._chances
        )

    def _again(self, hard: int, soft: bool, units: int, left: int) -> float:
        """A card for a hand that has ``units`` on it by a double, of which ``left`` may follow."""
        return sum(
            chance * self._doubled(hard + points, soft or points == ACE, units, left)
            for points, chance in self._chances
        )

    def _kept(self, total: int, units: int) -> float:
        kept = units * self._compared[total] - self._taken_doubled
        return max(kept, -units / 2) if total < self._values.withdraw_below else kept

    def _doubled(self, hard: int, ace: bool, units: int, left: int) -> float:
        if hard > MOST:
            return -float(units)
        if (total := _total(hard, ace)) == MOST:
            return units * self._odds[0]
        if (key := (hard, ace, units, left)) not in self._known:
            kept = self._kept(total, units)
            again = self._again(hard, ace, 2 * units, left - 1) if left else kept
            self._known[key] = max(kept, again)
        return self._known[key]

    def withdraws(self, total: int) -> bool:
        """Whether the doubled part is taken back."""
        return 2 * self._compared[total] - self._taken_doubled < -1

    def doubles_again(self, total: int, soft: bool) -> bool:
        """Whether a doubled hand is doubled again."""
        hard = total - SOFT_BY if soft else total
        left = self._values.redoubles
        if not left or hard < ACE or (soft and hard > SOFT_TO):
            return False
        return self._again(hard, soft, 4, left - 1) > self._kept(total, 2)

    def _third(self, one: int, other: int, suits: str) -> float:
        """What a hit may bring beside by 6-7-8, 7-7-7 and the Super Bonus."""
        two, line = {one, other}, 1
        wanted = {6, 7, 8} - two
        if two == {7}:
            wanted, line = {7}, 4
        if len(wanted) != 1:
            return 0.0
        chances = CHANCES[suits]
        paid = sum(share * (self._odds[line + n] - 1) for n, share in enumerate(chances))
        if two == {7} == {self._up} and not self._split:
            paid += (chances[1] + chances[2]) * self._super_bonus
        return dict(self._chances)[wanted.pop()] * paid

    def half(self, points: int, splits: int) -> float:
        """A hand that a split has begun with that card, when ``splits`` more may follow."""
        values, worth = self._values, 0.0
        for more, chance in self._chances:
            hard, ace = points + more, ACE in (points, more)
            again = points == more and splits > 0
            if (total := _total(hard, ace)) == MOST:
                best = self._odds[0]
            elif points == ACE and values.aces_one_card:
                best, again = self._stand(total), again and values.aces_again > 0
            else:
                best = max(value for value, _ in self.ways(hard, ace, 2))
            if again:
                best = max(best, 2 * self.half(points, splits - 1))
            worth += chance * best
        return worth

    def first_two(self, at: FirstTwo, halves: _Worth) -> Preferences:
        """What is done with two cards, of which ``halves`` can be made."""
        values, one, other = self._values, at.first.points, at.second.points
        bonus = self._third(one, other, suits_are((at.first, at.second)))
        ways = self.ways(one + other, ACE in (one, other), 2, bonus)
        if one == other:
            ways.append((2 * halves.half(one, values.hands_max - 2), SPLIT))
        at_once = values.surrender_in_turn and not values.surrender_second_card
        ways.append((-0.5 - (0.0 if at_once else self._pontoon / 2), SURRENDER))
        return _best_first(ways)


def _total(hard: int, ace: bool) -> int:
    return hard + SOFT_BY if ace and hard <= SOFT_TO else hard


def _best_first(ways: list[tuple[float, int]]) -> Preferences:
    """Choices by what they are worth, as far as a hit."""
    choices = [choice for _, choice in sorted(ways, reverse=True)]
    return choices[: choices.index(HIT) + 1]
