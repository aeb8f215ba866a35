"""Expected values of a hand under a rule document: the computation behind the basic strategy.

The rules:

- Every denomination is as frequent as in a full shoe, whatever has left it (an endless shoe), and
  suits do not count: 6-7-8, 7-7-7 and the Super Bonus are left out of the computation, but not of
  the play. So what it advises is good play, not the best there can be.
- A hand is its total with every ace as 1 (``hard``), whether there is an ace among its cards, and
  how many cards it has. A value is net, in units of the original wager.
- A hand formed by a split is not split again here, though it is in play.
- All that differs between documents is read from the rule set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from controller.game.rules.cards import ACE, BUST_ABOVE, TEN
from controller.game.rules.schema import RuleSet

SOFT_BY: Final = 10
"""What an ace counts more when it counts 11."""


class HandTotal(NamedTuple):
    """``hard`` total, whether it has an ``ace``, its number of ``cards``, whether it comes from a
    ``split``; ``stakes`` on it in units of the original wager, which bought cards raise."""

    hard: int
    ace: bool
    cards: int
    split: bool = False
    stakes: int = 1

    @property
    def total(self) -> int:
        """Best total."""
        return self.hard + SOFT_BY if self.soft else self.hard

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11."""
        return self.ace and self.hard <= BUST_ABOVE - SOFT_BY

    def with_card(self, points: int, bought: int = 0) -> HandTotal:
        """The hand with another card."""
        return HandTotal(
            self.hard + points,
            self.ace or points == ACE,
            self.cards + 1,
            self.split,
            self.stakes + bought,
        )


class DealerTotal(NamedTuple):
    """Chances of what the dealer's hand comes to: ``totals`` 17 to 21, a ``bust``, a ``pontoon``,
    a ``trick``."""

    totals: dict[int, float]
    bust: float
    pontoon: float
    trick: float


