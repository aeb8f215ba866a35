"""One collector for all tests of a file, and logs that the house knows, each for one test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from hil_tests.postgresql import Cluster
from tests.floor.collectors import Collecting, Floor, collecting
from tests.floor.conftest import new_database
from tests.witness.logs import Log

LOGS = 40
LEAVES = 1200
_names = itertools.count(1)


@pytest.fixture(scope="module")
def shared_database(cluster: Cluster) -> Iterator[str]:
    with new_database(cluster, f"shared_{next(_names)}") as made:
        yield made


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
