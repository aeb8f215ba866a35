"""``table-figures strangers``: published edges of other tables beside what their rules bring."""

from __future__ import annotations

import argparse
import hashlib
from itertools import chain
from typing import TYPE_CHECKING

from controller.cli.arguments import integer
from controller.not_done import WRONG_USE, NotDone
from controller.plain_text import columns
from controller.verbs import INTERRUPTED, complain
from figures.edges.compiling import tell_compiling
from figures.edges.jobs import Run
from figures.edges.results import Origin
from figures.games.games import GameNumbers, Played
from figures.program.options import (
    add_workers,
    choose_seed,
    compiles,
    origin_of,
    rounds,
    workers_of,
)
from figures.program.playing import add_kept, played, tell_interrupted
from figures.program.telling import say, tell
from figures.report import figure
from figures.report.forms import StrangerFigures, StrangersFigures
from figures.rounds.asked import MOST_SEED
from figures.strangers.rows import FOLDER, StrangerError, strangers

if TYPE_CHECKING:
    from figures.strangers.comparison import Compared


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
    from figures.strangers.comparison import compared, heading, line  # noqa: PLC0415

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
        run = Run(numbers, given.seed, given.rounds, given.block, compiles(given))
        (sums,), interrupted = played(given, [run], workers, job.hexdigest())
        cut = sums.rounds < run.rounds
        return sums.played

    told: list[StrangerFigures] = []
    if not given.json:
        say(given, heading(given.rounds))
    try:
        for row in chain.from_iterable(compared(known[name], playing) for name in names):
            told.append(_figures(row))
            if not given.json:
                say(given, line(row))
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
        tell(given, found)
    else:
        of = figure.cut(found["whole"], missing).strip()
        made_by = figure.whole_origin(origin, None, ("Rounds", f"{given.rounds:,} each"))
        say(given, "\n".join(filter(None, (of, "", columns(made_by.rows)))))
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
    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.toml")):
        digest.update(path.read_bytes())
    return origin_of(given, "strangers", digest.hexdigest())