class Expectation:
    """Values under ``rules`` of hands against the dealer's first card, given by its points."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        ranks = 13 if rules.cards.tens.value else 12
        self._chances = [(points, 1 / ranks) for points in range(ACE, TEN)]
        self._chances.append((TEN, (ranks - 9) / ranks))
        self._dealers: dict[int, DealerTotal] = {}
        self._values: dict[tuple[HandTotal, int, bool], float] = {}

    # ---- the dealer ---------------------------------------------------------------------------

    def dealer(self, against: int) -> DealerTotal:
        """What the dealer's hand comes to that begins with a card of ``points`` points."""
        found = self._dealers.get(against)
        if found is None:
            chances: dict[str | int, float] = {}
            for outcome, chance in self._dealt(HandTotal(against, against == ACE, 1), 1.0):
                chances[outcome] = chances.get(outcome, 0.0) + chance
            named = [chances.pop(name, 0.0) for name in ("bust", "pontoon", "trick")]
            totals = {total: chances.get(total, 0.0) for total in range(17, BUST_ABOVE + 1)}
            found = self._dealers[against] = DealerTotal(totals, *named)
        return found

    def _dealt(self, hand: HandTotal, chance: float) -> Iterator[tuple[str | int, float]]:
        rule = self._rules.dealer
        draws_at = 17 if hand.soft and rule.soft17.value == "draw" else 16
        if hand.hard > BUST_ABOVE:
            yield "bust", chance
        elif hand.cards == 2 and hand.total == BUST_ABOVE:
            yield "pontoon", chance
        elif hand.cards == rule.cards_max.value:
            yield "trick", chance
        elif hand.total > draws_at:
            yield hand.total, chance
        else:
            for points, share in self._chances:
                yield from self._dealt(hand.with_card(points), chance * share)

    # ---- a hand that takes no more ------------------------------------------------------------

    def standing(self, hand: HandTotal, against: int) -> float:
        """A unit on a hand that is compared with the dealer's."""
        dealer, pays, rank = self.dealer(against), self._rules.pays, self._rank(hand)
        regular = _odds(pays["regular"].value)
        stays = _odds(pays[rank].value) if rank else regular
        if_bust = _odds(pays[f"{rank}_dealer_bust"].value) if rank else regular
        if_trick = _odds(pays["pontoon_dealer_trick"].value) if rank == "pontoon" else -1.0
        beats = sum(share for total, share in dealer.totals.items() if rank or total < hand.total)
        stand_off = 0.0
        if not rank and self._rules.compare.equal.value == "stand_off":
            stand_off = dealer.totals.get(hand.total, 0.0)
        loses = sum(dealer.totals.values()) - beats - stand_off + dealer.pontoon
        return dealer.bust * if_bust + dealer.trick * if_trick + beats * stays - loses

    def _rank(self, hand: HandTotal) -> str:
        """What beats every total: a Pontoon or a trick, where the rules rank them."""
        trick = self._rules.trick
        if trick is None:
            return ""
        if hand.cards == 2 and hand.total == BUST_ABOVE:
            return "pontoon"
        return "trick" if hand.cards == trick.cards.value else ""

    def doubled(self, hand: HandTotal, against: int) -> float:
        """A hand that doubles now: one card, its aces so far counting 1."""
        return sum(
            chance * self._doubled_with(hand.hard, points, against)
            for points, chance in self._chances
        )

    def _doubled_with(self, hard: int, points: int, against: int) -> float:
        hand = HandTotal(hard + points, points == ACE, 3)
        if hand.hard > BUST_ABOVE:
            return -2.0
        if hand.total == BUST_ABOVE:
            return 2 * _odds(self._rules.pays["regular"].value)
        kept = self.doubled_kept(hand, against)
        rule = self._rules.double
        assert rule
        return max(kept, -1.0) if hand.total < rule.withdraw_below.value else kept

    def doubled_kept(self, hand: HandTotal, against: int) -> float:
        """A doubled hand whose doubled part is not withdrawn (which is worth -1)."""
        spared = self._rules.compare.dealer_pontoon_doubled.value == "original"
        back = self.dealer(against).pontoon if spared else 0.0
        return 2 * self.standing(hand, against) + back

    def surrendered(self, against: int) -> float:
        """A hand that surrenders: half is lost, all of it to a Pontoon where that is waited for."""
        if self._rules.surrender.settled.value == "at_once":
            return -0.5
        pontoon = self.dealer(against).pontoon
        return -0.5 * (1 - pontoon) - pontoon

    # ---- a hand that may go on ----------------------------------------------------------------

    def hit(self, hand: HandTotal, against: int) -> float:
        """All stakes on a hand that takes a card without buying it."""
        return sum(
            chance * self.value(hand.with_card(points), against, may_buy=False)
            for points, chance in self._chances
        )

    def bought(self, hand: HandTotal, against: int) -> float:
        """All stakes on a hand that buys a card for another unit."""
        return sum(
            chance * self.value(hand.with_card(points, bought=1), against, may_buy=True)
            for points, chance in self._chances
        )

    def split(self, points: int, against: int) -> float:
        """Two hands of one card each, a unit on either."""
        rule = self._rules.split
        half = HandTotal(points, points == ACE, 1, split=True)
        one_card = points == ACE and rule.aces_one_card.value
        worth = 0.0
        for more, chance in self._chances:
            hand = half.with_card(more)
            over = self._settled(hand, against)
            if over is None and one_card:
                over = self.standing(hand, against)
            if over is None:
                over = self.value(hand, against, may_buy=self._rules.buy is not None)
            worth += chance * over
        return 2 * worth

    def value(self, hand: HandTotal, against: int, *, may_buy: bool) -> float:
        """All stakes on a hand that is played on as well as it can be, without a split."""
        settled = self._settled(hand, against)
        if settled is not None:
            return settled
        key = hand, against, may_buy
        if key not in self._values:
            self._values[key] = max(self._ways(hand, against, may_buy=may_buy))
        return self._values[key]

    def _ways(self, hand: HandTotal, against: int, *, may_buy: bool) -> Iterator[float]:
        rules = self._rules
        if hand.total >= rules.stand.minimum.value:
            yield hand.stakes * self.standing(hand, against)
        yield self.hit(hand, against)
        if rules.double and (hand.cards == 2 or rules.double.cards.value == "any"):
            yield self.doubled(hand, against)
        if may_buy and rules.buy and not self._free(hand):
            yield self.bought(hand, against)

    def _free(self, hand: HandTotal) -> bool:
        """Whether its last card cannot be bought because it cannot bust."""
        buy, trick = self._rules.buy, self._rules.trick
        assert buy
        assert trick
        return hand.cards == trick.cards.value - 1 and hand.hard < buy.free_below.value

    def _settled(self, hand: HandTotal, against: int) -> float | None:
        """All stakes on a hand that is over; None when it may go on."""
        rules = self._rules
        if hand.hard > BUST_ABOVE:
            return float(-hand.stakes)
        if rules.trick is None:
            if hand.total != BUST_ABOVE:
                return None
            line = "cards_7_or_more" if hand.cards > 6 else f"cards_{hand.cards}"
            return _odds(rules.pays[line if hand.cards > 4 else "regular"].value)
        full = hand.cards == rules.trick.cards.value
        at_21 = hand.total == BUST_ABOVE and not (hand.soft and rules.hit.soft_21.value)
        if full or at_21 or (hand.cards == 2 and hand.total == BUST_ABOVE):
            return hand.stakes * self.standing(hand, against)
        return None


def _odds(odds: tuple[int, int]) -> float:
    return odds[0] / odds[1]
