"""``table-figures worth``: what each value of a rule file is worth to the house."""

from __future__ import annotations

import argparse
from dataclasses import replace

from controller.cli.arguments import did_you_mean
from controller.files.rules import rules_file
from controller.game.rules.schema import RuleSet
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import read_whole
from controller.verbs import INTERRUPTED, complain
from figures.edges.results import WorthFigures
from figures.edges.worth import BLOCK, changes_of, from_new_shoes, keys_of, runs_of, worth
from figures.kernel.plans import Policy
from figures.program.options import POLICIES, add_game, add_workers, asked_of, run_of, workers_of
from figures.program.playing import add_kept, played
from figures.program.telling import tell


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
    tell(given, told)
    return INTERRUPTED if missing else 0
