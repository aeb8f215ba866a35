"""Where the walk goes, in this order: at a table that was set up for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.people import add_supervisors
from hil_tests.console.pictures.around import AROUND
from hil_tests.console.pictures.mistakes import MISTAKES
from hil_tests.console.pictures.round import ROUND

SECTIONS: Final = {"round": ROUND, "mistakes": MISTAKES, "around": AROUND}

NAMES: Final = tuple(name for section in SECTIONS.values() for name in section.screens)
"""Every screen that there is."""


@contextmanager
def table_to_walk(languages: Sequence[str]) -> Iterator[ConsoleBesideTable]:
    """A table with its supervisors, whose sign speaks these languages."""
    spoken = ", ".join(f'"{one}"' for one in languages)
    sign = f'{{words = ["Welcome to table P12"], languages = [{spoken}]}}'
    with ConsoleBesideTable(settings={"sign": sign}) as table:
        add_supervisors(table)
        yield table
