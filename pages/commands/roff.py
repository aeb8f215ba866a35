"""A command as a man page: the text that ``man`` sets.

Of the macros of man(7) only those that every formatter has. A library that makes such pages of
argparse (argparse-manpage) puts all commands of a program on one page and has no place for examples
and exit statuses; what it would save is this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pages.commands.tree import Command, Entry

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


def page(command: Command, section: int, version: str, date: str, see: Iterable[str]) -> str:
    """The whole page. ``date`` is as ISO 8601 has it, ``see`` are pages: ``tablectl(1)``."""
    return "\n".join(_lines(command, section, version, date, see)) + "\n"


def _lines(
    command: Command, section: int, version: str, date: str, see: Iterable[str]
) -> Iterator[str]:
    title = " ".join(f'"{escaped(word)}"' for word in (command.page.upper(), str(section), date))
    yield f'.TH {title} "table\\-controller {escaped(version)}" "{PROJECT}"'
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
        yield from _entries(Entry(child.name, child.about) for child in command.children)
    if command.arguments:
        yield ".SH ARGUMENTS"
        yield from _entries(command.arguments)
    yield ".SH OPTIONS"
    yield from _entries([*command.options, Entry("-h, --help", "show the options, and end")])
    if command.everywhere:
        yield ".SS Global options"
        yield "They stand before the first word of the command or behind it."
        yield from _entries(command.everywhere)
    yield ".SH EXIT STATUS"
    yield from _codes(command.exits)
    if command.environment:
        yield ".SH ENVIRONMENT"
        yield from _entries(command.environment)
    yield ".SH FILES"
    yield from _entries(command.files)
    yield ".SH EXAMPLES"
    for line, about in command.examples:
        yield from (".TP", f".B {escaped(line)}", escaped(about))
    yield ".SH SEE ALSO"
    pages = [page.partition("(") for page in see]
    last = len(pages) - 1
    for place, (name, _, number) in enumerate(pages):
        yield f".BR {escaped(name)} ({number}{'' if place == last else ','}"


def _entries(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield from (".TP", f".B {escaped(entry.written)}", escaped(entry.about))


def _codes(codes: Mapping[int, str]) -> Iterator[str]:
    yield from _entries(Entry(str(code), about) for code, about in codes.items())
