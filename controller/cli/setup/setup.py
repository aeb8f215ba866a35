"""``setup``: commissioning of a table. What it does is in
:mod:`controller.commissioning.steps`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from typing import TYPE_CHECKING

from controller.cli.arguments import integer
from controller.cli.connection import socket_path
from controller.cli.exits import DONE, NOT_WELL, NotDone
from controller.cli.group import Group, add_flag, add_path
from controller.cli.journal.key import CONFIGURATION, STORE, UNIT
from controller.cli.output import print_json
from controller.commissioning.port_names import RULES
from controller.configuration.keys import FASTEST, SLOWEST
from controller.evidence.keys.credential import BINDINGS
from controller.utf8 import MARK

if TYPE_CHECKING:
    from controller.commissioning.questions import Commissioner
    from controller.commissioning.this_machine import ThisMachine


def register(top: Group) -> None:
    """Add the command."""
    setup = top.command("setup", _setup)
    add_path(setup, "--config", "FILE", "where it is written", default=CONFIGURATION)
    add_path(setup, "--udev", "FILE", "the rules with names of ports", default=RULES)
    setup.add_argument(
        "--set",
        metavar="KEY=VALUE",
        type=_pair,
        action="append",
        default=[],
        help="any key of the configuration, as table.min=25; again for others",
    )
    setup.add_argument(
        "--unset", metavar="KEY", action="append", default=[], help="take a key or table out"
    )
    setup.add_argument(
        "--device",
        metavar="NAME=PORT",
        type=_pair,
        action="append",
        default=[],
        help="which device is where, as shoe=/dev/ttyUSB0; else found by asking every port",
    )
    setup.add_argument(
        "--port",
        metavar="PORT",
        action="append",
        default=[],
        help="ask at this port, too: one that is not on USB",
    )
    setup.add_argument(
        "--baud",
        metavar="N",
        type=integer(SLOWEST, FASTEST),
        default=115200,
        help="of serial ports",
    )
    add_flag(setup, "--yes", "write without asking")
    add_flag(setup, "--dry-run", "show all, write nothing")
    add_flag(setup, "--start", "enable and start the service when all is written")
    add_path(setup, "--page", "FILE", "install the key, its page for the safe there")
    setup.add_argument(
        "--with-key", choices=BINDINGS, default="auto", help="what the key is encrypted with"
    )
    add_path(setup, "--credential", "FILE", "where the key is stored", default=STORE)
    add_path(setup, "--unit", "DIR", "of the unit's drop-ins", default=UNIT)


def _pair(text: str) -> tuple[str, str]:
    # What was copied out of a file may have the file's byte order mark before it.
    key, sign, value = (part.removeprefix(MARK).strip() for part in text.partition("="))
    if not (sign and key and value):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a name, '=' and what it is")
    return key, value


def _setup(options: argparse.Namespace) -> int:
    from controller.cli.person import PersonAtTerminal
    from controller.commissioning.this_machine import ThisMachine

    somebody = sys.stdin.isatty() and sys.stderr.isatty() and not options.json
    return set_up(options, ThisMachine(), PersonAtTerminal() if somebody else None)


def set_up(options: argparse.Namespace, machine: ThisMachine, person: Commissioner | None) -> int:
    """Do it and say it; the command's exit code."""
    from controller.cli.setup.account import ToldSetup, as_json
    from controller.commissioning.steps import Commissioning, WantedTable

    wanted = WantedTable(**{one.name: getattr(options, one.name) for one in fields(WantedTable)})
    said = ToldSetup(quiet=options.json)
    commissioning = Commissioning(wanted, socket_path(options), machine, said, person)
    written, account = commissioning.set_up_table(), commissioning.account
    if options.json:
        print_json(as_json(account))
    if not written:
        raise NotDone(NOT_WELL, "nothing was written: say yes at a terminal, or give --yes")
    return DONE if all(test["ok"] for test in account.tests) else NOT_WELL
