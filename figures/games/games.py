"""Games to be played many times: rules, decks, boxes, wagers and a policy, made into the kernel's
rows, and blocks of rounds with a chance of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from controller.draw.weights import Weights
from controller.game.round.wagers import Limits
from controller.game.rules.cards import TEN
from controller.game.rules.schema import RuleSet
from figures.games.compiled import cells, compiled, jit_disabled, small_cells
from figures.kernel import blocks
from figures.kernel.felt import BOXES_MAX, BUTTON, MAIN, RANDOM, SEEN, SIDES, SIZE
from figures.kernel.plans import Policy, new_plan
from figures.kernel.shoe import REFILLS, SHUFFLES, new_shoe
from figures.kernel.tables import BRACKET_COUNT, BRACKETS, new_table, sides_of
from figures.kernel.values import Values, values_of
from figures.kernel.words import CARDS, card_of

UNIT: Final = 2
"""Cents of a main wager, and of a side wager: a half of it is one."""


def unit_of(smallest_buy: Fraction | None) -> int:
    """Cents of a main wager, of which the smallest buy and a half of whatever is staked are whole
    numbers."""
    return UNIT * smallest_buy.denominator if smallest_buy else UNIT


class ShoeTooSmall(Exception):
    """All cards of the decks lay on the table and another one was due; more decks are needed."""


@dataclass(frozen=True)
class Game:
    """``boxes`` boxes play by ``policy`` from ``decks`` decks, the cutting card behind
    ``penetration`` percent of them. Each stakes :data:`UNIT` cents, and as much on every side wager
    where there are ``sides`` (on the button's only with ``weights``). A Super Bonus and its shares
    are what they are for a main wager of ``stake`` cents. Players choose between the
    ``smallest_buy``, a fraction of the wager (then a unit is :func:`unit_of` it), and the wager;
    without one, they buy for the wager."""

    rules: RuleSet
    decks: int
    policy: Policy
    boxes: int = 1
    sides: bool = False
    weights: Weights | None = None
    penetration: int = 75
    limits: Limits = field(default_factory=lambda: Limits(min=UNIT))
    stake: int = UNIT
    smallest_buy: Fraction | None = None

    @property
    def unit(self) -> int:
        """Cents of a main wager."""
        return unit_of(self.smallest_buy)


@dataclass(slots=True)
class Played:
    """What rounds came to: ``tally`` by :mod:`~.blocks`, ``seen`` by :mod:`~.seen`; ``shoes`` how
    often a shoe was shuffled, ``refills`` how often one ran out in mid-round."""

    tally: list[int] = field(default_factory=lambda: [0] * blocks.TALLY)
    seen: list[int] = field(default_factory=list)
    shoes: int = 0
    refills: int = 0

    def add(self, other: Played) -> None:
        """Count what the other has counted, too: in any order the sums are the same."""
        self.tally = [a + b for a, b in zip(self.tally, other.tally, strict=True)]
        seen = self.seen or [0] * len(other.seen)
        self.seen = [a + b for a, b in zip(seen, other.seen, strict=True)]
        self.shoes += other.shoes
        self.refills += other.refills


class GameNumbers(NamedTuple):
    """A game as numbers alone, which any process and any machine can be handed: the rows with which
    a block begins (:mod:`~.felt`, :mod:`~.shoe`), and those that it only reads."""

    values: Values
    table: tuple[int, ...]
    plan: tuple[int, ...]
    felt: tuple[int, ...]
    shoe: tuple[int, ...]
    boxes: int
    sides: int

    @property
    def unit(self) -> int:
        """Cents of a main wager."""
        return self.felt[MAIN]


def numbers_of(game: Game) -> GameNumbers:
    """The numbers of a game.

    Raises:
        NotForTheKernel: its rules have more of something than there are places for.
    """
    kinds, values = sides_of(game.rules), values_of(game.rules, game.limits)
    values = values._replace(little=little_of(game.smallest_buy))
    felt = [0] * SIZE
    for box in range(game.boxes):
        felt[MAIN + box] = game.unit
        if game.sides:
            felt[BUTTON + box] = game.unit if game.weights else 0
            for side in range(len(kinds)):
                felt[SIDES + side * BOXES_MAX + box] = game.unit
    return GameNumbers(
        values,
        tuple(_table(game)),
        tuple(new_plan(values, game.policy)),
        tuple(felt),
        tuple(new_shoe(full_shoe(game.rules, game.decks), game.penetration, game.boxes)),
        game.boxes,
        len(kinds) if game.sides else 0,
    )


def _table(game: Game) -> list[int]:
    """The table, in which any wager brings the Super Bonus of the stake."""
    table = new_table(game.rules, game.weights)
    if game.rules.super_bonus is not None:
        paid = game.rules.super_bonus.sum_for(game.stake)
        table[BRACKETS], table[BRACKETS + 1] = 0, paid
        table[BRACKET_COUNT] = 1 if paid else 0
    return table


class Player:
    """Plays blocks of a game, compiled where that is asked for and Numba may, or not."""

    def __init__(self, game: Game | GameNumbers, *, compile_it: bool = True) -> None:
        compile_it = compile_it and not jit_disabled()
        self._numbers = numbers_of(game) if isinstance(game, Game) else game
        self._cells: Callable[[Sequence[int]], Any] = cells if compile_it else list
        small: Callable[[Sequence[int]], Any] = small_cells if compile_it else list
        self._play = compiled()["play_block"] if compile_it else blocks.play_block
        self._table, self._plan = self._cells(self._numbers.table), small(self._numbers.plan)

    def block(self, seed: int, number: int, rounds: int) -> Played:
        """That number of rounds, by the chance of the seed and the block's number.

        Raises:
            ShoeTooSmall: the decks do not suffice for a round.
        """
        numbers = self._numbers
        felt, shoe = self._cells(numbers.felt), self._cells(numbers.shoe)
        tally = self._cells([0] * blocks.TALLY)
        felt[RANDOM] = chance_of(seed, number)
        rows = numbers.values, self._table, self._plan, felt, shoe, tally
        if not self._play(*rows, rounds, numbers.boxes, numbers.sides):
            raise ShoeTooSmall(f"the decks do not suffice for {numbers.boxes} boxes")
        return Played(
            [int(n) for n in tally],
            [int(n) for n in felt[SEEN:]],
            int(shoe[SHUFFLES]),
            int(shoe[REFILLS]),
        )


def little_of(smallest_buy: Fraction | None) -> int:
    """Cents of the smallest buy; 0: there is none."""
    return int(smallest_buy * unit_of(smallest_buy)) if smallest_buy else 0


def full_shoe(rules: RuleSet, decks: int) -> Sequence[int]:
    """The cards of that number of decks, by number."""
    tens = rules.cards.tens.value
    return [card for card in range(CARDS) if tens or card_of(card).rank != TEN] * decks


def chance_of(seed: int, number: int) -> int:
    """The state of the random numbers with which a block begins: 63 bits."""
    digest = hashlib.sha256(f"{seed}:{number}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
