"""The commands of ``tablectl`` and their options, as argparse sees them."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Sequence
from typing import Final

from controller.cli import (
    bundle,
    counters,
    dealing,
    devices,
    drawing,
    faults,
    journal,
    program,
    rounds,
    rulesets,
    simulate,
    status,
)

Command = Callable[[argparse.Namespace], int]

WITH_STATE: Final = {
    "bundle",
    "counters",
    "journal archive",
    "journal heads",
    "journal key",
    "journal verify",
    "journal export",
    "journal stats",
    "journal recover",
    "round show",
    "draw show",
}
"""Commands that read a journal, also a stopped table's."""


class Group:
    """Registers commands under one parser, each with the global options."""

    def __init__(self, parser: argparse.ArgumentParser, path: str = "") -> None:
        self._commands = parser.add_subparsers(
            dest="verb" if not path else "command", metavar="COMMAND", required=True
        )
        self._path = path

    def command(self, name: str, run: Command | None, about: str) -> argparse.ArgumentParser:
        """A command that calls ``run``; its own options are the caller's to add."""
        parser = self._commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        add_global(parser)
        if run is not None:
            parser.set_defaults(run=run, full_name=f"{self._path} {name}".strip())
        return parser

    def group(self, name: str, about: str) -> Group:
        """A group of commands."""
        return Group(self.command(name, None, about), name)


def add_global(parser: argparse.ArgumentParser) -> None:
    """The global options. They are left out of the result unless given, so that one given before
    the verb is not undone behind it."""
    parser.add_argument(
        "--socket",
        metavar="PATH",
        default=argparse.SUPPRESS,
        help="the controller's socket (else TABLE_CONTROLLER_SOCKET, else its usual place)",
    )
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="report in JSON"
    )
    parser.add_argument(
        "--state",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="journal, counters, bundle, round show and draw show: read this state directory",
    )


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options; ``SystemExit`` 2 with the usage when they are wrong."""
    parser = build()
    options = parser.parse_args(argv, argparse.Namespace(socket=None, json=False, state=None))
    if options.state is not None and options.full_name not in WITH_STATE:
        parser.error(f"--state: {options.full_name} reads no journal")
    return options


def build() -> argparse.ArgumentParser:
    """The whole parser."""
    parser = argparse.ArgumentParser(
        prog="tablectl", description="Looks after a Pontoon table's controller.", allow_abbrev=False
    )
    add_global(parser)
    top = Group(parser)
    for module in (
        status,
        counters,
        dealing,
        rounds,
        rulesets,
        drawing,
        devices,
        faults,
        journal,
        simulate,
        bundle,
        program,
    ):
        module.register(top)
    demo = top.command("demo", _demo, "A whole table without hardware")
    demo.add_argument("--rules", metavar="ID", help="the rule set to play")
    demo.add_argument("--seed", metavar="N", type=int, help="for the same cards again")
    demo.add_argument("--rounds", metavar="N", type=int, help="how many rounds")
    return parser


def _demo(options: argparse.Namespace) -> int:
    code: int = importlib.import_module("controller.cli.demo").run_demo(options)
    return code
