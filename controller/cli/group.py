"""How a module registers its commands with argparse, each with the global options."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Command = Callable[[argparse.Namespace], int]


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
