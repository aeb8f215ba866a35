"""The commands of ``tablectl`` put together for argparse: of each module that a command line may
need, so that the others are not imported. That took most of the time of a short command."""

from __future__ import annotations

import argparse
from collections.abc import Container, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from controller.cli.group import Group, Parser, add_global, first_word
from controller.cli.output import say

MODULES: Final[Mapping[str, Mapping[str, str]]] = {
    "controller.cli.table.status": {
        "status": "Table, round and state, what is awaited, every device's link",
    },
    "controller.cli.live.watch": {
        "watch": "The table live on a full screen; to a pipe, a stream",
    },
    "controller.cli.table.counters": {
        "counters": "Rounds, money, draws, voids: counted at the table",
    },
    "controller.cli.shifts.shift": {
        "shift": "Reports on shifts and gaming days",
    },
    "controller.cli.table.dealer": {
        "dealer": 'What the dealer does: "open", "stand 1" …',
        "supervisor": 'What only a supervisor may: "resume", "void", "card 9D" …',
    },
    "controller.cli.rounds.round": {
        "round": "Rounds written down, and rounds that were played",
    },
    "controller.cli.rules.rules": {
        "rules": "The rule sets",
    },
    "controller.cli.draws.draw": {
        "draw": "The games multiplier",
    },
    "controller.cli.devices.devices": {
        "devices": "Links, identities, who is on a port",
    },
    "controller.cli.setup.setup": {
        "setup": "Commissioning: devices found, configuration and names of ports written",
    },
    "controller.cli.setup.configuration": {
        "config": "The configuration, before a table is started with it",
    },
    "controller.cli.table.faults": {
        "faults": "What a fault means and what to do; without one, all",
    },
    "controller.cli.journal.commands": {
        "journal": "What happened at the table",
    },
    "controller.cli.upkeep.nightly": {
        "nightly": "What is done by night: the journal verified, closed ones taken away",
    },
    "controller.cli.table.people": {
        "people": "Who is known by PIN: dealers, supervisors, technicians",
    },
    "controller.cli.draws.simulate": {
        "simulate": "Many rounds through the same engine: returns, house edge",
    },
    "controller.cli.upkeep.bundle": {
        "bundle": "One archive for support, without secrets",
    },
    "controller.cli.setup.program": {
        "program": "Name, version and digests of the program, here and running",
    },
    "controller.cli.ready.ready": {
        "ready": "The report before opening: ready, or what is missing",
    },
    "controller.cli.simulated": {
        "demo": "A whole table without hardware",
        "twin": "What a person does to a simulated device (demo --stay)",
    },
    "controller.cli.completion": {
        "completion": "Have a shell complete commands and values",
    },
}
"""The modules with their verbs and what these are about, in the order of the help. A module's
``register`` adds them."""

ABOUTS: Final = {verb: about for verbs in MODULES.values() for verb, about in verbs.items()}
VERBS: Final = frozenset(ABOUTS)

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
    "shift report",
}
"""Commands that read a journal, also a stopped table's."""

DIGITS: Final = 12
"""Of the digest in hexadecimal, as in the HELLO of a device; ``tablectl program`` has all."""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options; ``SystemExit`` 2 with the usage when they are wrong."""
    parser = build({first_word(argv)})
    options = parser.parse_args(argv, argparse.Namespace(socket=None, json=False, state=None))
    if options.state is not None and options.full_name not in WITH_STATE:
        parser.error(f"--state: {options.full_name} reads no journal")
    return options


def build(verbs: Container[str] = VERBS) -> argparse.ArgumentParser:
    """The parser of these verbs, and of others in the same modules; of the rest it knows the names
    and what they are about, and imports nothing."""
    parser = Parser(
        prog="tablectl", description="Looks after a Pontoon table's controller.", allow_abbrev=False
    )
    parser.add_argument(
        "--version",
        action=Version,
        help="version and digest of this program, no controller needed",
    )
    add_global(parser)
    top = Group(parser, abouts=ABOUTS)
    for module, own in MODULES.items():
        if any(verb in verbs for verb in own):
            import_module(module).register(top)
        else:
            top.names(own)
    return parser


class Version(argparse.Action):
    """``--version``: one line, without a controller; it ends the command."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **more)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """See :class:`argparse.Action`."""
        from controller.program import this_program

        program = this_program()
        say(f"tablectl {program.version} ({program.digest[:DIGITS]})")
        parser.exit(0)
