"""What was measured, a line each: beside its floor and its aim; and how a benchmark runs."""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from proof.benchmarks.daemon import ROOT


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


def over(
    name: str,
    figure: float,
    floor: float,
    unit: str,
    aim: float | None = None,
    *,
    more: bool = False,
) -> Figure:
    """A figure beside its floor."""
    return Figure(name, figure, floor, figure / floor, unit, aim, more)


def alone(
    name: str, figure: float, unit: str, aim: float | None = None, *, more: bool = False
) -> Figure:
    """A figure that has no floor."""
    return Figure(name, figure, None, figure, unit, aim, more)


def late(samples: Sequence[float]) -> float:
    """The 99th of a hundred."""
    return statistics.quantiles(samples, n=100)[98]


Measure = Callable[[argparse.Namespace, Path, Path], list[Figure]]
"""Measures what the options ask for, in a folder of the machine's and one on the disk."""


def print_measured(parser: argparse.ArgumentParser, measure: Measure) -> None:
    """Parse the options, those that all benchmarks have among them, measure and print."""
    parser.add_argument("--directory", type=Path, help="on the disk to be measured; else build/")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    disk_root = options.directory or ROOT / "build"
    disk_root.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as scratch,
        tempfile.TemporaryDirectory(prefix="bench-", dir=disk_root) as disk,
    ):
        figures = measure(options, Path(scratch), Path(disk))
    told = [asdict(figure) for figure in figures]
    print(json.dumps(told, indent=2) if options.json else figures_text(figures))


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
