"""What the parser of ``table-floor`` says, as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from floor import main as floor
from pages.commands.tree import Command, Entry, command_of

_FILES: Final = (
    Entry(floor.CONFIG, "the floor's configuration: 'table-floor --help' shows one"),
    Entry("/etc/table-floor/tables/NAME.vkey", "the keys of a table, as its box has them"),
    Entry("/etc/table-floor/mirror.key", "the mirror's private key; witness.key beside it"),
)


def table_floor() -> Command:
    """The program of a house's server, with every verb below it."""

    def examples_of(verb: str) -> tuple[tuple[str, str], ...]:
        return floor.COMMANDS[verb].examples if verb else floor.EXAMPLES

    return _of_a_server(command_of(floor.build(), "", floor.MEANING, (), examples_of))


def _of_a_server(command: Command) -> Command:
    children = tuple(_of_a_server(child) for child in command.children)
    return replace(command, children=children, environment=(), files=_FILES)
