"""A table with its console, for tests of pages: one for each module, or one that may be killed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hil_tests.console.beside_table import ConsoleBesideTable


@pytest.fixture(scope="module")
def console_table() -> Iterator[ConsoleBesideTable]:
    """A table with its console; a test leaves it between rounds, with no wager on it."""
    with ConsoleBesideTable() as made:
        yield made


@pytest.fixture
def disturbed_table() -> Iterator[ConsoleBesideTable]:
    """One that the test may kill, hold and leave as it likes."""
    with ConsoleBesideTable() as made:
        yield made
