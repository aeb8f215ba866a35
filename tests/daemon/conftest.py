"""A table that was played at, one that runs, and a generator that can be broken."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.daemon.draws.generated import Generator
from tests.daemon.house import House, played
from tests.daemon.process import Place
from tests.daemon.sealed import play


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table that was played at and stopped."""
    made = Place(tmp_path)
    play(made, "open", "wager 1 main 10")
    return made


@pytest.fixture
def house(tmp_path: Path) -> AbstractAsyncContextManager[House]:
    """A table that runs, with its devices up; its journal is verified behind it."""
    return played(tmp_path / "state")


@pytest.fixture
def generator() -> Generator:
    return Generator()
