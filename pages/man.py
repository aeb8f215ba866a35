"""Write the man pages: ``python -m pages.man DIRECTORY``.

``DIRECTORY/man1`` gets one for ``tablectl`` and for each of its commands and groups, and likewise
of ``table-floor``, ``table-figures`` and ``table-console``; ``man8`` those of the daemon and of
what runs beside it. The same commit gives the same bytes: the date is that of ``SOURCE_DATE_EPOCH``
(seconds since 1970, reproducible-builds.org), else that of the last commit, else there is none.

Of the macros of man(7) only those that every formatter has. A library that makes such pages of
argparse (argparse-manpage) puts all commands of a program on one page and has no place for examples
and exit statuses.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller import __version__
from pages.commands import Command, Entry, programs
from pages.generated import ROOT, text_of

PROJECT: Final = "Table controller"
_SPECIAL: Final = {
    "\\": "\\e",
    "-": "\\-",
    "'": "\\(aq",
    '"': "\\(dq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
    "…": "...",
}


def escaped(text: str) -> str:
    """Text that stands on the page as it is, whichever characters it has."""
    made = "".join(
        _SPECIAL.get(sign, sign if sign.isascii() else f"\\[u{ord(sign):04X}]") for sign in text
    )
    return f"\\&{made}" if made.startswith(".") else made


def _lines(command: Command, section: int, date: str, see: Iterable[str]) -> Iterator[str]:
    """The page's. ``date`` is as ISO 8601 has it, ``see`` are pages: ``tablectl(1)``."""
    title = " ".join(f'"{escaped(word)}"' for word in (command.page.upper(), str(section), date))
    yield f'.TH {title} "table\\-controller {escaped(__version__)}" "{PROJECT}"'
    yield ".SH NAME"
    yield f"{escaped(command.page)} \\- {escaped(command.about)}"
    yield ".SH SYNOPSIS"
    yield f".B {escaped(command.name)}"
    yield from (escaped(word) for word in command.synopsis)
    if command.everywhere:
        yield escaped("[GLOBAL OPTIONS]")
    yield ".SH DESCRIPTION"
    yield f"{escaped(command.about)}."
    if command.children:
        yield ".SH COMMANDS"
        yield from _entries((child.name, child.about) for child in command.children)
    if command.arguments:
        yield ".SH ARGUMENTS"
        yield from _entries(command.arguments)
    yield ".SH OPTIONS"
    yield from _entries([*command.options, ("-h, --help", "show the options, and end")])
    if command.everywhere:
        yield ".SS Global options"
        yield "They stand before the first word of the command or behind it."
        yield from _entries(command.everywhere)
    yield ".SH EXIT STATUS"
    yield from _entries((str(code), about) for code, about in command.around.exits.items())
    if command.around.environment:
        yield ".SH ENVIRONMENT"
        yield from _entries(command.around.environment)
    yield ".SH FILES"
    yield from _entries(command.around.files)
    yield ".SH EXAMPLES"
    for line, about in command.examples:
        yield from (".TP", f".B {escaped(line)}", escaped(about))
    yield ".SH SEE ALSO"
    *before, last = (page.partition("(") for page in see)
    yield from (f".BR {escaped(name)} ({number}," for name, _, number in before)
    yield f".BR {escaped(last[0])} ({last[2]}"


def _entries(entries: Iterable[Entry]) -> Iterator[str]:
    for written, about in entries:
        yield from (".TP", f".B {escaped(written)}", escaped(about))


DAEMON: Final = "table-controller"
SYSTEM: Final = (DAEMON, "table-controller-exporter", "table-controller-witness")
"""The programs whose pages are in section 8."""


def pages(date: str) -> dict[str, str]:
    """Every page by its path below the directory of man pages."""
    made = {}
    for name, top in programs().items():
        section = 8 if name in SYSTEM else 1
        for command in top.walk():
            see: Iterable[str] = _see_also(top, command)
            if section == 8:
                see = ["tablectl(1)", *(f"{other}(8)" for other in SYSTEM if other != name)]
            text = text_of(_lines(command, section, date, see))
            made[f"man{section}/{command.page}.{section}"] = text
    return made


def _see_also(top: Command, command: Command) -> Iterator[str]:
    """The commands below it, what it is below of, and for what asks the daemon that."""
    yield from (f"{child.page}(1)" for child in command.children)
    above = [each for each in top.walk() if command in each.children]
    yield from (f"{each.page}(1)" for each in above)
    if command is not top and top not in above:
        yield f"{top.page}(1)"
    if top.name in ("tablectl", "table-console"):
        yield f"{DAEMON}(8)"


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
    parser = argparse.ArgumentParser(prog="python -m pages.man")
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
