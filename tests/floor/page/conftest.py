"""The page of a floor with tables of every kind, once for each process of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from hil_tests.postgresql import Cluster
from tests.floor.conftest import new_database
from tests.floor.page.standing import StandingPage, equip, fill


@pytest.fixture(scope="session")
def full_database(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with journals of every kind, which nobody changes."""
    with new_database(cluster, "floor_full") as database:
        asyncio.run(fill(tmp_path_factory.mktemp("journals"), database))
        yield database


@pytest.fixture(scope="session")
def standing(
    full_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StandingPage]:
    """Its page, which nobody disturbs."""
    folder = tmp_path_factory.mktemp("page")
    page = StandingPage(folder, full_database, '[approved]\nversion = ["0.3.0", ""]\n')
    equip(page, folder)
    page.start()
    yield page
    assert page.program.stop() == 0


@pytest.fixture
def disturbed(full_database: str, tmp_path: Path) -> Iterator[StandingPage]:
    """A page of it that a test may kill or stop."""
    page = StandingPage(tmp_path, full_database)
    page.start()
    yield page
    page.program.kill()
