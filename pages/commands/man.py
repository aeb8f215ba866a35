"""Write the man pages: ``python -m pages.commands.man DIRECTORY``.

``DIRECTORY/man1`` gets one for ``tablectl`` and for each of its commands and groups, and likewise
of ``table-floor``, ``table-figures`` and ``table-console``; ``man8`` those of the daemon and of
what runs beside it. The same commit gives the same bytes: the date is that of ``SOURCE_DATE_EPOCH``
(seconds since 1970, reproducible-builds.org), else that of the last commit, else there is none.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller import __version__
from pages.commands.console import table_console
from pages.commands.figures import table_figures
from pages.commands.floor import table_floor
from pages.commands.roff import page
from pages.commands.tree import (
    Command,
    table_controller,
    table_controller_exporter,
    table_controller_witness,
    tablectl,
)
from pages.generated import ROOT

DAEMON: Final = "table-controller(8)"


def pages(date: str) -> dict[str, str]:
    """Every page by its path below the directory of man pages."""
    programs = (table_controller(), table_controller_exporter(), table_controller_witness())
    made = {
        f"man1/{command.page}.1": page(command, 1, __version__, date, _see(top, command, *also))
        for top, also in (
            (tablectl(), (DAEMON,)),
            (table_floor(), ()),
            (table_figures(), ()),
            (table_console(), (DAEMON,)),
        )
        for command in top.walk()
    }
    for program in programs:
        others = [f"{other.page}(8)" for other in programs if other is not program]
        see = ["tablectl(1)", *others]
        made[f"man8/{program.page}.8"] = page(program, 8, __version__, date, see)
    return made


def _see(top: Command, command: Command, *also: str) -> Iterator[str]:
    """The commands below it, what it is below of, and whatever else."""
    yield from (f"{child.page}(1)" for child in command.children)
    above = [each for each in top.walk() if command in each.children]
    yield from (f"{each.page}(1)" for each in above)
    if command is not top and top not in above:
        yield f"{top.page}(1)"
    yield from also


def date_of_sources() -> str:
    """As ISO 8601 has it; empty where nothing tells."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        asked = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        try:
            told = subprocess.run(asked, capture_output=True, text=True, check=False)
        except OSError:
            return ""
        seconds = told.stdout.strip()
    return datetime.fromtimestamp(int(seconds), UTC).date().isoformat() if seconds else ""


def main(arguments: list[str] | None = None) -> int:
    """Write them; 2 with the reason where that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m pages.commands.man")
    parser.add_argument("directory", type=Path, help="man1 and man8 go into it")
    directory: Path = parser.parse_args(arguments).directory
    try:
        for path, text in pages(date_of_sources()).items():
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="ascii")
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
