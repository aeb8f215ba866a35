"""``table-figures strangers``: published edges of other tables beside what their rules bring."""

from __future__ import annotations

import argparse
import hashlib
import json
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

from controller import __version__
from controller.cli.command_line.numbers import whole
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from figures.edges.jobs import Run, RunSums
from figures.edges.results import Origin
from figures.games.compiled import source_digest
from figures.games.games import GameNumbers, Played
from figures.program.options import add_workers, compiles, rounds, workers_of
from figures.program.progress import Progress
from figures.report.forms import StrangerFigures, StrangersFigures
from figures.rounds.asked import MOST_SEED, any_seed
from figures.strangers.rows import FOLDER, StrangerError, strangers

if TYPE_CHECKING:
    from figures.strangers.comparison import Compared


def add_strangers(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="files to play, without .toml (all)")
    add("--rounds", metavar="N", type=rounds, default=rounds("1e9"), help="of each row (1e9)")
    add("--seed", metavar="N", type=whole(0, MOST_SEED), help="for the same cards again")
    add_workers(parser)
    add("--json", action="store_true", help="as JSON, for 'report'")


def print_strangers(given: argparse.Namespace) -> int:
    """Play every row and tell what it comes to as soon as it is known; the exit status.

    Raises:
        NotDone: 2, there is no such row, or its file is not right; 1, Numba is missing.
    """
    if find_spec("numba") is None:
        raise NotDone(NOT_WELL, "strangers: needs Numba; the extra 'figures' brings it")
    from figures.strangers.comparison import compared, heading, line  # noqa: PLC0415

    try:
        known = {stranger.name: stranger for stranger in strangers()}
    except StrangerError as error:
        raise NotDone(WRONG_USE, str(error)) from error
    if unknown := [name for name in given.names if name not in known]:
        raise NotDone(WRONG_USE, f"{', '.join(unknown)}: expected some of {', '.join(known)}")
    if given.seed is None:
        given.seed = any_seed()
    workers = workers_of(given)

    def playing(numbers: GameNumbers) -> Played:
        sums, progress = RunSums(), Progress(given.rounds, 1)
        run = Run(numbers, given.seed, given.rounds, given.block, compiles(given))
        with closing(workers([run], run.tasks())) as parts:
            for done in parts:
                sums.add(done.number, done.played)
                progress.played(sums)
        return sums.played

    told: list[StrangerFigures] = []
    if not given.json:
        print(heading(given.rounds))
    for name in given.names or known:
        for row in compared(known[name], playing):
            told.append(_figures(row))
            if not given.json:
                print(line(row), flush=True)
    if given.json:
        print(
            json.dumps(StrangersFigures(origin=_origin(given), rounds=given.rounds, strangers=told))
        )
    return 0


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
    words = ["table-figures strangers", *given.names, f"--rounds {given.rounds}"]
    return {
        "command": " ".join([*words, f"--seed {given.seed} --block {given.block}"]),
        "seed": given.seed,
        "version": __version__,
        "rules": "strangers",
        "rules_digest": digest.hexdigest(),
        "kernel": source_digest(),
    }
