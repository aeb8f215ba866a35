"""What a stranger's rules come to when they are played here, beside what was published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

from figures.kernel.blocks import NET_SQUARED, ROUNDS, SUM_BONUS, SUM_NET
from figures.kernel.games import UNIT, Game, GameNumbers, Played, numbers_of
from figures.kernel.tables import BRACKETS
from figures.strangers.play import good_play
from figures.strangers.rows import Stranger

WITHIN: Final = 0.01
"""Percent by which ours and a published edge may differ."""
ROUNDED: Final = 0.005
"""Percent by which a published edge is off because it has two places."""

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
    """One box that plays well by the stranger's rules."""
    policy = good_play(stranger, decks)
    numbers = numbers_of(Game(stranger.rules, decks, policy, penetration=stranger.penetration))
    return numbers._replace(values=stranger.values)


def compared(stranger: Stranger, playing: Playing) -> Iterator[Compared]:
    """The rows of a stranger, one for each number of decks."""
    for decks, published in zip(stranger.decks, stranger.published, strict=True):
        numbers = game_of(stranger, decks)
        tally = playing(numbers).tally
        stakes, bonus = UNIT * tally[ROUNDS], tally[SUM_BONUS]
        edge = -(tally[SUM_NET] + bonus) / stakes
        squares = tally[NET_SQUARED] + bonus * numbers.table[BRACKETS + 1]
        error = sqrt(squares) / stakes
        yield Compared(stranger, decks, published, 100 * edge, 100 * error)


def heading(hands: int) -> str:
    """What stands above the rows of so many hands each."""
    return (
        f"Published edges of other tables, {hands:,} hands each, in percent of the first wager\n"
        f"{'':54} {'decks':>5} {'published':>9} {'ours':>8} {'error':>7} {'apart':>8}"
    )


def line(row: Compared) -> str:
    """A row, and why it is not met."""
    said = (
        f"{row.stranger.title:54} {row.decks:5} {row.published:9.2f} {row.ours:8.4f}"
        f" {row.error:7.4f} {row.difference:+8.4f}  {row.verdict}"
    )
    return f"{said}\n    {row.why}" if row.why else said
