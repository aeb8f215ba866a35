"""``program``: which program this is, and whether the running program equals the one on disk."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from controller.cli.connection import connect
from controller.cli.exits import DONE, NOT_WELL
from controller.cli.group import Group
from controller.cli.output import print_answer
from controller.control.client import NoController
from controller.forms.json_values import JsonObject
from controller.plain_text import columns
from controller.table.showing.status_fields import status_of

if TYPE_CHECKING:
    from controller.program import Program


def register(top: Group) -> None:
    """Add the command."""
    top.command("program", _program)


def _program(options: argparse.Namespace) -> int:
    from controller.program import this_program

    here = this_program()
    runs = _running(options)
    same = runs is None or runs == here.as_status()
    told = {**here.as_body(), "running": runs, "same": same}
    print_answer(options, told, _program_lines(here, runs, same))
    return DONE if same else NOT_WELL


def _program_lines(here: Program, runs: JsonObject | None, same: bool) -> Iterator[str]:
    yield columns(here.as_status().items(), indent="")
    yield f"{here.files} files, {here.python}; libraries, with the digests of their RECORD:"
    yield columns((lib.name, lib.version, lib.record) for lib in here.libraries)
    if runs is None:
        yield "no controller answers: what runs was not compared"
    elif same:
        yield "the controller that runs is this program"
    else:
        yield f"ANOTHER PROGRAM RUNS: version {runs.get('version')}, digest {runs.get('digest')}"


def _running(options: argparse.Namespace) -> JsonObject | None:
    try:
        with connect(options) as client:
            return status_of(client.status()).get("program", {})
    except NoController:
        return None
