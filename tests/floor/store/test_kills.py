"""The database is killed while collectors append, put back to an older state, and full: what was
answered is there, each entry once; and what was lost is sent again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from floor.store.failing import StoreFails
from floor.store.schema import make_schema
from floor.store.store import FloorStore
from hil_tests.postgresql import SUPERUSER, Cluster
from tests.floor.store.appender import origins
from tests.floor.store.logs import ORIGIN, execute, frontier_behind, leaves, sent, stored
from tests.witness.stock import until

pytestmark = pytest.mark.needs("postgresql")

LOGS, ENTRIES, COLLECTORS, KILLS = 3, 6000, 2, 4
BETWEEN = 40
"""Answers from one kill to the next."""


class Answers:
    """What the collectors have answered, by log: the furthest."""

    def __init__(self) -> None:
        self.furthest = dict.fromkeys(origins(LOGS), 0)
        self.count = 0
        self._more = threading.Condition()

    def read(self, process: subprocess.Popen[str]) -> None:
        """All that one of them prints."""
        assert process.stdout is not None
        for line in process.stdout:
            origin, end = line.split()
            with self._more:
                self.furthest[origin] = max(self.furthest[origin], int(end))
                self.count += 1
                self._more.notify_all()

    def wait_for(self, count: int) -> None:
        with self._more:
            assert self._more.wait_for(lambda: self.count >= count, 60)


@contextmanager
def collectors(dsn: str, answers: Answers) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that append until all is there."""
    command = [sys.executable, "-m", "tests.floor.store.appender", dsn]
    processes = [
        subprocess.Popen(
            [*command, str(seed), str(LOGS), str(ENTRIES)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for seed in range(COLLECTORS)
    ]
    readers = [threading.Thread(target=answers.read, args=[process]) for process in processes]
    for reader in readers:
        reader.start()
    try:
        yield processes
    finally:
        for process, reader in zip(processes, readers, strict=True):
            process.kill()
            process.wait()
            reader.join()
            assert process.stdout is not None
            process.stdout.close()


async def test_what_was_answered_is_there_whenever_the_database_is_killed(
    own_cluster: Cluster,
) -> None:
    answers = Answers()
    with collectors(own_cluster.dsn(), answers) as processes:
        for _ in range(KILLS):
            answers.wait_for(answers.count + BETWEEN)
            assert [process.poll() for process in processes] == [None] * COLLECTORS
            own_cluster.kill()
            told = dict(answers.furthest)
            own_cluster.start()
            for origin, next_entry in _next_entries(own_cluster).items():
                assert next_entry >= told[origin]
        assert [process.wait(120) for process in processes] == [0] * COLLECTORS
    async with FloorStore.open(own_cluster.dsn(), most=2) as store:
        for origin in origins(LOGS):
            assert await _stored_of(store, origin) == leaves(0, ENTRIES)
    assert _stored_once(own_cluster) == dict.fromkeys(origins(LOGS), ENTRIES)


def _next_entries(cluster: Cluster) -> dict[str, int]:
    return dict(execute(cluster.dsn(), "select origin, next_entry from floor.log"))


def _stored_once(cluster: Cluster) -> dict[str, int]:
    """Entries in bundles, each counted as often as it is stored."""
    with psycopg.connect(cluster.dsn()) as connection:
        found = connection.execute(
            "select origin, sum(entries)::int from floor.bundle"
            " join floor.log on log.id = bundle.log group by origin"
        )
        return dict(found.fetchall())


async def _stored_of(store: FloorStore, origin: str) -> list[bytes]:
    return [line async for line in store.leaves(origin, 0, ENTRIES)]


async def test_a_database_that_lacks_the_last_second_is_sent_it_again(
    own_cluster: Cluster,
) -> None:
    """A replica took over before it had all, or yesterday's copy was restored."""
    async with FloorStore.open(own_cluster.dsn(), most=2) as store:
        await sent(store, 300)
    own_cluster.stop()
    copy = own_cluster.folder / "copy"
    subprocess.run(["cp", "--archive", own_cluster.data, copy], check=True)
    own_cluster.start()
    async with FloorStore.open(own_cluster.dsn(), most=2) as store:
        await sent(store, 700)
    own_cluster.kill()
    shutil.rmtree(own_cluster.data)
    copy.rename(own_cluster.data)
    own_cluster.start()
    async with FloorStore.open(own_cluster.dsn(), most=2) as store:
        async with store.log(ORIGIN, "table-7") as log:
            assert (log.next_entry, log.frontier) == (300, frontier_behind(300))
            assert log.standing("mirror")[0] == 300
        await sent(store, 800)
        assert await stored(store, 800) == leaves(0, 800)


async def test_a_replica_that_takes_over_is_sent_what_it_lacks(own_cluster: Cluster) -> None:
    """It was cut off before the last entries; the store finds it by itself, once it is promoted."""
    replica = Cluster(own_cluster.folder / "replica", syncs=False, replica_of=own_cluster)
    either = (
        f"host={own_cluster.folder},{replica.folder} dbname=postgres user={SUPERUSER}"
        " target_session_attrs=read-write"
    )
    with closing(replica):
        replica.start()
        async with FloorStore.open(either, most=2) as store:
            await sent(store, 300)
            until(lambda: _next_entries(replica) == {ORIGIN: 300}, "the replica has them")
            _tell(replica, "alter system set primary_conninfo = ''", "select pg_reload_conf()")
            until(lambda: not _told(replica, "select from pg_stat_wal_receiver"), "it is cut off")
            await sent(store, 700)
            own_cluster.kill()
            with pytest.raises(StoreFails, match="it is a replica"):
                await _sent_to(replica.dsn())
            _tell(replica, "select pg_promote()")
            async with store.log(ORIGIN, "table-7") as log:
                assert (log.next_entry, log.standing("mirror")[0]) == (300, 300)
            await sent(store, 800)
            assert await stored(store, 800) == leaves(0, 800)


async def _sent_to(dsn: str) -> None:
    async with FloorStore.open(dsn, most=1) as store:
        await sent(store, 400)


def _tell(cluster: Cluster, *statements: str) -> None:
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _told(cluster: Cluster, question: str) -> bool:
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        return connection.execute(question.encode()).fetchone() is not None


async def test_a_store_goes_on_when_its_database_is_back(
    own_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("floor.store.store.CONNECT_S", 3)
    async with FloorStore.open(own_cluster.dsn(), most=2) as store:
        await sent(store, 10)
        own_cluster.kill()
        own_cluster.start()
        await sent(store, 20)
        own_cluster.stop()
        with pytest.raises(StoreFails, match="see that it runs"):
            await sent(store, 30)
        own_cluster.start()
        await sent(store, 40)
        assert await stored(store, 40) == leaves(0, 40)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of its own, on which a cluster has room for a few megabytes more."""
    folder = Path(tempfile.mkdtemp(prefix="disk"))
    folder.chmod(0o755)
    options = ["-t", "tmpfs", "-o", "size=120m,mode=755"]
    subprocess.run(["mount", *options, "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)
    folder.rmdir()


@pytest.mark.needs("root", "mount")
async def test_a_full_database_takes_nothing_and_goes_on_when_there_is_room(
    small_disk: Path,
) -> None:
    cluster = Cluster(small_disk / "c", syncs=False)
    with closing(cluster):
        cluster.start()
        await make_schema(cluster.dsn())
        filler = small_disk / "filler"
        async with FloorStore.open(cluster.dsn(), most=2) as store:
            await sent(store, 600)
            free = os.statvfs(small_disk)
            filler.write_bytes(bytes(free.f_bavail * free.f_frsize - (64 << 10)))
            end, words = await _sent_until_full(store)
            assert "make room" in words
        filler.unlink()
        async with FloorStore.open(cluster.dsn(), most=2) as store:
            async with store.log(ORIGIN, "table-7") as log:
                assert log.next_entry == end
            await sent(store, end + 600)
            assert await stored(store, end + 600) == leaves(0, end + 600)


async def _sent_until_full(store: FloorStore) -> tuple[int, str]:
    """The end of what was stored, and what was said then."""
    for end in range(700, 1 << 20, 100):
        try:
            await sent(store, end)
        except StoreFails as error:
            return end - 100, str(error)
    raise AssertionError("never full")
