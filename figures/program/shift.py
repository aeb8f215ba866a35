"""``table-figures shift``: what a shift may bring, from a run's figures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from controller.cli.arguments import amount, many
from controller.not_done import WRONG_USE, NotDone
from figures.edges.expected import as_simulated
from figures.edges.risk import shift_figures
from figures.program.telling import say, tell
from figures.report.reading import read_edge

MOST_ROUNDS: Final = 1_000_000


def add_shift(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add = parser.add_argument
    what = "what 'table-figures edge --json' has printed; -: standard input"
    add("edge", metavar="EDGE.json", type=Path, help=what)
    add("--rounds", metavar="N", type=many(MOST_ROUNDS), default=480, help="of a shift (480)")
    add("--stake", metavar="AMOUNT", type=_stake, default=1000, help="of each wager (10.00)")
    add("--sides", action="store_true", help="of all wagers, not of the main wagers alone")
    add("--loses", metavar="AMOUNT", type=amount, nargs="+", default=[], help="more than so much?")
    add(
        "--expected",
        action="store_true",
        help="print instead what a floor's report takes: a file DIGEST.json of its folder",
    )
    add("--json", action="store_true", help="as JSON")


def shift(given: argparse.Namespace) -> int:
    """Tell it; the exit status.

    Raises:
        NotDone: 2, the file is none of a run, or options do not go together.
    """
    others = [name for name in ("sides", "loses", "json") if getattr(given, name)]
    if given.expected and others:
        raise NotDone(WRONG_USE, f"--{others[0]}: not with --expected, which is of main wagers")
    told = read_edge(given.edge)
    if given.expected:
        say(given, json.dumps(as_simulated(told, given.stake)))
        return 0
    found = shift_figures(told, given.rounds, given.stake, given.loses, sides=given.sides)
    tell(given, found)
    return 0


def _stake(text: str) -> int:
    """A type for argparse: an amount that is wagered, in cents."""
    if (cents := amount(text)) > 0:
        return cents
    raise argparse.ArgumentTypeError(f"{text!r}: expected an amount above 0")
