"""``draw odds``, ``draw test`` and ``draw show``: what the weights return, whether generator and
mapping are well, and the evidence of one draw."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.connection import configuration_path
from controller.cli.draws.odds_page import odds_lines
from controller.cli.draws.show import show
from controller.cli.exits import DONE, WRONG_USE, CommandFailed
from controller.cli.output import say, say_json
from controller.configuration.reading import load_configuration
from controller.draw.errors import BadWeights
from controller.draw.odds import describe
from controller.draw.weights import Weights

if TYPE_CHECKING:
    from controller.cli.group import Group

MOST_DRAWS = 1_000_000


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("draw")
    odds = group.command("odds", _odds, "The configured odds and what they return")
    test = group.command("test", _test, "Generator and mapping tested, on the path that draws take")
    for parser in (odds, test):
        parser.add_argument(
            "--config",
            metavar="FILE",
            type=Path,
            help="the configuration (else the running table's, else the usual one)",
        )
    test.add_argument(
        "--weights", metavar="N=W,…", help="these weights instead of the configured ones"
    )
    test.add_argument(
        "--draws", metavar="N", type=int, help="draws in a sample (docs/draw.md says what N finds)"
    )
    shown = group.command("show", show, "One draw with its press, readback and payment")
    shown.add_argument("offer", metavar="OFFER", nargs="?", default="last", help="or 'last'")


def _configured(options: argparse.Namespace) -> tuple[Weights, int]:
    configuration = load_configuration(configuration_path(options))
    if configuration.weights is None:
        raise CommandFailed(
            WRONG_USE,
            f"{configuration.path}: {configuration.table.rules.id} has no Pandemonium wager, so "
            "nothing is drawn",
        )
    return configuration.weights, configuration.table.decks


def _odds(options: argparse.Namespace) -> int:
    weights, decks = _configured(options)
    odds = describe(weights, decks)
    if options.json:
        say_json(odds)
        return DONE
    say("\n".join(odds_lines(odds, weights.identity)))
    return DONE


def _test(options: argparse.Namespace) -> int:
    from controller.cli.draws.testing import run_test
    from controller.draw.battery.verdict import DRAWS, FEWEST_DRAWS

    draws = DRAWS if options.draws is None else options.draws
    if not FEWEST_DRAWS <= draws <= MOST_DRAWS:
        raise CommandFailed(
            WRONG_USE, f"--draws {draws}: expected a number from {FEWEST_DRAWS} to {MOST_DRAWS}"
        )
    weights = _configured(options)[0] if options.weights is None else _written(options.weights)
    return run_test(weights, draws, as_json=options.json)


def _written(text: str) -> Weights:
    """Weights as the command line has them."""
    try:
        pairs = [tuple(map(int, part.split("="))) for part in text.split(",")]
        return Weights(tuple((multiplier, weight) for multiplier, weight in pairs))
    except BadWeights as error:
        raise CommandFailed(WRONG_USE, f"--weights: {error}") from error
    except ValueError as error:
        raise CommandFailed(
            WRONG_USE, f"--weights {text!r}: expected multiplier=weight,… as in 100=4,50=8,2=88"
        ) from error
