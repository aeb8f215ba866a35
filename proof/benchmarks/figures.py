"""What was measured, a line each: beside its floor, and beside its aim."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: ``ratio`` is the figure over the floor, or the figure where there is no floor.
    ``aim`` is what the ratio should stay under (over, where ``more`` is better)."""

    name: str
    figure: float
    floor: float | None
    ratio: float
    unit: str
    aim: float | None = None
    more: bool = False

    @property
    def met(self) -> str:
        """Whether the aim is met, "" where there is none."""
        if self.aim is None:
            return ""
        return "met" if (self.ratio > self.aim) == self.more else "MISSED"


def over(name: str, figure: float, floor: float, unit: str, aim: float | None = None) -> Figure:
    """A figure beside its floor."""
    return Figure(name, figure, floor, figure / floor, unit, aim)


def late(samples: Sequence[float]) -> float:
    """The 99th of a hundred."""
    return statistics.quantiles(samples, n=100)[98]


def print_figures(figures: list[Figure], *, as_json: bool) -> None:
    """Print them."""
    told = [asdict(figure) for figure in figures]
    print(json.dumps(told, indent=2) if as_json else figures_text(figures))


def figures_text(figures: list[Figure]) -> str:
    """The figures as a table."""
    lines = [f"{'':44}{'figure':>10}{'floor':>10}  {'':12}{'ratio':>7}{'aim':>7}"]
    for f in figures:
        floor = "" if f.floor is None else f"{f.floor:.4g}"
        aim = "" if f.aim is None else f"{'>' if f.more else '<'}{f.aim:g}"
        lines.append(
            f"{f.name:44}{f.figure:>10.4g}{floor:>10}  {f.unit:12}{f.ratio:>7.2f}{aim:>7}  {f.met}"
        )
    return "\n".join(lines)
