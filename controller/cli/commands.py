"""The commands of ``tablectl``, all put together for argparse."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Final

from controller.cli import counters, dealing, devices, faults, program, status
from controller.cli.bundle import commands as bundle
from controller.cli.draws import commands as drawing
from controller.cli.group import Group, add_global
from controller.cli.journal import commands as journal
from controller.cli.rounds import commands as rounds
from controller.cli.rules import commands as rulesets
from controller.cli.simulation import commands as simulate

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
