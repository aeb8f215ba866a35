"""A PostgreSQL cluster for each process of a run, and a database with the floor's schema for each
test that asks for one (it marks ``needs("postgresql")``)."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path

import pytest

from floor.store.schema import make_schema
from floor.store.store import FloorStore
from hil_tests.postgresql import Cluster
from tests.cli.shifts.diary import Diary
from tests.floor.facts.kept import made_diary
from tests.floor.store.logs import execute

TEMPLATE = "floor_template"
_numbers = itertools.count(1)


@contextmanager
def new_cluster(**settings: str) -> Iterator[Cluster]:
    """A cluster that runs. It does not sync: nobody cuts the machine's power."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    folder.chmod(0o755)  # its own user passes through
    made = Cluster(folder / "c", syncs=False, settings=settings)
    try:
        made.start()
        yield made
    finally:
        made.close()
        folder.rmdir()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One for whatever leaves it running."""
    with new_cluster() as made:
        execute(made.dsn(), f"create database {TEMPLATE}")
        asyncio.run(make_schema(made.dsn(TEMPLATE)))
        yield made


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    """One that may be killed; with the schema."""
    with new_cluster() as made:
        asyncio.run(make_schema(made.dsn()))
        yield made


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    """How libpq reaches a database that has the schema and nothing in it."""
    with new_database(cluster, f"floor_{next(_numbers)}") as made:
        yield made


@pytest.fixture
def store(database: str) -> AbstractAsyncContextManager[FloorStore]:
    return FloorStore.open(database, most=8)


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    """A journal of some days, not closed."""
    return made_diary(tmp_path)


@contextmanager
def new_database(cluster: Cluster, name: str) -> Iterator[str]:
    """How libpq reaches a database of that name, which has the schema and nothing in it."""
    execute(cluster.dsn(), f"create database {name} template {TEMPLATE}")
    yield cluster.dsn(name)
    execute(cluster.dsn(), f"drop database {name} with (force)")


@pytest.fixture(scope="session")
def cluster_database(cluster: Cluster) -> str:
    """How libpq reaches a database with the schema, for all examples of a test: each empties it."""
    name = "floor_of_examples"
    execute(cluster.dsn(), f"create database {name} template {TEMPLATE}")
    return cluster.dsn(name)


@pytest.fixture
def empty_database(cluster: Cluster) -> Iterator[str]:
    name = f"empty_{next(_numbers)}"
    execute(cluster.dsn(), f"create database {name}")
    yield cluster.dsn(name)
    execute(cluster.dsn(), f"drop database {name} with (force)")
