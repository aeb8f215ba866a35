"""``bundle``: one archive for support, without secrets, from a running or a stopped table; and
``program``: which program this is, and whether the one that runs equals the one on disk."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.arguments import add_configuration, add_option, integer
from controller.cli.connection import configuration_path, connect, socket_path
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_answer
from controller.cli.progress import entries_watched
from controller.control.client import NoController
from controller.forms.json_values import JsonObject
from controller.not_done import NOT_WELL
from controller.plain_text import columns
from controller.table.showing.status_fields import status_of

if TYPE_CHECKING:
    from controller.program import Program


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


ENTRIES: Final = 5000
MOST_ENTRIES: Final = 1_000_000


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("bundle", _bundle)
    add_option(parser, "--out FILE", "(bundle-TABLE-ENTRY.tar.gz)")
    add_configuration(parser)
    add_option(
        parser,
        "--entries N",
        "newest of the journal (5000)",
        type=integer(0, MOST_ENTRIES),
        default=ENTRIES,
    )
    top.command("program", _program)


def _bundle(options: argparse.Namespace) -> int:
    from controller.support.bundle import bundled
    from controller.support.parts import Parts

    state = None if options.state is None else Path(options.state)
    where = partial(configuration_path, options)
    parts = Parts(socket_path(options), state, where, options.entries, entries_watched)
    file, manifest = bundled(parts, options.out)
    for name, why in parts.missing.items():
        complain(f"not in it: {name}: {why}")
    said = f"{file}: {len(parts.files)} files, {file.stat().st_size / 1e6:.1f} MB"
    print_answer(options, {"file": str(file), **manifest}, [said])
    return DONE
