"""The page of a floor with tables of every kind, once for each process of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from hil_tests.postgresql import Cluster
from tests.floor.conftest import new_database
from tests.floor.page.shown import Shown, settings, shown
from tests.floor.page.standing import Full, StandingPage, equip, fill, know_silent


@pytest.fixture(scope="session")
def full(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    with new_database(cluster, "floor_full") as database:
        yield asyncio.run(fill(tmp_path_factory.mktemp("journals"), database))


@pytest.fixture
def page(full: Full, tmp_path: Path) -> AbstractAsyncContextManager[Shown]:
    """Its page in this process, where a table is known that told nothing yet."""
    configured = settings(tmp_path, full.database, '[approved]\nversion = ["0.0.1"]\n')
    know_silent(configured.tables, tmp_path)
    return shown(configured)


@pytest.fixture(scope="session")
def standing(full: Full, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandingPage]:
    folder = tmp_path_factory.mktemp("page")
    page = StandingPage(folder, full.database, '[approved]\nversion = ["0.3.0", ""]\n')
    equip(page, folder)
    page.start()
    yield page
    assert page.program.stop() == 0


@pytest.fixture
def disturbed(full: Full, tmp_path: Path) -> Iterator[StandingPage]:
    with StandingPage(tmp_path, full.database).running() as page:
        yield page
