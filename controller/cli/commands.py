"""The commands of ``tablectl`` put together for argparse: of each module that a command line may
need, so that the others are not imported. That took most of the time of a short command."""

from __future__ import annotations

import argparse
from collections.abc import Container, Sequence
from importlib import import_module
from typing import Final

from controller.cli.group import Group, Parser, add_global
from controller.cli.version import Version

MODULES: Final = {
    "controller.cli.status": ("status",),
    "controller.cli.live.commands": ("watch",),
    "controller.cli.counters": ("counters",),
    "controller.cli.dealing": ("dealer", "supervisor"),
    "controller.cli.rounds.commands": ("round",),
    "controller.cli.rules.commands": ("rules",),
    "controller.cli.draws.commands": ("draw",),
    "controller.cli.devices": ("devices",),
    "controller.cli.configuration": ("config",),
    "controller.cli.faults": ("faults",),
    "controller.cli.journal.commands": ("journal",),
    "controller.cli.simulation.commands": ("simulate",),
    "controller.cli.bundle.commands": ("bundle",),
    "controller.cli.program": ("program",),
    "controller.cli.ready.commands": ("ready",),
    "controller.cli.demo": ("demo",),
    "controller.cli.twins": ("twin",),
    "controller.cli.completion": ("completion",),
}
"""The modules with their verbs, in the order of the help. A module's ``register`` adds them."""

VERBS: Final = frozenset(verb for verbs in MODULES.values() for verb in verbs)

WITH_STATE: Final = {
    "bundle",
    "counters",
    "journal archive",
    "journal heads",
    "journal key",
    "journal checkpoint",
    "journal prove",
    "journal verify",
    "journal export",
    "journal find",
    "journal stats",
    "journal recover",
    "round show",
    "draw show",
}
"""Commands that read a journal, also a stopped table's."""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options; ``SystemExit`` 2 with the usage when they are wrong."""
    verb = _verb_of(argv)
    parser = build({verb}) if verb in VERBS else build()
    options = parser.parse_args(argv, argparse.Namespace(socket=None, json=False, state=None))
    if options.state is not None and options.full_name not in WITH_STATE:
        parser.error(f"--state: {options.full_name} reads no journal")
    return options


def _verb_of(argv: Sequence[str]) -> str:
    """The word behind the global options; empty where there is none."""
    words = iter(argv)
    for word in words:
        if word in ("--socket", "--state"):
            next(words, None)
        elif word != "--json" and not word.startswith(("--socket=", "--state=")):
            return word
    return ""


def build(verbs: Container[str] = VERBS) -> argparse.ArgumentParser:
    """The parser of these verbs, and of others in the same modules."""
    parser = Parser(
        prog="tablectl", description="Looks after a Pontoon table's controller.", allow_abbrev=False
    )
    parser.add_argument(
        "--version",
        action=Version,
        help="version and digest of this program, no controller needed",
    )
    add_global(parser)
    top = Group(parser)
    for module, own in MODULES.items():
        if any(verb in verbs for verb in own):
            import_module(module).register(top)
    return parser
