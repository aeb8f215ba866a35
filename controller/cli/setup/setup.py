"""``setup``: commissioning of a table. What it does is in :mod:`.steps`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.command_line.numbers import whole
from controller.cli.journal.key import CONFIGURATION, STORE, UNIT
from controller.commissioning.port_names import RULES
from controller.configuration.devices import FASTEST, SLOWEST
from controller.evidence.keys.credential import BINDINGS
from controller.utf8 import MARK

if TYPE_CHECKING:
    from controller.cli.group import Group


def register(top: Group) -> None:
    """Add the command."""
    setup = top.command("setup", _setup)
    setup.add_argument(
        "--config", metavar="FILE", type=Path, default=CONFIGURATION, help="where it is written"
    )
    setup.add_argument(
        "--udev", metavar="FILE", type=Path, default=RULES, help="the rules with names of ports"
    )
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
        "--baud", metavar="N", type=whole(SLOWEST, FASTEST), default=115200, help="of serial ports"
    )
    setup.add_argument("--yes", action="store_true", help="write without asking")
    setup.add_argument("--dry-run", action="store_true", help="show all, write nothing")
    setup.add_argument(
        "--start", action="store_true", help="enable and start the service when all is written"
    )
    setup.add_argument(
        "--page", metavar="FILE", type=Path, help="install the key, its page for the safe there"
    )
    setup.add_argument(
        "--with-key", choices=BINDINGS, default="auto", help="what the key is encrypted with"
    )
    setup.add_argument(
        "--credential", metavar="FILE", type=Path, default=STORE, help="where the key is stored"
    )
    setup.add_argument(
        "--unit", metavar="DIR", type=Path, default=UNIT, help="of the unit's drop-ins"
    )


def _pair(text: str) -> tuple[str, str]:
    # What was copied out of a file may have the file's byte order mark before it.
    key, sign, value = (part.removeprefix(MARK).strip() for part in text.partition("="))
    if not (sign and key and value):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a name, '=' and what it is")
    return key, value


def _setup(options: argparse.Namespace) -> int:
    from controller.cli.command_line.person import PersonAtTerminal
    from controller.commissioning.steps import Commissioning
    from controller.commissioning.this_machine import ThisMachine

    somebody = sys.stdin.isatty() and sys.stderr.isatty() and not options.json
    return Commissioning(options, ThisMachine(), PersonAtTerminal() if somebody else None).run()
