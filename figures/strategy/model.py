"""A game as numbers: everything that the values of hands are reckoned from, found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from controller.game.round.wagers import Limits
from controller.game.rules.schema import RuleSet
from figures.games.games import full_shoe, little_of, unit_of
from figures.kernel.plans import FREE, LITTLE_MAX
from figures.kernel.tables import RANKS, ROYAL, NotForTheKernel, Table, new_table
from figures.kernel.values import Values, values_of
from figures.kernel.words import CLASSES, MOST, SOFT_BY, SOFT_TO
from figures.strategy.hands import PlayerHands, drawing, hands_of
from figures.strategy.outcomes import chances, dealer_of
from figures.strategy.payoffs import OURS, Foreign, payoffs
from figures.strategy.shoes import (
    POINTS,
    Array,
    FullShoe,
    TwoCards,
    Whole,
    first_two,
    odds_of,
    shoe_of,
)

SEVEN: Final = 6
ACE: Final = 0
TEN: Final = POINTS - 1


@dataclass(frozen=True)
class GameModel:
    """Values by hand and value of the dealer's first card, in units of the hand's stake.

    ``stand`` is that of a complete hand, ``doubled`` (by whether an ace may count 11, too) that of
    one after a double, with the doubled part taken; ``over`` that of one that goes over 21 with a
    double, by the card; ``fixed`` is the chance of a Pontoon of the dealer that takes one unit of
    such a hand, however much was added. ``spoilt`` is the chance that a dealer who has looked has
    ended the round. ``ends``: the hand has no decision. ``pontoon`` and ``surrender`` are those
    of a Pontoon, and of giving a hand up. ``unit`` is a wager in cents.
    """

    values: Values
    table: Table
    foreign: Foreign
    shoe: FullShoe
    two: TwoCards
    rows: Whole
    """The hand of each class of two cards; -1 where the shoe has none."""
    hands: PlayerHands
    draw: Array
    stand: Array
    ends: Whole
    doubled: Array
    doubled_total: Whole
    over: Array
    fixed: Array
    spoilt: Array
    pontoon: Array
    surrender: Array
    may_surrender: Whole
    super_bonus: float
    unit: int

    @property
    def ways(self) -> list[int]:
        """The ways in which cards may have come (:mod:`figures.kernel.plans`), by a hand's state
        (:mod:`~.deciding`)."""
        if not self.values.buys:
            return [0, 0]
        return [*range(self.values.trick_cards - 1 if self.values.little else 1), FREE]

    @property
    def little(self) -> float:
        """The smallest buy in units."""
        return self.values.little / self.unit

    @property
    def pairs(self) -> list[int]:
        """The classes that may be split."""
        if self.values.hands_max < 2:
            return []
        fits = self.two.ranked == 1 if self.values.split_by_rank else self.two.low == self.two.high
        return [int(two) for two in self.two.there if fits[two]]

    def is_pontoon(self, two: int) -> bool:
        """Whether that class is a Pontoon."""
        return bool(self.two.low[two] == ACE and self.two.high[two] == TEN)


def model_of(
    rules: RuleSet,
    decks: int,
    *,
    cards: Sequence[int] | None = None,
    others: Mapping[str, int] | None = None,
    foreign: Foreign = OURS,
    super_bonus: float = 0.0,
    smallest_buy: Fraction | None = None,
) -> GameModel:
    """The game of these rules with a shoe of ``decks`` decks, or of these ``cards`` by number.

    ``others`` are values that no document of ours has (the last fields of
    :class:`~figures.kernel.values.Values`), ``super_bonus`` is what one brings to 1; cards may be
    bought for ``smallest_buy``, a fraction of the wager, instead of for the wager.

    Raises:
        NotForTheKernel: the rules have something that the reckoning has no place for.
    """
    table, unit = new_table(rules), unit_of(smallest_buy)
    values = values_of(rules, Limits(min=unit))._replace(
        little=little_of(smallest_buy), **others or {}
    )
    if values.doubles and values.buys:
        raise NotForTheKernel(
            f"{rules.document.id}: [double] and [buy]; expected one of them at most"
        )
    if values.little and values.trick_cards - 2 > LITTLE_MAX:
        raise NotForTheKernel(
            f"{rules.document.id}: {values.trick_cards - 2} cards of a hand that may be bought;"
            f" expected {LITTLE_MAX} at most where each may be for less than the wager"
        )
    shoe = shoe_of(cards or full_shoe(rules, decks), table)
    hands, two, dealer = hands_of(shoe), first_two(shoe, table), dealer_of(values, table)
    outcome = chances(shoe, hands, dealer)
    pontoons = outcome[:, :, dealer.pontoons].sum(axis=2)
    spoilt = pontoons * values.hole_card
    pays = payoffs(values, table, dealer, foreign)
    ends = (hands.total == MOST) & ((hands.soft == 0) | (values.soft_21 == 0))
    stand = np.einsum("huo,ho->hu", outcome, pays.plain[hands.total])
    if values.trick_cards:
        trick = hands.cards >= values.trick_cards
        stand[trick] = outcome[trick] @ pays.trick[0]
        royal = (hands.counts[:, SEVEN] == 3) & (hands.cards == 3)
        stand[royal] = odds_of(table, ROYAL)
        ends |= trick
    elif not foreign.compares_21:
        for row in np.flatnonzero(hands.total == MOST):
            cards_of = int(hands.cards[row])
            odds = odds_of(table, min(cards_of, 7) + 2 if cards_of >= 5 else 0)
            stand[row] = odds - (1 + odds) * spoilt[row]
    totals = np.stack(
        [hands.hard, hands.hard + SOFT_BY * ((hands.hard <= SOFT_TO) & (hands.aces > 0))], 1
    )
    doubled = np.einsum("huo,hfo->hfu", outcome, pays.doubled[totals])
    if not foreign.compares_21:
        odds = 2 * odds_of(table, 0)
        doubled = np.where(
            totals[:, :, None] == MOST, (odds - (1 + odds) * spoilt)[:, None], doubled
        )
    fixed = pontoons[:, None] * (values.hole_card or values.pontoon_returns_double)
    if not (values.hole_card or foreign.compares_21):
        fixed = np.where(totals[:, :, None] == MOST, 0.0, fixed)  # paid before he has it
    draw = drawing(shoe, hands)
    over = np.full(draw.shape, -2.0)
    if values.hole_card:
        for up, needed in ((ACE, TEN), (TEN, ACE)):
            left = (
                shoe.values[needed] - hands.counts[:, needed, None] - (np.arange(POINTS) == needed)
            )
            over[:, :, up] += (
                np.maximum(left, 0) / np.maximum(shoe.size - 2 - hands.cards, 1)[:, None]
            )
    rows = np.full(CLASSES, -1, dtype=np.int64)
    for place in two.there:
        rows[place] = hands.row(two.low[place], two.high[place])
    return GameModel(
        values,
        table,
        foreign,
        shoe,
        two,
        rows,
        hands,
        draw,
        stand,
        ends,
        doubled,
        totals,
        over,
        np.broadcast_to(fixed, doubled.shape),
        spoilt,
        outcome[hands.row(ACE, TEN)] @ pays.pontoon,
        outcome @ pays.surrender,
        _may_surrender(rules, values, table, shoe),
        super_bonus,
        unit,
    )


def _may_surrender(rules: RuleSet, values: Values, table: Table, shoe: FullShoe) -> Whole:
    """Against which values of the dealer's card a hand may be given up."""
    said = np.full(POINTS, -1, dtype=np.int64)
    for card, count in enumerate(shoe.cards):
        if count:
            value = min(card // 4, POINTS - 1)
            may = (values.surrender_first >> table[RANKS + card]) & 1
            if said[value] not in (-1, may):
                raise NotForTheKernel(
                    f"{rules.document.id}: surrender against some cards that count 10 and not"
                    " against others; expected all or none"
                )
            said[value] = may
    return np.maximum(said, 0)
