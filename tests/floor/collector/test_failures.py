"""Database, collector and clients that go away, or never come."""

from __future__ import annotations

import contextlib
import socket
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import psycopg
import pytest

from floor.collector.known import KnownLogs
from floor.collector.running import CONNECTIONS
from hil_tests.postgresql import Cluster
from tests.floor.collectors import Collecting, Floor, collecting, entries_of, said
from tests.floor.uploads import head_of, package_of, packed, upload_of
from tests.witness.logs import Log
from tests.witness.stock import PATIENCE_S, until

pytestmark = pytest.mark.needs("postgresql")


@pytest.fixture
def known(tmp_path: Path) -> Log:
    return Log(tmp_path / "log-key", leaves=1200)


@pytest.fixture
def floor(tmp_path: Path, database: str, known: Log) -> Floor:
    made = Floor(tmp_path / "floor", database)
    made.knows(known, "P1")
    return made


def test_the_database_goes_away_and_comes_back(
    tmp_path: Path, own_cluster: Cluster, known: Log
) -> None:
    cluster, floor = own_cluster, Floor(tmp_path / "floor", own_cluster.dsn())
    floor.knows(known, "P1")
    with collecting(floor) as collector:
        assert collector.submit(known, 0, 20).status == 200
        cluster.stop()
        with ThreadPoolExecutor(3) as pool:  # each waits some seconds for the database
            told = pool.submit(collector.get, "/metrics")
            asked = [
                pool.submit(collector.submit, known, 20, 30),
                pool.submit(collector.upload, known, 0, 20),
            ]
        assert b"database_up 0.0" in told.result().body
        for answer in (one.result() for one in asked):
            assert answer.status == 503
            assert b"the floor's database" in answer.body
        cluster.start()
        until(lambda: collector.submit(known, 20, 30).status == 200, "it is there again")
        assert collector.is_mirrored(collector.upload(known, 0, 30), known, 30)
        assert b"database_up 1.0" in collector.get("/metrics").body
        assert said(floor).count("ERROR") == 1, "it is told once"


def test_a_collector_that_is_busy_says_so_and_not_that_the_database_is_away(
    floor: Floor, known: Log, database: str
) -> None:
    many = CONNECTIONS + 4
    with collecting(floor) as collector, ThreadPoolExecutor(many + 1) as pool:
        assert collector.submit(known, 0, 20).status == 200
        with psycopg.connect(database) as slow:
            slow.execute("select from floor.log for update")
            asked = [pool.submit(collector.submit, known, 20, 30) for _ in range(many)]
            [turned_away, *_] = wait(asked, return_when=FIRST_COMPLETED).done
        told = collector.get("/metrics").body
        assert b"database_up 1.0" in told
        answer = turned_away.result()
        assert answer.status == 503
        assert answer.body.startswith(b"busy: all 8 connections to the floor's database"), answer
        assert [one.result().status for one in asked].count(200) == 1, "who had waited was served"
        assert said(floor).count("busy: ") == 1, "it is told once"


async def test_a_collector_that_is_killed_is_gone_on_from(
    floor: Floor, known: Log, database: str
) -> None:
    body = upload_of(known, 0, 1200)
    first = len(head_of(known.origin, 0, 1200) + packed(package_of(known, 0, 256, 1200)))
    with collecting(floor) as collector:
        collector.submit(known, 0, 1200)
        with collector.begun(body[: first + 999], len(body)):
            until(lambda: b"entries_total 256.0" in collector.get("/metrics").body, "one is there")
            collector.kill()
    assert await entries_of(database, known) == known.entries[:256]
    with collecting(floor) as collector:
        answer = collector.upload(known, 0, 1200)
        if answer.status == 409:
            answer = collector.upload(known, 256, 1200)
        assert collector.is_mirrored(answer, known, 1200)
    assert await entries_of(database, known) == known.entries


def test_a_client_that_is_cut_off_leaves_what_was_proven(collector: Collecting, log: Log) -> None:
    body = upload_of(log, 0, 600)
    first = len(head_of(log.origin, 0, 600) + packed(package_of(log, 0, 256, 600)))
    collector.submit(log, 0, 600)
    collector.begun(body[: first + 5], len(body)).close()
    until(lambda: collector.upload(log, 512, 600).body == b"600\n256\n\n", "it is there")


def test_an_answer_is_one_write(collector: Collecting) -> None:
    with socket.create_connection(collector.address) as client:
        client.settimeout(PATIENCE_S)
        for _ in range(20):
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: floor\r\n\r\n")
            answer = client.recv(1 << 20)
            head, _, body = answer.partition(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            assert len(body) == length, "the first read has all of it"


def test_whatever_a_stranger_sends_is_no_news(collector: Collecting, log: Log) -> None:
    before = said(collector.floor)
    for garbage in (b"\x16\x03\x01", b"GET / HTTP/9\r\n\r\n", b"\x00" * 70000, b"no\r\n\r\n"):
        with socket.create_connection(collector.address, PATIENCE_S) as client:
            client.sendall(garbage)
            client.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                while client.recv(1 << 16):
                    pass
    assert collector.submit(log, 0, 20).status == 200
    assert said(collector.floor) == before


def test_an_early_answer_reaches_who_is_still_sending(collector: Collecting) -> None:
    """Nobody knows the log, and a megabyte follows."""
    body = head_of("another", 0, 1 << 20) + bytes(1 << 20)
    with collector.begun(b"", len(body)) as client:
        client.sendall(body)
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 404")


def test_the_folder_of_tables_is_read_again_when_it_changes(
    floor: Floor, known: Log, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    (floor.tables / "P0.vkey").symlink_to(tmp_path / "nowhere")
    logs = KnownLogs(floor.tables, lambda: now[0])
    assert logs.get(known.origin) is not None, "a link that leads to nothing keeps no table off"
    other = Log(tmp_path / "other-key")
    floor.knows(other, "P2")
    assert logs.get(other.origin) is None, "not yet"
    now[0] = 10.0
    found = logs.get(other.origin)
    assert found is not None
    assert found.table == "P2"
    (floor.tables / "P2.vkey").write_text("nonsense\n", encoding="ascii")
    third = Log(tmp_path / "third-key")
    floor.knows(third, "P3")
    now[0] = 20.0
    assert logs.get(other.origin) == found, "a fault takes nothing away"
    assert logs.get(third.origin) is not None, "and keeps nothing off"
    assert "P2.vkey: 'nonsense' is no verifier key of a table" in caplog.text
    (floor.tables / "P2.vkey").unlink()
    now[0] = 30.0
    assert logs.get(other.origin) is None
    assert logs.get(known.origin) is not None
