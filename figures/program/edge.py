"""``table-figures edge`` and ``side``: what a document returns."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from controller.cli.arguments import integer
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.verbs import INTERRUPTED, complain
from figures.edges.figures import AskedRun, edge_figures
from figures.edges.policies import hitting_sevens
from figures.edges.results import EdgeFigures
from figures.program.options import (
    add_game,
    add_sides,
    add_smallest_buy,
    add_workers,
    asked_of,
    run_of,
    workers_of,
)
from figures.program.playing import add_kept, played
from figures.program.telling import tell
from figures.rounds.figures import FAR_OFF, WINS_TO_JUDGE


def add_edge(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_game(parser, "1e8", rules=True)
    add_smallest_buy(parser)
    add_sides(parser)
    parser.add_argument(
        "--penetration",
        metavar="PERCENT",
        type=integer(0, 95),
        default=75,
        help="of the cards in front of the cutting card (75); 0: a new shoe for every round",
    )
    add_workers(parser)
    add_kept(parser)


def add_side(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_game(parser, "1e7")
    add_sides(parser)
    add_workers(parser)
    add_kept(parser)


def edge(given: argparse.Namespace) -> int:
    """Play, and tell everything; the exit status.

    Raises:
        NotDone: 2, options or the rule file cannot be used.
    """
    if (given.document is None) == (given.rules is None):
        raise NotDone(WRONG_USE, "expected DOCUMENT or --rules ID, one of them")
    given.document = given.document or given.rules
    asked = asked_of(given, penetration=given.penetration, sides=True)
    told, status = _played(given, asked)
    tell(given, told)
    return status


def side(given: argparse.Namespace) -> int:
    """Play every round from a full shoe, and hold the side wagers and the Super Bonus against what
    is exact; the exit status, 1 where one is too far off to be chance."""
    asked = asked_of(given, penetration=0, sides=True)
    if asked.game.rules.super_bonus:
        hitting = hitting_sevens(asked.game.policy)
        playing = f"{asked.policy}, hitting suited sevens"
        asked = replace(asked, game=replace(asked.game, policy=hitting), policy=playing)
    told, status = _played(given, asked)
    tell(given, told)
    if wrong := list(_far_off(told)):
        complain(f"too far from the exact figures to be chance: {', '.join(wrong)}")
    return NOT_WELL if wrong and not status else status


def _played(given: argparse.Namespace, asked: AskedRun) -> tuple[EdgeFigures, int]:
    (sums,), _ = played(given, [run_of(given, asked)], workers_of(given))
    told = edge_figures(asked, sums)
    return told, 0 if told["whole"] else INTERRUPTED


def _far_off(told: EdgeFigures) -> Iterator[str]:
    button, bonus = told["button"], told["super_bonus"]
    for wager in [*told["sides"], *([button["wager"]] if button else [])]:
        enough = told["hands"] * wager["exact"]["chance"] >= WINS_TO_JUDGE
        if enough and abs(wager["sigmas"] or 0) > FAR_OFF:
            yield wager["kind"]
    enough = bonus is not None and (bonus["expected"] or 0) >= WINS_TO_JUDGE
    if bonus and enough and abs(bonus["sigmas"] or 0) > FAR_OFF:
        yield "super_bonus"
