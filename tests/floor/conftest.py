"""A PostgreSQL cluster for each process of a run, and a database with the floor's schema for each
test that asks for one (it marks ``needs("postgresql")``)."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from floor.store.schema import make_schema
from hil_tests.postgresql import Cluster

TEMPLATE = "floor_template"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A cluster that runs, for whatever leaves it running. It does not sync: nobody cuts the
    machine's power."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    folder.chmod(0o755)  # its own user passes through
    made = Cluster(folder / "c", syncs=False)
    made.start()
    try:
        _do(made, f"create database {TEMPLATE}")
        asyncio.run(make_schema(made.dsn(TEMPLATE)))
        yield made
    finally:
        made.close()
        folder.rmdir()


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    """How libpq reaches a database that has the schema and nothing in it."""
    with new_database(cluster, f"floor_{next(_numbers)}") as made:
        yield made


@contextmanager
def new_database(cluster: Cluster, name: str) -> Iterator[str]:
    """How libpq reaches a database of that name, which has the schema and nothing in it."""
    _do(cluster, f"create database {name} template {TEMPLATE}")
    yield cluster.dsn(name)
    _do(cluster, f"drop database {name} with (force)")


@pytest.fixture(scope="session")
def cluster_database(cluster: Cluster) -> str:
    """How libpq reaches a database with the schema, for all examples of a test: each empties it."""
    name = "floor_of_examples"
    _do(cluster, f"create database {name} template {TEMPLATE}")
    return cluster.dsn(name)


@pytest.fixture
def empty_database(cluster: Cluster) -> Iterator[str]:
    """How libpq reaches a database without anything."""
    name = f"empty_{next(_numbers)}"
    _do(cluster, f"create database {name}")
    yield cluster.dsn(name)
    _do(cluster, f"drop database {name} with (force)")


def _do(cluster: Cluster, statement: str) -> None:
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(statement.encode())
