"""What was counted in simulated rounds, in whole numbers only: adding tallies up in any order, on
any number of processes, gives the same sums.

Wagers are counted by what one decides on when one places them. A main wager brings with it what is
added by splits, doubles and bought cards and what it wins as a Super Bonus: its net is that of all
of them, its ``staked`` the wager before the deal alone, its ``wagered`` all of them.

Rounds of one shoe are not independent of each other, shoes are. So squares are of the sums of a
shoe, from which a standard error follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final

from controller.game.round.model import Settlement
from controller.game.round.wagers import MAIN

FIXED_SUMS: Final = frozenset({"super_bonus", "super_bonus_share"})
"""Settlements that bring a sum on the strength of a wager that is settled by itself."""
PART_OF_MAIN: Final = FIXED_SUMS | {MAIN, "split", "double", "buy"}


@dataclass(slots=True)
class WagerTally:
    """One kind of wager: ``count`` placed; ``staked``, ``wagered`` and ``net`` (the player's) in
    cents; the squares and product of a shoe's net and staked cents; results by kind of settlement,
    outcome and odds."""

    count: int = 0
    staked: int = 0
    wagered: int = 0
    net: int = 0
    net_squared: int = 0
    staked_squared: int = 0
    net_by_staked: int = 0
    results: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, other: WagerTally) -> None:
        """Count what the other has counted, too."""
        self.count += other.count
        self.staked += other.staked
        self.wagered += other.wagered
        self.net += other.net
        self.net_squared += other.net_squared
        self.staked_squared += other.staked_squared
        self.net_by_staked += other.net_by_staked
        self.results.update(other.results)

    def error(self, shoes: int) -> float | None:
        """The standard error of net to staked over so many shoes."""
        squares, products = self.net_squared, self.net_by_staked
        return standard_error(self.net, self.staked, squares, products, self.staked_squared, shoes)


def standard_error(
    net: int, by: int, squares: int, products: int, by_squares: int, shoes: int
) -> float | None:
    """That of ``net / by``: the spread of each shoe's net about what its share of ``by`` would
    bring at that ratio. With fewer than two shoes there is none."""
    if shoes < 2:
        return None
    ratio = Fraction(net, by)
    spread = squares - 2 * ratio * products + ratio * ratio * by_squares
    return sqrt(max(float(spread), 0.0) * shoes / (shoes - 1)) / by


@dataclass(slots=True)
class Tally:
    """Everything that is counted; ``seen`` are :mod:`~.happenings` by name, ``drawn`` the
    multipliers."""

    rounds: int = 0
    shoes: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    drawn: Counter[int] = field(default_factory=Counter)
    wagers: dict[str, WagerTally] = field(default_factory=dict)
    _shoe: dict[str, list[int]] = field(default_factory=dict)

    def settled(self, settlements: Iterable[Settlement]) -> None:
        """Count the settlements of a round."""
        for settlement in settlements:
            assert settlement.stake is not None
            assert settlement.net is not None
            kind = MAIN if settlement.kind in PART_OF_MAIN else settlement.kind
            wager = self.wagers.setdefault(kind, WagerTally())
            sums = self._shoe.setdefault(kind, [0, 0])
            if settlement.kind not in FIXED_SUMS:
                wager.wagered += settlement.stake
            if settlement.kind == kind:
                wager.count += 1
                wager.staked += settlement.stake
                sums[1] += settlement.stake
            wager.net += settlement.net
            sums[0] += settlement.net
            wager.results[settlement.kind, settlement.outcome, settlement.odds or ""] += 1

    def end_shoe(self) -> None:
        """The next round is played from another shoe, or by another tally."""
        for kind, (net, staked) in self._shoe.items():
            wager = self.wagers[kind]
            wager.net_squared += net * net
            wager.staked_squared += staked * staked
            wager.net_by_staked += net * staked
        self._shoe.clear()

    def add(self, other: Tally) -> None:
        """Count what the other has counted, too; its last shoe has ended."""
        self.rounds += other.rounds
        self.shoes += other.shoes
        self.seen.update(other.seen)
        self.drawn.update(other.drawn)
        for kind, wager in other.wagers.items():
            self.wagers.setdefault(kind, WagerTally()).add(wager)
