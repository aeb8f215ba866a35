"""``table-figures strategy``: what to do with a hand, exactly, as a table to print."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import integer
from controller.files.rules import rules_file
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import check_own, same_file, write_over
from controller.verbs import complain
from figures.edges.compiling import tell_compiling
from figures.program.options import add_smallest_buy, document_of, origin_of, smallest_buy_of
from figures.program.telling import tell
from figures.report.figure import lines_of
from figures.rounds.asked import MOST_SEED

LEAST_ERROR, MOST_ERROR = 1e-6, 1e-2


def add_strategy(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add = parser.add_argument
    add("document", metavar="DOCUMENT", help="a rule set's name, or the path of a rule file")
    add("--decks", metavar="N", type=integer(1, 8), default=8, help="(8)")
    add("--seed", metavar="N", type=integer(0, MOST_SEED), help="for the same splits again")
    add(
        "--error",
        metavar="X",
        type=_error,
        default=2e-5,
        help="standard error of the values, of which splits are simulated (0.00002)",
    )
    add(
        "--bonus",
        metavar="N",
        type=integer(0, 1000),
        default=0,
        help="what a Super Bonus brings to 1: as many wagers of an average player (0)",
    )
    add_smallest_buy(parser)
    add("--svg", metavar="FILE", type=Path, help="the table as a picture of one page to print")
    add("--json", action="store_true", help="as JSON, for 'report'")


def print_strategy(given: argparse.Namespace) -> int:
    """Find the strategy and tell it; the exit status.

    Raises:
        NotDone: 2, options or the rule file cannot be used. 1, the picture cannot be written.
        NotForTheKernel, ShoeTooSmall, ImportError: as :func:`figures.strategy.solving.strategy_of`.
    """
    from figures.strategy.cards import svg_of  # noqa: PLC0415 - an extra
    from figures.strategy.charts import as_data  # noqa: PLC0415
    from figures.strategy.solving import strategy_of  # noqa: PLC0415

    rules, digest = document_of(given)
    smallest = smallest_buy_of(given, rules)
    if given.svg is not None and same_file(given.svg, rules_file(given.document)):
        raise NotDone(WRONG_USE, f"{given.svg}: it is the rule file; name another file for --svg")
    origin = origin_of(given, rules.id, digest)
    complain(f"seed {given.seed}")
    tell_compiling("play_forced", complain)
    found = strategy_of(
        rules,
        given.decks,
        seed=given.seed,
        error=given.error,
        super_bonus=given.bonus,
        smallest_buy=smallest,
    )
    if given.svg is not None:
        try:
            check_own(given.svg)
            write_over(given.svg, svg_of(found, lines_of(origin)).encode())
        except OSError as error:
            why = f"{given.svg}: it cannot be written: {error.strerror}"
            raise NotDone(NOT_WELL, why) from error
    tell(given, {"origin": origin, **as_data(found)})
    return 0


def _error(text: str) -> float:
    """A type for argparse: a standard error."""
    try:
        error = float(text)
    except ValueError:
        error = 0.0
    if not LEAST_ERROR <= error <= MOST_ERROR:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected a number from {LEAST_ERROR:f} to {MOST_ERROR}"
        )
    return error
