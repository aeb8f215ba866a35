"""``bundle``: one archive for support, without secrets, from a running or a stopped table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from controller.cli.arguments import integer
from controller.cli.connection import add_configuration, configuration_path, socket_path
from controller.cli.exits import DONE
from controller.cli.group import Group, add_path
from controller.cli.output import complain, print_answer
from controller.cli.progress import entries_watched

ENTRIES: Final = 5000
MOST_ENTRIES: Final = 1_000_000


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("bundle", _bundle)
    add_path(parser, "--out", "FILE", "(bundle-TABLE-ENTRY.tar.gz)")
    add_configuration(parser)
    parser.add_argument(
        "--entries",
        metavar="N",
        type=integer(0, MOST_ENTRIES),
        default=ENTRIES,
        help="newest of the journal (5000)",
    )


def _bundle(options: argparse.Namespace) -> int:
    from controller.support.bundle import bundled
    from controller.support.parts import BundleSources

    state = None if options.state is None else Path(options.state)
    made = bundled(
        BundleSources(
            socket_path(options),
            state,
            lambda: configuration_path(options),
            options.entries,
            entries_watched,
        ),
        options.out,
    )
    for name, why in made.missing.items():
        complain(f"not in it: {name}: {why}")
    size = made.file.stat().st_size / 1e6
    said = f"{made.file}: {made.count} files, {size:.1f} MB"
    print_answer(options, {"file": str(made.file), **made.manifest}, [said])
    return DONE
