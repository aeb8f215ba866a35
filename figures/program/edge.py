"""``table-figures edge`` and ``side``: what a document returns."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from controller.cli.command_line.numbers import whole
from controller.not_done import NOT_WELL
from controller.verbs import INTERRUPTED
from figures.edges.figures import AskedRun, edge_figures
from figures.edges.kept import Kept
from figures.edges.page import edge_page, side_page
from figures.edges.policies import hitting_sevens
from figures.edges.results import EdgeFigures
from figures.edges.running import carry_out
from figures.program.options import (
    add_game,
    add_sides,
    add_workers,
    asked_of,
    run_of,
    workers_of,
)
from figures.program.progress import Progress, complain
from figures.program.telling import tell
from figures.rounds.figures import FAR_OFF, WINS_TO_JUDGE


def add_edge(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_game(parser, "1e8")
    add_sides(parser)
    parser.add_argument(
        "--penetration",
        metavar="PERCENT",
        type=whole(0, 95),
        default=75,
        help="of the cards in front of the cutting card (75); 0: a new shoe for every round",
    )
    add_workers(parser)
    _add_kept(parser)


def add_side(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_game(parser, "1e7")
    add_sides(parser)
    add_workers(parser)
    _add_kept(parser)


def edge(given: argparse.Namespace) -> int:
    """Play, and tell everything; the exit status."""
    asked = asked_of(given, penetration=given.penetration, sides=True)
    told, status = _played(given, asked)
    tell(given, told, edge_page)
    return status


def side(given: argparse.Namespace) -> int:
    """Play every round from a full shoe, and hold the side wagers and the Super Bonus against what
    is exact; the exit status, 1 where one is too far off to be chance."""
    asked = asked_of(given, penetration=0, sides=True)
    hitting = hitting_sevens(asked.game.policy)
    playing = f"{asked.policy}, hitting suited sevens"
    asked = replace(asked, game=replace(asked.game, policy=hitting), policy=playing)
    told, status = _played(given, asked)
    tell(given, told, side_page)
    if wrong := list(_far_off(told)):
        complain(f"too far from the exact figures to be chance: {', '.join(wrong)}")
    return NOT_WELL if wrong and not status else status


def _add_kept(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--resume", metavar="FILE", type=Path, help="keep what is done there, and go on from it"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _played(given: argparse.Namespace, asked: AskedRun) -> tuple[EdgeFigures, int]:
    run, workers = run_of(given, asked), workers_of(given)
    complain(f"seed {given.seed}")
    if not run.compiled and not given.uncompiled:
        complain("Numba is not installed: the kernel runs uncompiled, some hundred times slower")
    with Kept(given.resume, run) if given.resume else nullcontext() as kept:
        if kept and kept.dropped:
            complain(f"{given.resume}: {kept.dropped} bytes at its end were not right; dropped")
        if kept and kept.sums.rounds:
            complain(f"{given.resume}: {kept.sums.rounds} rounds are done")
        progress = Progress(run.rounds, run.numbers.boxes, kept.sums.rounds if kept else 0)
        sums = carry_out(run, workers, kept, progress.played)
    progress.end()
    if sums.rounds == run.rounds:
        return edge_figures(asked, sums), 0
    more = f"; go on with --resume {given.resume}" if kept else ""
    complain(f"interrupted: {sums.rounds} of {run.rounds} rounds are done{more}")
    if not sums.rounds:
        raise KeyboardInterrupt
    return edge_figures(asked, sums), INTERRUPTED


def _far_off(told: EdgeFigures) -> Iterator[str]:
    button, bonus = told["button"], told["super_bonus"]
    for wager in [*told["sides"], *([button["wager"]] if button else [])]:
        enough = told["hands"] * wager["exact"]["chance"] >= WINS_TO_JUDGE
        if enough and abs(wager["sigmas"] or 0) > FAR_OFF:
            yield wager["kind"]
    enough = bonus is not None and (bonus["expected"] or 0) >= WINS_TO_JUDGE
    if bonus and enough and abs(bonus["sigmas"] or 0) > FAR_OFF:
        yield "super_bonus"
