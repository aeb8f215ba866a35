"""What the parser of ``table-console`` says, as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from console import main as console
from pages.commands.tree import Command, Entry, command_of

_FILES: Final = (
    Entry(console.CONFIG, "the console's configuration: 'table-console --help' shows one"),
    Entry("/etc/table-console/weston.ini", "the displays of a screen on the box"),
    Entry("/etc/chromium/policies/managed/table-console.json", "what its browser may do"),
    Entry("/var/lib/table-console", "the multipliers that the sign remembers"),
)


def table_console() -> Command:
    """The program of a table's screens."""
    made = command_of(console.build(), "", console.MEANING, ())
    return replace(made, examples=console.EXAMPLES, environment=(), files=_FILES)
