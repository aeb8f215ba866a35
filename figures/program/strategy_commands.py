"""What is played by the exact strategy: ``table-figures strategy``, what to do with a hand, as a
table to print, and ``strangers``, published edges of other tables beside what their rules bring.
"""

from __future__ import annotations

import argparse
import hashlib
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.arguments import integer
from controller.files.rules import rules_file
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import columns
from controller.regular_files import check_own, same_file, write_over
from controller.verbs import INTERRUPTED, complain
from figures.edges.compiling import tell_compiling
from figures.edges.jobs import SeededRun
from figures.edges.results import Origin
from figures.games.games import GameNumbers, Played
from figures.program.options import (
    add_smallest_buy,
    add_workers,
    choose_seed,
    compiles,
    document_of,
    origin_of,
    rounds,
    smallest_buy_of,
    workers_of,
)
from figures.program.runs import add_kept, played, tell_interrupted
from figures.program.telling import print_result, print_text
from figures.report import figure
from figures.report.figure import lines_of
from figures.report.forms import StrangerFigures, StrangersFigures
from figures.rounds.run_options import MOST_SEED

if TYPE_CHECKING:
    from figures.strangers import Compared


def add_strangers(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="files to play, without .toml (all)")
    add("--rounds", metavar="N", type=rounds, default=rounds("1e9"), help="of each row (1e9)")
    add("--seed", metavar="N", type=integer(0, MOST_SEED), help="for the same cards again")
    add_workers(parser)
    add_kept(parser)


def print_strangers(given: argparse.Namespace) -> int:
    """Play every row and tell what it comes to as soon as it is known; the exit status.

    Raises:
        NotDone: 2, there is no such row, or its file is not right.
        ImportError: NumPy or Numba is not installed.
    """
    from figures.strangers import StrangerError, compared, heading, line, strangers  # noqa: PLC0415 - an extra

    try:
        known = {stranger.name: stranger for stranger in strangers()}
    except StrangerError as error:
        raise NotDone(WRONG_USE, str(error)) from error
    if unknown := [name for name in given.names if name not in known]:
        raise NotDone(WRONG_USE, f"{', '.join(unknown)}: expected some of {', '.join(known)}")
    choose_seed(given)
    tell_compiling("play_forced", complain)
    workers, origin = workers_of(given), _origin(given)
    names = given.names or list(known)
    rows = [f"{known[name].title}, {decks} decks" for name in names for decks in known[name].decks]
    job = hashlib.sha256(
        repr((names, given.seed, given.block, origin["rules_digest"], origin["kernel"])).encode()
    )
    interrupted = cut = False

    def playing(numbers: GameNumbers) -> Played:
        nonlocal interrupted, cut
        run = SeededRun(numbers, given.seed, given.rounds, given.block, compiles(given))
        (sums,), interrupted = played(given, [run], workers, job.hexdigest())
        cut = sums.rounds < run.rounds
        return sums.played

    told: list[StrangerFigures] = []
    if not given.json:
        print_text(given, heading(given.rounds))
    try:
        for row in chain.from_iterable(compared(known[name], playing) for name in names):
            told.append(_figures(row))
            if not given.json:
                print_text(given, line(row))
            if interrupted:
                break
    except KeyboardInterrupt:
        if not told:
            raise
    missing = rows[len(told) - cut :]
    if missing:
        tell_interrupted(given, f"{len(rows) - len(missing)} of {len(rows)} rows")
    found = StrangersFigures(
        origin=origin, rounds=given.rounds, whole=not missing, missing=missing, strangers=told
    )
    if given.json:  # rows of text have been told
        print_result(given, found)
    else:
        of = figure.cut(found["whole"], missing).strip()
        made_by = figure.whole_origin(origin, None, ("Rounds", f"{given.rounds:,} each"))
        print_text(given, "\n".join(filter(None, (of, "", columns(made_by.rows)))))
    return INTERRUPTED if missing else 0


def _figures(row: Compared) -> StrangerFigures:
    return {
        "title": row.stranger.title,
        "source": row.stranger.source,
        "decks": row.decks,
        "published": row.published / 100,
        "ours": row.ours / 100,
        "standard_error": row.error / 100,
        "verdict": row.verdict,
        "why": row.why,
    }


def _origin(given: argparse.Namespace) -> Origin:
    from figures.strangers import FOLDER  # noqa: PLC0415

    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.toml")):
        digest.update(path.read_bytes())
    return origin_of(given, "strangers", digest.hexdigest())


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
    print_result(given, {"origin": origin, **as_data(found)})
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
