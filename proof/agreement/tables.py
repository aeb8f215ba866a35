"""Tables, wagers, cards and decisions by chance, such that what is rare at a table comes often.

Half of the trials play from shoes of one deck to eight; the others with cards of a few ranks and
suits, so that there are splits of splits, sevens of one suit against a seven, and hands of very
many cards.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from controller.draw.weights import Weights
from controller.game.round.wagers import MAIN, Limits, Sheet
from controller.game.rules.schema import RuleSet
from figures.games.games import full_shoe
from figures.kernel.tables import new_table, sides_of

CENTS: Final = 100
BETTOR: Final = "a"
ACE, SEVEN, KING = 0, 6, 12
PICTURES = (10, 11, KING)
SPADES: Final = 3
"""Ranks and a suit as the kernel's cards have them."""
TAPE_LENGTH: Final = 2000
"""Numbers that decide: a round begins anywhere in the first half of them, and uses fewer than the
other half."""
DRAWN_CARDS: Final = 2000
"""Cards that are drawn for a trial without a shoe: the same holds for them."""


class CardsOf(IntEnum):
    """Kinds of such cards."""

    SEVENS = 0
    """Of one suit, against a seven."""
    PONTOONS = 1
    """Of the dealer, against hands that are split."""
    ACES = 2
    """In split hands that are doubled."""
    SIX_SEVEN_EIGHT = 3
    """Of one suit."""
    LONG_HANDS = 4
    """Hands of very many cards."""
    ANY = 5
    ACES_AND_PICTURES = 6
    """The dealer's Pontoon against hands of 21 that are split again; for who asks for them."""


BY_CHANCE: Final = tuple(CardsOf)[: CardsOf.ACES_AND_PICTURES]


class Subject:
    """A rule set, by the ``name`` of its document or mutant, and what the kernel looks up of it;
    ``engine``: others that the engine plays, to see that this is found."""

    def __init__(self, name: str, rules: RuleSet, engine: RuleSet | None = None) -> None:
        self.name = name
        self.rules = rules
        self.engine = engine or rules
        multipliers = rules.pandemonium.multipliers.value if rules.pandemonium else ()
        self.weights = Weights(tuple((one, 1) for one in multipliers)) if multipliers else None
        self.table = new_table(rules, self.weights)
        self.sides = sides_of(rules)


@dataclass(frozen=True, slots=True)
class Trial:
    """A table and the wagers of its rounds, in cents; ``boxes`` are the numbers of those in play,
    and ``sides`` the stakes of each side wager that two cards settle, by box (0: none). ``tape`` is
    what decides; where it is empty, a plan does. ``cards`` are drawn ones, by number; where there
    are none, a shoe is dealt. ``little`` is the smallest buy of a plan, 0: it buys for the stake
    alone."""

    limits: Limits
    boxes: tuple[int, ...]
    main: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    button: tuple[int, ...]
    decks: int
    penetration: int
    tape: tuple[int, ...]
    cards: tuple[int, ...] = ()
    little: int = 0

    def sheet(self, subject: Subject) -> Sheet:
        """The wagers as the table has them."""
        sheet, kind = Sheet(), subject.rules.button_wager
        kinds = [(MAIN, self.main), *zip(subject.sides, self.sides, strict=True)]
        for name, stakes in [*kinds, (kind, self.button)] if kind else kinds:
            for box, stake in zip(self.boxes, stakes, strict=True):
                sheet.set(name, box, BETTOR, stake)
        return sheet


def kind_of(number: int) -> CardsOf | None:
    """Which cards the trial of that number has: every second one a shoe (None), and the others each
    kind in turn."""
    return BY_CHANCE[number // 2 % len(BY_CHANCE)] if number % 2 else None


def trial_of(subject: Subject, chance: random.Random, kind: CardsOf | None) -> Trial:
    """A trial by chance, with cards of that kind or (None) a shoe."""
    rules = subject.rules
    # What is bought for is an even number of cents; what is doubled may be odd.
    increment = chance.choice((2, 50, 100, 500) if rules.buy else (1, 2, 5, 50, 100, 500))
    step = increment * (1 + increment % 2)
    limits = Limits(min=step * chance.choice((1, 2, 5, 10)), increment=increment)
    most = rules.betting.boxes_max.value
    boxes = tuple(sorted(chance.sample(range(1, most + 1), chance.randint(1, most))))
    decks, penetration = chance.choice((1, 1, 4, 6, 8)), chance.choice((20, 50, 75, 90, 99, 100))
    main = tuple(_main(rules, step, chance) for _ in boxes)
    return Trial(
        limits,
        boxes,
        main,
        tuple(tuple(_side(chance) for _ in boxes) for _ in subject.sides),
        tuple(_side(chance) if rules.button_wager else 0 for _ in boxes),
        decks,
        penetration,
        _tape(chance) if chance.random() < 0.75 else (),
        () if kind is None else _cards(rules, chance, kind),
        step * chance.randrange(min(main) // step) if rules.buy else 0,
    )


def _main(rules: RuleSet, step: int, chance: random.Random) -> int:
    """A main wager, often one at which the Super Bonus changes; some are below the least one."""
    if rules.super_bonus and chance.random() < 0.5:
        dollars = chance.choice(rules.super_bonus.brackets.value)[0]
        return max(step, step * (dollars * CENTS // step + chance.randint(-1, 1)))
    return step * chance.randint(1, chance.choice((2, 20, 500)))


def _tape(chance: random.Random) -> tuple[int, ...]:
    return tuple(
        0 if chance.random() < 0.15 else chance.getrandbits(30) for _ in range(TAPE_LENGTH)
    )


def _side(chance: random.Random) -> int:
    return chance.choice((0, 1, 100, chance.randint(1, 5000)))


def _cards(rules: RuleSet, chance: random.Random, kind: CardsOf) -> tuple[int, ...]:
    """Cards of a few ranks and suits, with some others among them."""
    every: Sequence[int] = full_shoe(rules, 1)
    ranks = chance.sample(sorted({card // 4 for card in every}), chance.randint(1, 5))
    suits = chance.sample(range(4), chance.randint(1, 4))
    match kind:
        case CardsOf.SEVENS:
            ranks, suits = [SEVEN], chance.choice(([SPADES], suits[:1]))
        case CardsOf.PONTOONS:
            ranks = [*ranks[:2], ACE, KING]
        case CardsOf.ACES:
            ranks = [*ranks[:1], ACE]
        case CardsOf.SIX_SEVEN_EIGHT:
            ranks, suits = [SEVEN - 1, SEVEN, SEVEN + 1], chance.choice(([SPADES], suits[:1]))
        case CardsOf.LONG_HANDS:
            ranks = [*ranks[:1], *range(ACE, chance.randint(ACE, 3) + 1)]
        case CardsOf.ACES_AND_PICTURES:
            ranks = [ACE, *PICTURES]
    few = [card for card in every if card // 4 in ranks and card % 4 in suits]
    others = 0.05 if kind is CardsOf.ACES_AND_PICTURES else chance.choice((0.05, 0.2, 0.5))
    rows = chance.choices(few, k=DRAWN_CARDS), chance.choices(every, k=DRAWN_CARDS)
    return tuple(rows[chance.random() < others][place] for place in range(DRAWN_CARDS))
