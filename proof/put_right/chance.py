"""Rounds by chance, aimed at what chance seldom brings: wagers, shoes, and what people decide."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random
from typing import Final

from controller.game.round.hands import controller_of
from controller.game.round.model import BETTORS, Hand
from controller.game.round.state import Round
from controller.game.round.steps import Insure, Raise, Step
from controller.game.round.wagers import Sheet
from controller.game.rules.cards import TEN, Card
from controller.game.rules.schema import RuleSet

AIMS: Final = {
    "any": (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13),
    "pontoons": (1, 1, 1, 11, 12, 13, 13, 13, 5, 7, 9),
    "splits": (1, 1, 1, 8, 8, 8, 13, 13, 13, 3),
    "small": (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6),
    "sevens": (7, 7, 7, 7, 7, 1, 13, 6, 8),
    "doubles": (5, 6, 5, 4, 7, 1, 13, 9, 3),
    "forced": (2, 2, 3, 3, 4, 5, 6, 9),
}
"""Ranks that a shoe is made of."""

DEALERS_FIRST: Final = (1, 1, 13, 12, 7, 9, 6)
TRIES: Final = 20
"""Cards that have all left, until any other will do."""
STAKES: Final = (10_000, 5000, 2000, 10_000, 990)


def random_sheet(chance: Random, rules: RuleSet) -> Sheet:
    """Wagers of one to three boxes, of people who sit and stand there."""
    sheet = Sheet()
    boxes = chance.choice((1, 1, 2, 2, 2, 3))
    main = BETTORS[: rules.betting.bettors_max.value]
    outside = "d" if rules.betting.outside.value == "side_wagers" else ""
    for box in range(1, boxes + 1):
        playing = [who for who in main if who == "a" or chance.random() < 0.25]
        if len(playing) > 1 and chance.random() < 0.1:
            playing = playing[1:]
        for bettor in playing:
            sheet.set("main", box, bettor, chance.choice(STAKES))
        for kind, rule in rules.side_wagers.items():
            may = playing if rule.by.value == "main_bettor" else [*main, *outside]
            for bettor in may[: rule.persons_max.value or len(may)]:
                if chance.random() < (0.35 if bettor in playing else 0.04):
                    sheet.set(kind, box, bettor, chance.choice((500, 100)))
    return sheet


class Shoe:
    """Cards by chance, of the ranks of an aim, and of each no more than so many copies."""

    def __init__(self, chance: Random, rules: RuleSet, copies: int) -> None:
        self.chance, self.tens, self.copies = chance, rules.cards.tens.value, copies
        self.aim = chance.choice(tuple(AIMS))
        self.suits = chance.choice(((1, 2, 3, 4), (4, 4, 4, 2)))
        self.out: dict[Card, int] = {}

    def card(self, ranks: tuple[int, ...] = ()) -> Card:
        """A card that the shoe still holds."""
        for tries in count():
            if tries == TRIES:
                ranks, self.suits = AIMS["any"], (1, 2, 3, 4)
            rank = self.chance.choice(ranks or AIMS[self.aim])
            if self.tens and rank > TEN and self.chance.random() < 0.25:
                rank = TEN
            card = Card(rank, self.chance.choice(self.suits))
            if self.out.get(card, 0) < self.copies:
                return card
        raise AssertionError("every card has left")

    def leave(self, card: Card) -> None:
        """The card is said to have left the shoe."""
        self.out[card] = self.out.get(card, 0) + 1

    def instead_of(self, card: Card, beside: list[Card]) -> Card:
        """Another card that matters: one that may make a Pontoon, a pair or a 21, or any."""
        while True:
            ranks = self.chance.choice(
                ((), (1, 13), (7,), tuple(other.rank for other in beside), (2, 3, 8, 9))
            )
            other = self.card(ranks)
            if other != card:
                return other


_WEIGHTS: Final = {
    "split": 8.0,
    "double": 2.5,
    "surrender": 1.5,
    "buy": 3.0,
    "free": 3.0,
    "absent": 0.08,
    "hit": 2.0,
    "stand": 2.0,
}


def decision(chance: Random, rnd: Round, steps: list[Step]) -> Step:
    """What somebody decides among the steps that he may take."""
    hand = rnd.hand_in_turn
    assert hand
    weights = [_weight(step, hand) for step in steps]
    return with_amount(chance, rnd, chance.choices(steps, weights)[0])


def _weight(step: Step, hand: Hand) -> float:
    weight = _WEIGHTS.get(step.verb, 1.0)
    if step.verb == "hit":
        weight *= 3.0 if hand.total < 13 else 0.25 if hand.total > 17 else 1.0
    return weight


def with_amount(chance: Random, rnd: Round, step: Step) -> Step:
    """The step with an amount that it may have."""
    if isinstance(step, Raise):
        hand = rnd.hand_in_turn
        assert hand
        stake = hand.bets[step.seat.bettor or controller_of(rnd, rnd.boxes[step.seat.box])].stake
        assert stake is not None
        return replace(step, amount=chance.choice((stake, stake // 4 * 2)))
    if isinstance(step, Insure):
        owner = step.owner or step.seat
        key = (owner.box, owner.bettor or "a")
        placed = sum(sum_ or 0 for (_, whose), sum_ in rnd.insurance.items() if whose == key)
        bet = rnd.boxes[key[0]].original_bet(key[1])
        assert bet
        most = (bet.stake or 0) // 2 - placed
        return replace(step, amount=chance.choice((most, (most + 1) // 2)))
    return step


def within(rnd: Round, step: Step) -> Step:
    """The step with no more than the wager may be raised by now."""
    hand = rnd.hand_in_turn
    if not isinstance(step, Raise) or hand is None or step.amount is None:
        return step
    stake = hand.bets[step.seat.bettor or controller_of(rnd, rnd.boxes[step.seat.box])].stake
    return replace(step, amount=min(step.amount, stake or 0))
