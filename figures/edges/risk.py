"""What a shift may bring: many rounds of one distribution, added up.

The rules:

- The distribution of a round's net is a run's. Rounds of a shift are taken to be independent of
  each other; those of one shoe are so to within what a standard error by shoes shows.
- The distribution of a sum is the convolution of that of a round with itself, by a discrete Fourier
  transform that is long enough for all that may come, or for :data:`WIDTH` standard deviations
  either way: beyond is less than what rounding leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, Final

from controller.game.commands.values import write_amount
from figures.edges.results import EdgeFigures, ShiftFigures
from figures.games.games import UNIT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

WIDTH: Final = 40
LONGEST: Final = 1 << 24
BAND: Final = 0.025
"""Outside of the band on either side."""
CURVE: Final = 400
"""Points of a curve, at most."""


@dataclass(frozen=True)
class Sum:
    """The distribution of a sum: ``chances`` of ``lowest``, ``lowest + 1``, … halves of a unit."""

    lowest: int
    chances: npt.NDArray[np.float64]

    def more_than(self, halves: float) -> float:
        """The chance of more than so much."""
        first = min(max(int(halves // 1) + 1 - self.lowest, 0), len(self.chances))
        return float(self.chances[first:].sum())

    def quantile(self, share: float) -> int:
        """The least sum that is not exceeded with that chance."""
        place = int(self.chances.cumsum().searchsorted(share))
        return self.lowest + min(place, len(self.chances) - 1)


def sum_of(distribution: Sequence[Sequence[int]], rounds: int) -> Sum:
    """Of so many independent rounds, each ``[halves, how often]``."""
    import numpy as np  # noqa: PLC0415 - an extra

    nets, counts = np.array(distribution, dtype=np.int64).T
    chances = counts / counts.sum()
    low, high = int(nets.min()), int(nets.max())
    mean = float(nets @ chances)
    deviation = sqrt(float((nets - mean) ** 2 @ chances) * rounds)
    length = (high - low) * rounds + 1
    begin = low * rounds
    if length > LONGEST:
        half = ceil(WIDTH * deviation) + high - low
        length, begin = 2 * half + 1, round(mean * rounds) - half
    size = 1 << (length - 1).bit_length()
    one = np.zeros(size)
    np.add.at(one, nets % size, chances)
    circle = np.fft.irfft(np.fft.rfft(one) ** rounds, size)
    found = np.roll(circle, -begin)[:length].clip(min=0.0)
    return Sum(begin, found / found.sum())


def shift_figures(
    told: EdgeFigures, rounds: int, stake: int, losses: Sequence[int], *, sides: bool
) -> ShiftFigures:
    """What a shift of ``rounds`` brings the house at ``stake`` cents a wager; the chance that it
    loses more than each of ``losses`` cents. With ``sides`` of all wagers, else of main ones."""
    import numpy as np  # noqa: PLC0415

    cents = stake / UNIT
    again = f"--json > edge.json; table-figures shift edge.json --rounds {rounds}"
    again += f" --stake {write_amount(stake)}" + (" --sides" if sides else "")
    if losses:
        again += f" --loses {' '.join(write_amount(loss) or '' for loss in losses)}"
    found = sum_of(told["distributions"]["all" if sides else "main"], rounds)
    halves = found.lowest + np.arange(len(found.chances))
    mean = float(halves @ found.chances)
    deviation = sqrt(float((halves - mean) ** 2 @ found.chances))
    return {
        "origin": {**told["origin"], "command": f"{told['origin']['command']} {again}"},
        "setting": told["setting"],
        "rounds": rounds,
        "stake": stake,
        "mean": -mean * cents,
        "mean_error": deviation * sqrt(rounds / told["rounds"]) * cents,
        "deviation": deviation * cents,
        "low": round(-found.quantile(1 - BAND) * cents),
        "high": round(-found.quantile(BAND) * cents),
        "loses": found.more_than(0),
        "loses_more_than": [[loss, found.more_than(loss / cents)] for loss in losses],
        "points": _curve(found, mean, deviation, cents),
    }


def _curve(found: Sum, mean: float, deviation: float, cents: float) -> list[list[float]]:
    """The house's win and the chance of at most so much, within five deviations."""
    reach = 5 * deviation
    below: Any = found.chances.cumsum()
    first = max(int(mean - reach) - found.lowest, 0)
    last = min(int(mean + reach) - found.lowest, len(found.chances) - 1)
    every = max((last - first) // CURVE, 1)
    places = range(last, first - 1, -every)
    return [
        [-(found.lowest + place) * cents, 1.0 - float(below[place - 1]) if place else 1.0]
        for place in places
    ]
