"""What the parser of ``table-floor`` says, as plain data. It has no man page: those are the box's,
and where its package is built there are none of the floor's libraries."""

from __future__ import annotations

from floor import main as floor
from pages.commands.tree import Command, command_of


def table_floor() -> Command:
    """The program of a house's server, with every verb below it."""

    def examples_of(verb: str) -> tuple[tuple[str, str], ...]:
        return floor.COMMANDS[verb].examples if verb else ()

    return command_of(floor.build(), "", floor.MEANING, (), examples_of)
