"""``status``: the table as it is committed."""

from __future__ import annotations

import argparse
import shutil
import sys

from controller.cli.connection import connect
from controller.cli.exits import DONE
from controller.cli.group import Group
from controller.cli.output import print_json, print_line
from controller.cli.table.status_lines import every_line, lines
from controller.control.client import LOOK_S
from controller.forms.json_values import JsonObject


def register(top: Group) -> None:
    """Add the command."""
    top.command("status", show_status)


def show_status(options: argparse.Namespace) -> int:
    """Print the state once."""
    with connect(options, LOOK_S) as client:
        state = client.status()
    if options.json:
        print_json(state)
    else:
        print_line(in_words(state))
    return DONE


def in_words(state: JsonObject) -> str:
    """The state on one screen of this terminal, 80 by 24 at least; all of it where there is none:
    a pipe and a file have room, and who reads them cannot ask for more."""
    if not sys.stdout.isatty():
        return "\n".join(every_line(state))
    width, height = shutil.get_terminal_size((80, 24))
    return "\n".join(lines(state, max(80, width), max(24, height)))
