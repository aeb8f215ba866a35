"""One collector for all tests of a file, and logs that the house knows, each for one test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import psycopg
import pytest

from hil_tests.postgresql import Cluster
from tests.floor.collectors import Collecting, Floor, collecting
from tests.floor.conftest import TEMPLATE
from tests.witness.logs import Log

LOGS = 40
LEAVES = 1200
_names = itertools.count(1)


@pytest.fixture(scope="module")
def shared_database(cluster: Cluster) -> Iterator[str]:
    name = f"shared_{next(_names)}"
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(f"create database {name} template {TEMPLATE}".encode())
    yield cluster.dsn(name)
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)".encode())


@pytest.fixture(scope="module")
def collector(
    tmp_path_factory: pytest.TempPathFactory, shared_database: str
) -> Iterator[Collecting]:
    """One that knows all logs."""
    floor = Floor(tmp_path_factory.mktemp("floor"), shared_database)
    folder = tmp_path_factory.mktemp("logs")
    logs = [Log(folder / f"key-{number}", leaves=LEAVES) for number in range(LOGS)]
    for number, log in enumerate(logs):
        floor.knows(log, f"P{number}")
    with collecting(floor, logs) as running:
        yield running


@pytest.fixture
def log(collector: Collecting) -> Log:
    """One that nobody has used."""
    return collector.logs.pop()
