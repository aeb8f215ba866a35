"""What the parser of ``table-figures`` says, as plain data."""

from __future__ import annotations

from dataclasses import replace

from figures.program import main as figures
from pages.commands.tree import Command, command_of


def table_figures() -> Command:
    """The program that tells what the games return, with every verb below it."""

    def examples_of(verb: str) -> tuple[tuple[str, str], ...]:
        return figures.COMMANDS[verb or "edge"].examples

    return _of_its_own(command_of(figures.build(), "", figures.MEANING, (), examples_of))


def _of_its_own(command: Command) -> Command:
    children = tuple(map(_of_its_own, command.children))
    return replace(command, children=children, environment=(), files=())
