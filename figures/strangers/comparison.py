"""What a stranger's rules come to when they are played here, beside what was published: exactly but
for splits where every round comes from a full shoe, and by many rounds where a shoe is played on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

from figures.games.games import UNIT, Game, GameNumbers, Played, numbers_of
from figures.kernel.blocks import NET_SQUARED, ROUNDS, SUM_BONUS, SUM_NET
from figures.kernel.tables import BRACKETS
from figures.strangers.rows import Stranger
from figures.strategy.model import GameModel, model_of
from figures.strategy.policy import policy_of
from figures.strategy.preferring import follow
from figures.strategy.solving import Value, played_by, value_of
from figures.strategy.splits import Simulator, measured

WITHIN: Final = 0.01
"""Percent by which ours and a published edge may differ."""
ROUNDED: Final = 0.005
"""Percent by which a published edge is off because it has two places."""

ERROR: Final = 1e-5
"""Of what is exact but for splits, in units: what was published has the same."""
SEED: Final = 1

Playing = Callable[[GameNumbers], Played]
"""Plays rounds of a game."""


@dataclass(frozen=True)
class Compared:
    """A row: percentages of the wager before the deal, ours with its standard error."""

    stranger: Stranger
    decks: int
    published: float
    ours: float
    error: float

    @property
    def difference(self) -> float:
        """Ours less what was published."""
        return self.ours - self.published

    @property
    def verdict(self) -> str:
        """``met``, ``not met``, or ``open`` where two standard errors more or less decide."""
        over = abs(self.difference) - WITHIN - ROUNDED
        if abs(over) < 2 * self.error:
            return "open"
        return "met" if over < 0 else "not met"

    @property
    def why(self) -> str:
        """What may be the cause, where it is not met."""
        return "" if self.verdict == "met" else self.stranger.why


def game_of(stranger: Stranger, decks: int) -> GameNumbers:
    """One box that plays by the stranger's rules, by the tables that are best from a full shoe."""
    model = _model(stranger, decks)
    policy = policy_of(model, played_by(model, Simulator(model, SEED))[0])
    numbers = numbers_of(Game(stranger.rules, decks, policy, penetration=stranger.penetration))
    return numbers._replace(values=stranger.values)


def exactly(stranger: Stranger, decks: int, error: float = ERROR) -> Value:
    """What the best play that a table of totals can have brings the player from a full shoe, in
    units, the part of splits simulated with that standard error."""
    model = _model(stranger, decks)
    simulator = Simulator(model, SEED)
    tables, worth = played_by(model, simulator)
    splits = measured(model, tables, worth, simulator, error)
    return value_of(model, follow(model, tables, splits.mean), splits)


def compared(stranger: Stranger, playing: Playing) -> Iterator[Compared]:
    """The rows of a stranger, one for each number of decks."""
    for decks, published in zip(stranger.decks, stranger.published, strict=True):
        if not stranger.penetration:
            value = exactly(stranger, decks)
            yield Compared(stranger, decks, published, -100 * value.total, 100 * value.error)
            continue
        numbers = game_of(stranger, decks)
        tally = playing(numbers).tally
        stakes, bonus = UNIT * tally[ROUNDS], tally[SUM_BONUS]
        edge = -(tally[SUM_NET] + bonus) / stakes
        squares = tally[NET_SQUARED] + bonus * numbers.table[BRACKETS + 1]
        error = sqrt(squares) / stakes
        yield Compared(stranger, decks, published, 100 * edge, 100 * error)


def _model(stranger: Stranger, decks: int) -> GameModel:
    bonus = stranger.super_bonus
    return model_of(stranger.rules, decks, others=stranger.changed, super_bonus=bonus)


def heading(hands: int) -> str:
    """What stands above the rows of so many hands each."""
    return (
        "Published edges of other tables, in percent of the first wager;"
        f" ours exactly but for splits, or by {hands:,} hands\n"
        f"{'':54} {'decks':>5} {'published':>9} {'ours':>8} {'error':>7} {'apart':>8}"
    )


def line(row: Compared) -> str:
    """A row, and why it is not met."""
    said = (
        f"{row.stranger.title:54} {row.decks:5} {row.published:9.2f} {row.ours:8.4f}"
        f" {row.error:7.4f} {row.difference:+8.4f}  {row.verdict}"
    )
    return f"{said}\n    {row.why}" if row.why else said
