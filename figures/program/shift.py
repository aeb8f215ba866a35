"""``table-figures shift``: what a shift may bring, from a run's figures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from controller.cli.command_line.numbers import amount, whole
from controller.json_values import WrongForm, checked
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import read_whole
from figures.edges.expected import as_simulated
from figures.edges.results import EdgeFigures
from figures.edges.risk import shift_figures
from figures.program.telling import tell

MOST_BYTES: Final = 16 << 20
MOST_ROUNDS: Final = 1_000_000


def add_shift(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add = parser.add_argument
    add("edge", metavar="EDGE.json", type=Path, help="what 'table-figures edge --json' has printed")
    add("--rounds", metavar="N", type=whole(1, MOST_ROUNDS), default=480, help="of a shift (480)")
    add("--stake", metavar="AMOUNT", type=amount, default=1000, help="of each wager (10.00)")
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
        NotDone: 2, the file is none of a run.
    """
    told = read_edge(given.edge)
    if given.expected:
        print(json.dumps(as_simulated(told, given.stake)))
        return 0
    found = shift_figures(told, given.rounds, given.stake, given.loses, sides=given.sides)
    tell(given, found)
    return 0


def read_edge(path: Path) -> EdgeFigures:
    """The figures of a run in that file.

    Raises:
        NotDone: 2, there are none.
    """
    try:
        return checked(EdgeFigures, json.loads(read_whole(path, MOST_BYTES)), "it")
    except (OSError, ValueError, WrongForm) as error:
        raise NotDone(
            WRONG_USE,
            f"{path}: cannot be used ({error}); expected what 'table-figures edge --json' printed",
        ) from error
