"""``draw odds`` and ``draw test``: what the weights return, and whether the generator is well."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.output import columns, say, say_json
from controller.daemon.configuration import DEFAULT_PATH, load_configuration
from controller.draw.errors import SourceFailed
from controller.draw.odds import describe
from controller.draw.selftest import run
from controller.draw.weights import Weights

if TYPE_CHECKING:
    from controller.cli.commands import Group


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("draw", "The games multiplier")
    for name, command, about in (
        ("odds", _odds, "The configured odds and what they return"),
        ("test", _test, "The generator's self-tests, on the path that draws take"),
    ):
        parser = group.command(name, command, about)
        parser.add_argument(
            "--config", metavar="FILE", type=Path, default=DEFAULT_PATH, help="the configuration"
        )


def _configured(options: argparse.Namespace) -> tuple[Weights, int]:
    configuration = load_configuration(options.config)
    if configuration.weights is None:
        raise CommandFailed(
            WRONG_USE,
            f"{configuration.path}: {configuration.table.rules.id} has no Pandemonium wager, so "
            "nothing is drawn",
        )
    return configuration.weights, configuration.table.decks


def _odds(options: argparse.Namespace) -> int:
    told = describe(*_configured(options))
    if options.json:
        say_json(told)
        return DONE
    say(f"Pandemonium with {told['decks']} decks, weights {told['weights_id'][:12]}")
    rows = [("multiplier", "weight", "probability", "one in", "adds to the return")]
    rows += [
        (
            f"{row['multiplier']} to 1",
            row["weight"],
            row["probability"],
            row["one_in"],
            row["contribution_percent"],
        )
        for row in told["multipliers"]
    ]
    say(columns(rows, right=range(5)))
    say()
    say(
        columns(
            [
                ("chance of a Pontoon", told["chance"], f"one in {told['chance_one_in']}"),
                ("mean multiplier", told["mean"], told["mean_decimal"]),
                ("fair at a mean of", told["break_even"], told["break_even_decimal"]),
                ("return to the player", told["return"], told["return_percent"]),
                ("house edge", told["house_edge"], told["house_edge_percent"]),
            ]
        )
    )
    return DONE


def _test(options: argparse.Namespace) -> int:
    weights, _ = _configured(options)
    try:
        results = run(weights)
    except SourceFailed as error:
        raise CommandFailed(NOT_WELL, f"the generator has failed: {error}") from error
    well = all(result.passed for result in results)
    if options.json:
        say_json({"well": well, "tests": [asdict(result) for result in results]})
    else:
        for result in results:
            say(f"{'passed' if result.passed else 'FAILED'}  {result.name}: {result.figures}")
    return DONE if well else NOT_WELL
