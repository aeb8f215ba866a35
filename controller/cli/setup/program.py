"""``program``: which program this is, and whether the running program equals the one on disk."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.connection import connect, status_of
from controller.cli.exits import DONE, NOT_WELL
from controller.cli.output import say, say_json
from controller.control.client import NoController
from controller.json_values import JsonObject
from controller.plain_text import columns

if TYPE_CHECKING:
    from controller.cli.group import Group


def register(top: Group) -> None:
    """Add the command."""
    top.command("program", _program)


def _program(options: argparse.Namespace) -> int:
    from controller.program import this_program

    here = this_program()
    runs = _running(options)
    same = runs is None or runs == here.as_status()
    if options.json:
        say_json({**here.as_body(), "running": runs, "same": same})
        return DONE if same else NOT_WELL
    say(columns([(name, value) for name, value in here.as_status().items()], indent=""))
    say(f"{here.files} files, {here.python}; libraries, with the digests of their RECORD:")
    say(columns((lib.name, lib.version, lib.record) for lib in here.libraries))
    if runs is None:
        say("no controller answers: what runs was not compared")
    elif same:
        say("the controller that runs is this program")
    else:
        say(f"ANOTHER PROGRAM RUNS: version {runs.get('version')}, digest {runs.get('digest')}")
    return DONE if same else NOT_WELL


def _running(options: argparse.Namespace) -> JsonObject | None:
    try:
        with connect(options) as client:
            return status_of(client.status()).get("program", {})
    except NoController:
        return None
