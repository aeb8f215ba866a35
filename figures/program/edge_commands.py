"""What a document returns, ``table-figures edge`` and ``side``; what each value of it is worth to
the house, ``worth``; and what a shift may bring, from a run's figures, ``shift``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.cli.command_line.known import did_you_mean
from controller.cli.command_line.numbers import amount, many, whole
from controller.files.rules import rules_file
from controller.game.rules.schema import RuleSet
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import read_whole
from controller.verbs import INTERRUPTED, complain
from figures.edges.expected import as_simulated
from figures.edges.figures import AskedRun, edge_figures
from figures.edges.policies import hitting_sevens
from figures.edges.results import EdgeFigures, WorthFigures
from figures.edges.risk import shift_figures
from figures.edges.worth import BLOCK, changes_of, from_new_shoes, keys_of, runs_of, worth
from figures.kernel.plans import Policy
from figures.program.options import (
    POLICIES,
    add_game,
    add_sides,
    add_smallest_buy,
    add_workers,
    asked_of,
    run_of,
    workers_of,
)
from figures.program.runs import add_kept, played
from figures.program.telling import print_result, print_text
from figures.report.reading import read_edge
from figures.rounds.figures import FAR_OFF, WINS_TO_JUDGE


def add_worth(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_game(parser, "4e6", boxes=1)
    what = "make the policy anew for each change (else it never does what only that permits)"
    parser.add_argument("--anew", action="store_true", help=what)
    parser.add_argument(
        "--values", nargs="+", default=[], metavar="KEY", help="only of these, as dealer.soft17"
    )
    add_workers(parser)
    parser.set_defaults(block=BLOCK)
    add_kept(parser)


def print_worth(given: argparse.Namespace) -> int:
    """Play the document and each change of it, and tell; the exit status.

    Raises:
        NotDone: 2, options or the rule file cannot be used.
    """
    given.weights = None
    asked = asked_of(given, penetration=0, sides=False)
    text = read_whole(rules_file(given.document)).decode()
    known = keys_of(asked.origin["rules"], text)
    if unknown := [key for key in given.values if key not in known]:
        why = f"no such value that touches a main wager; known are {', '.join(known)}"
        meant = " ".join(filter(None, (did_you_mean(key, known) for key in unknown)))
        raise NotDone(WRONG_USE, f"--values {' '.join(unknown)}: {meant or why}")

    def policy(rules: RuleSet) -> Policy:
        if given.anew:
            return POLICIES[given.policy](rules, given.decks, given.insure)
        return asked.game.policy

    changes = list(changes_of(text, asked.game, policy, given.values))
    if idle := [key for key in given.values if key not in {change.key for change in changes}]:
        why = f"--values {' '.join(idle)}: no change of it matters to play"
        if not changes:
            raise NotDone(WRONG_USE, why)
        complain(why)
    run = run_of(given, asked)
    run = replace(run, numbers=from_new_shoes(run.numbers))
    runs = runs_of(run, changes)
    carried = played(given, list(runs.values()), workers_of(given))
    base, values, missing = worth(run, changes, dict(zip(runs, carried.sums, strict=True)))
    told = WorthFigures(
        origin=asked.origin,
        setting=asked.setting,
        rounds=run.rounds,
        whole=not missing,
        missing=missing,
        policy_anew=given.anew,
        base=base,
        values=values,
    )
    print_result(given, told)
    return INTERRUPTED if missing else 0


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
        print_text(given, json.dumps(as_simulated(told, given.stake)))
        return 0
    found = shift_figures(told, given.rounds, given.stake, given.loses, sides=given.sides)
    print_result(given, found)
    return 0


def _stake(text: str) -> int:
    """A type for argparse: an amount that is wagered, in cents."""
    if (cents := amount(text)) > 0:
        return cents
    raise argparse.ArgumentTypeError(f"{text!r}: expected an amount above 0")


def add_edge(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_game(parser, "1e8", rules=True)
    add_smallest_buy(parser)
    add_sides(parser)
    parser.add_argument(
        "--penetration",
        metavar="PERCENT",
        type=whole(0, 95),
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
    print_result(given, told)
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
    print_result(given, told)
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
