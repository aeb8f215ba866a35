"""A witness on real sockets, and what is kept of a log that forked or went back."""

from __future__ import annotations

import psycopg
import pytest

from controller.witness.exchange import body_of
from tests.floor.collector.test_mirror import path_of
from tests.floor.collectors import Collecting, cosigns
from tests.floor.store.logs import execute
from tests.witness.logs import Log

pytestmark = pytest.mark.needs("postgresql")

Kept = list[tuple[str, int, int]]


def kept(database: str, log: Log) -> Kept:
    """Role, status and times of what was refused of it."""
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "select role, status, times from floor.refusals where origin = %s order by 1, 2",
            [log.origin],
        )
        return [(role, status, times) for role, status, times in found]


def test_it_cosigns_and_shows_what_it_cosigned(collector: Collecting, log: Log) -> None:
    assert collector.get(path_of(log, "witness")).status == 404
    for old, new in ((0, 20), (20, 20), (20, 300)):
        answer = collector.submit(log, old, new, "witness")
        assert cosigns(collector.floor.witness, answer, log, new)
        shown = collector.get(path_of(log, "witness"))
        assert shown.body.decode() == log.checkpoint(new) + answer.body.decode()
    assert collector.get(path_of(log)).status == 404, "the mirror is another cosigner"


@pytest.mark.parametrize("role", ["witness", "mirror"])
def test_a_fork_is_refused_and_kept_once(
    collector: Collecting, log: Log, shared_database: str, role: str
) -> None:
    other = Log(log.key.path, "another history")
    collector.submit(log, 0, 20, role)
    for _ in range(3):
        assert collector.submit(other, 20, 30, role).status == 422
    assert collector.submit(other, 20, 20, role).status == 422
    assert {*kept(shared_database, log)} == {(role, 422, 1), (role, 422, 3)}
    assert 'table_floor_table_refusals{table="P' in collector.get("/metrics").body.decode()


@pytest.mark.parametrize("role", ["witness", "mirror"])
@pytest.mark.parametrize("old", [1, 300, 512, 700])
def test_an_old_checkpoint_is_no_evidence_where_its_root_is_that_of_what_is_stored(
    collector: Collecting, log: Log, shared_database: str, role: str, old: int
) -> None:
    for each in ("witness", "mirror"):
        collector.submit(log, 0, 1200, each)
    assert collector.is_mirrored(collector.upload(log, 0, 1200), log, 1200)
    for _ in range(2):
        answer = collector.submit(log, 0, old, role)
        assert (answer.status, answer.kind, answer.body) == (409, "text/x.tlog.size", b"1200\n")
    assert kept(shared_database, log) == []
    fork = Log(log.key.path, "another history", leaves=1200)
    answer = collector.submit(fork, 0, old, role)
    assert (answer.status, answer.kind, answer.body) == (409, "text/x.tlog.size", b"1200\n")
    assert kept(shared_database, log) == [(role, 409, 1)]


def test_what_cannot_be_compared_is_kept(
    collector: Collecting, log: Log, shared_database: str
) -> None:
    """Entries were altered in the database, say."""
    collector.submit(log, 0, 1200)
    collector.upload(log, 0, 1200)
    execute(
        shared_database,
        "update floor.bundle set lines = 'x' from floor.log"
        " where log = id and origin = %s and first = 256",
        [log.origin],
    )
    assert collector.submit(log, 0, 256).status == 409
    assert kept(shared_database, log) == []
    assert collector.submit(log, 0, 300).status == 409
    assert kept(shared_database, log) == [("mirror", 409, 1)]


def test_what_comes_again_waits_for_no_lock(
    collector: Collecting, log: Log, shared_database: str
) -> None:
    for role in ("witness", "mirror"):
        for old, new in ((0, 20), (20, 30)):
            assert collector.submit(log, old, new, role).status == 200
    assert collector.is_mirrored(collector.upload(log, 0, 30), log, 30)
    with psycopg.connect(shared_database) as connection:
        connection.execute("select from floor.log where origin = %s for update", [log.origin])
        for role in ("witness", "mirror"):
            assert collector.submit(log, 30, 30, role).status == 200
            for old, new in ((20, 30), (0, 20), (0, 25)):
                assert collector.submit(log, old, new, role).status == 409
    assert kept(shared_database, log) == []


def test_a_stranger_locks_nothing(collector: Collecting, log: Log, shared_database: str) -> None:
    """Without a good signature nothing of a log is written, nor even looked for."""
    other = Log(log.key.path.with_name("stranger"), leaves=30)
    note = log.checkpoint(20).split("\n\n")[0]
    forged = f"{note}\n\n" + log.checkpoint(19).split("\n\n")[1]
    for body in (
        body_of(other.checkpoint(20), 0, []),
        body_of(forged, 0, []),
        body_of(log.checkpoint(20), 21, []),
        b"old 0\n\n" + log.origin.encode() + b"\n20\n",
    ):
        for role in ("mirror", "witness"):
            assert collector.add_checkpoint(body, role).status in (400, 403, 404)
    assert collector.upload(log, 0, 20).status == 422
    with psycopg.connect(shared_database) as connection:
        rows = connection.execute("select from floor.log where origin = %s", [log.origin])
        assert rows.fetchall() == []
