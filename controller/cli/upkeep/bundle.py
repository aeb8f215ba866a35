"""``bundle``: one archive for support, without secrets, from a running or a stopped table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.command_line.numbers import whole
from controller.cli.connection import configuration_path, socket_path
from controller.cli.exits import DONE
from controller.cli.output import complain, say, say_json
from controller.cli.printed.progress import entries_watched

if TYPE_CHECKING:
    from controller.cli.group import Group

ENTRIES: Final = 5000
MOST_ENTRIES: Final = 1_000_000


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("bundle", _bundle)
    parser.add_argument("--out", metavar="FILE", type=Path, help="(bundle-TABLE-ENTRY.tar.gz)")
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the configuration (else the running table's, else the usual one)",
    )
    parser.add_argument(
        "--entries",
        metavar="N",
        type=whole(0, MOST_ENTRIES),
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
    if options.json:
        say_json({"file": str(made.file), **made.manifest})
    else:
        size = made.file.stat().st_size / 1e6
        say(f"{made.file}: {made.count} files, {size:.1f} MB")
    return DONE
