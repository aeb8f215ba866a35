"""Workers share the logs among them, and take over from one that is gone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.errors import IdleSessionTimeout
from pytest_mock import MockerFixture

from floor.configuration import FloorSettings, load_floor
from floor.facts.following import own
from floor.facts.rows import forget_facts, progress_of_facts
from floor.facts.worker import MOST_TAKEN, FactsWorker
from floor.store.store import GONE_S, FloorStore, lasting_session
from tests.cli.shifts.diary import Diary
from tests.floor.collectors import Floor
from tests.floor.facts.kept import leaves_of, upload
from tests.floor.store.logs import execute

pytestmark = pytest.mark.needs("postgresql")

TABLES = 6
PATIENCE = 1000


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory, database: str) -> FloorSettings:
    return load_floor(Floor(tmp_path_factory.mktemp("house"), database).configuration)


def derived(database: str) -> list[int]:
    return [upto for (upto,) in execute(database, "select facts_upto from floor.log order by id")]


async def test_two_share_the_logs_and_one_takes_over(
    settings: FloorSettings, store: FloorStore, database: str, diary: Diary
) -> None:
    leaves = leaves_of(diary.state)
    half = len(leaves) // 2
    for number in range(TABLES):
        await upload(store, f"P{number}", leaves[:half])
    one, other = FactsWorker(store, settings), FactsWorker(store, settings)
    first = await AsyncConnection.connect(database, autocommit=True)
    second = await AsyncConnection.connect(database, autocommit=True)
    await one.step(first)
    assert derived(database) == [half] * MOST_TAKEN + [0] * (TABLES - MOST_TAKEN)
    await other.step(second)
    assert derived(database) == [half] * TABLES
    for number in range(TABLES):
        await upload(store, f"P{number}", leaves)
    await other.step(second)  # its own alone
    assert derived(database) == [half] * MOST_TAKEN + [len(leaves)] * (TABLES - MOST_TAKEN)
    await first.close()  # that worker is gone, and its session soon
    for _ in range(PATIENCE):
        if derived(database) == [len(leaves)] * TABLES:
            break
        await other.step(second)
    await second.close()
    assert derived(database) == [len(leaves)] * TABLES


async def test_logs_that_have_ended_keep_nobody_from_others(
    settings: FloorSettings, store: FloorStore, database: str, diary: Diary
) -> None:
    leaves = leaves_of(diary.state)
    for number in range(MOST_TAKEN):
        await upload(store, f"P{number}", [b"{}"])
    await upload(store, "good", leaves)
    owner = await AsyncConnection.connect(database, autocommit=True)
    worker = FactsWorker(store, settings)
    for _ in range(2):
        await worker.step(owner)
    await owner.close()
    assert derived(database) == [0] * MOST_TAKEN + [len(leaves)]


async def done(store: FloorStore, settings: FloorSettings, database: str) -> None:
    """All facts that there are, by one worker."""
    owner = await AsyncConnection.connect(database, autocommit=True)
    worker = FactsWorker(store, settings)
    while await worker.step(owner):
        pass
    await owner.close()


def halted_of(database: str) -> list[tuple[str, str]]:
    return execute(database, "select table_name, halted from floor_facts.tables order by 1")


@pytest.mark.parametrize("good", [0, 10])
async def test_facts_that_have_ended_are_derived_anew_when_they_are_taken_away(
    settings: FloorSettings, store: FloorStore, database: str, diary: Diary, good: int
) -> None:
    leaves = leaves_of(diary.state)
    log = await upload(store, "P0", [*leaves[:good], b"{}"])
    owner = await AsyncConnection.connect(database, autocommit=True)
    worker = FactsWorker(store, settings)
    await worker.step(owner)
    for _ in range(2):  # whoever rebuilds waits until it has ended again
        async with store.connection() as connection:
            await forget_facts(connection, log.number)
        await worker.step(owner)
        async with store.connection() as connection:
            assert (await progress_of_facts(connection, log.number)).halted
        assert derived(database) == [good]
    await owner.close()


async def test_the_locks_of_a_worker_whose_machine_is_gone_are_free_soon(database: str) -> None:
    asked = "select name from pg_settings where source = 'session' and name ^@ 'tcp_' order by 1"
    async with lasting_session(database) as owner:
        heard = await (await owner.execute(asked)).fetchall()
        given = owner.info.get_parameters()
    assert [name for (name,) in heard] == [
        "tcp_keepalives_count",
        "tcp_keepalives_idle",
        "tcp_keepalives_interval",
    ]
    assert int(given["tcp_user_timeout"]) == 1000 * GONE_S


async def test_the_locks_of_a_worker_that_is_stopped_are_free_soon(database: str) -> None:
    async with lasting_session(database) as other, lasting_session(database, 1) as owner:
        assert await own(owner, 1)
        assert not await own(other, 1)
        async with asyncio.timeout(30):
            while not await own(other, 1):
                await asyncio.sleep(0.05)
        with pytest.raises(IdleSessionTimeout):
            await owner.execute("select")


async def test_a_long_pass_keeps_its_session(
    settings: FloorSettings,
    store: FloorStore,
    database: str,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("floor.facts.worker.ASKED_S", -1)
    asked = "select query from pg_stat_activity where pid = %s"
    leaves = leaves_of(diary.state)
    async with lasting_session(database, 30) as owner:
        await upload(store, "P0", leaves)
        await FactsWorker(store, settings).step(owner)
        with psycopg.connect(database) as connection:
            row = connection.execute(asked, [owner.info.backend_pid]).fetchone()
    assert row == ("select",)


async def test_what_fails_is_said_once_of_each_log_until_it_has_ended_well(
    settings: FloorSettings,
    store: FloorStore,
    database: str,
    diary: Diary,
    caplog: pytest.LogCaptureFixture,
) -> None:
    leaves = leaves_of(diary.state)
    async with lasting_session(database) as owner:
        worker = FactsWorker(store, settings)
        for number in (0, 1):
            await upload(store, f"P{number}", leaves)
        for _ in range(2):
            alter(database, "lines = substr(lines, 2)")
            for _ in range(3):
                await worker.step(owner)
            assert derived(database) == [0, 0]
            alter(database, "lines = substring('\\x1f'::bytea from 1) || lines")
            while await worker.step(owner):
                pass
            assert derived(database) == [len(leaves)] * 2
            async with store.connection() as connection:
                for log in (1, 2):
                    await forget_facts(connection, log)
    told = [words for record in caplog.records if "unpack" in (words := record.getMessage())]
    assert len(told) == 4
    assert len({*told}) == 2


def alter(database: str, how: str) -> None:
    """In all bundles."""
    execute(database, f"update floor.bundle set {how}")


async def test_what_nobody_thought_of_is_said_and_tried_again(
    settings: FloorSettings,
    store: FloorStore,
    diary: Diary,
    mocker: MockerFixture,
    caplog: pytest.LogCaptureFixture,
) -> None:
    again = asyncio.Event()

    async def in_thread(*_: object) -> None:
        if caplog.text:
            again.set()
        raise RuntimeError("can't start new thread")

    mocker.patch("asyncio.to_thread", in_thread)
    await upload(store, "P0", leaves_of(diary.state))
    working = asyncio.create_task(FactsWorker(store, settings).derive_facts())
    tried = asyncio.create_task(again.wait())
    await asyncio.wait((working, tried), timeout=30, return_when=asyncio.FIRST_COMPLETED)
    working.cancel()
    tried.cancel()
    await asyncio.wait((working, tried))
    assert "can't start new thread" in caplog.text
    assert again.is_set()


async def test_a_snapshot_that_cannot_be_read_ends_a_log_without_its_beginning(
    settings: FloorSettings, store: FloorStore, database: str, diary: Diary
) -> None:
    leaves = leaves_of(diary.state)
    await upload(store, "P0", leaves[:-1])
    await done(store, settings, database)
    execute(database, "update floor.log set begins = 1")
    execute(database, "update floor_facts.progress set carried = '[]'")
    await upload(store, "P0", leaves)
    await done(store, settings, database)
    assert derived(database) == [len(leaves) - 1]
    ((_, halted),) = halted_of(database)
    assert halted.startswith("the entries before 1 were removed by age, and the snapshot, entry ")


def said_by(body: Mapping[str, Any], *path: str, text: str) -> dict[str, Any]:
    """A body that says that text there."""
    first, *rest = path
    return {**body, first: said_by(body[first], *rest, text=text) if rest else text}


@pytest.mark.parametrize(
    ("kind", "path", "text"),
    [
        ("supervisor", (), ""),
        ("start", ("versions", "engine"), "\ud800"),
        ("start", ("versions", "engine"), "\0"),
        ("supervisor", ("why",), "\0"),
    ],
    ids=["no entry", "half a character", "no character", "in a reason"],
)
async def test_what_no_database_takes_ends_one_log_alone(
    store: FloorStore,
    settings: FloorSettings,
    database: str,
    diary: Diary,
    kind: str,
    path: tuple[str, ...],
    text: str,
) -> None:
    """A table's key can sign anything. What is before that is stored."""
    leaves = leaves_of(diary.state)
    entries = [json.loads(leaf) for leaf in leaves]
    at = max(n for n, entry in enumerate(entries) if entry["type"] == kind)
    bad: dict[str, Any] = {"seq": at + 1}
    if path:
        bad = {**entries[at], "body": said_by(entries[at]["body"], *path, text=text)}
    await upload(store, "P0", [*leaves[:at], json.dumps(bad).encode(), *leaves[at + 1 :]])
    await upload(store, "P1", leaves)
    await upload(store, "P2", leaves[:at])
    await done(store, settings, database)
    assert derived(database) == [at, len(leaves), at]
    (_, why), *others = halted_of(database)
    assert why.startswith(f"behind entry {at}: ")
    assert [name for name, halted in others if halted] == []
    for view in ("rounds", "settlements", "acts", "holds", "spans"):
        asked = f"select count(*) from floor_facts.{view} where table_name = %s"
        assert execute(database, asked, ["P0"]) == execute(database, asked, ["P2"])
