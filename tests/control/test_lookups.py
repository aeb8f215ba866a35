"""A user database that is slow, gone or wrong costs names and roles, never the control socket."""

from __future__ import annotations

import asyncio
import grp
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control import peers
from controller.control.peers import MOST_AT_ONCE, Credentials, Groups, Lookups, Peer
from controller.control.serving import server
from controller.control.serving.door import Bounds
from tests.control.support import NOBODY, connected, serving

STRANGER = Credentials(1, 54321, 54321, frozenset())
KNOWN = Peer(1, 54321, 54321, "ida", frozenset(("dealer",)))


class Database:
    """Answers when it is let; ``asked`` counts the questions."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.asked = threading.Semaphore(0)

    def identify(self, credentials: Credentials, groups: Groups) -> Peer:
        self.asked.release()
        self.answers.wait()
        return KNOWN


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    slow = Database()
    monkeypatch.setattr(peers, "identify", slow.identify)
    yield slow
    slow.answers.set()


def test_an_answer_in_time_counts(database: Database) -> None:
    database.answers.set()
    assert asyncio.run(Lookups(NOBODY, 10.0).identify(STRANGER)) == KNOWN


def test_none_in_time_makes_him_a_number(database: Database) -> None:
    assert asyncio.run(Lookups(NOBODY, 0.01).identify(STRANGER)).name == "uid 54321"


def test_whatever_it_fails_with_makes_him_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Peer:
        raise ValueError("the database is damaged")

    monkeypatch.setattr(peers, "identify", fail)
    assert asyncio.run(Lookups(NOBODY, 10.0).identify(STRANGER)).roles == frozenset()


async def test_only_so_many_wait_and_places_come_back(database: Database) -> None:
    asking = Lookups(NOBODY, 10.0)
    waiting = [asyncio.create_task(asking.identify(STRANGER)) for _ in range(MOST_AT_ONCE)]
    await asyncio.sleep(0)
    assert (await asking.identify(STRANGER)).name == "uid 54321"
    database.answers.set()
    assert await asyncio.gather(*waiting) == [KNOWN] * MOST_AT_ONCE
    assert await asking.identify(STRANGER) == KNOWN


async def test_without_threads_he_is_a_number_and_no_place_stays_taken(
    mocker: MockerFixture,
) -> None:
    """Found in review: eight starts that failed counted as under way for ever."""
    asking = Lookups(NOBODY, 10.0)
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    for _ in range(MOST_AT_ONCE + 1):
        assert (await asking.identify(STRANGER)).name == "uid 54321"
    mocker.stop(start)
    mocker.patch.object(peers, "identify", return_value=KNOWN)
    assert await asking.identify(STRANGER) == KNOWN


def test_a_stop_does_not_wait_for_it(tmp_path: Path, database: Database) -> None:
    """Found in review: the loop's own threads are waited for when it is closed."""

    async def serve() -> None:
        async with (
            serving(tmp_path / "s", bounds=Bounds(identify_s=60)),
            connected(tmp_path / "s") as line,
        ):
            line.ask("status")
            await asyncio.to_thread(database.asked.acquire)

    asyncio.run(serve())
    assert not database.answers.is_set()


def test_the_kernels_groups_count_while_the_database_is_busy(database: Database) -> None:
    """A guest who connects again and again must not make dealers strangers."""
    with_group = replace(STRANGER, gids=frozenset((os.getgid(),)))
    mine = grp.getgrgid(os.getgid()).gr_name

    async def ask() -> Peer:
        asking = Lookups(Groups(mine, "no-such-group"), 10.0)
        assert asking.learn() == ["no-such-group"]
        waiting = [asyncio.create_task(asking.identify(STRANGER)) for _ in range(MOST_AT_ONCE)]
        await asyncio.sleep(0)
        found = await asking.identify(with_group)
        database.answers.set()
        await asyncio.gather(*waiting)
        return found

    found = asyncio.run(ask())
    assert (found.roles, found.known) == (frozenset(("dealer",)), False)


def test_who_could_not_be_looked_up_is_told_to_try_again(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He may be in the group: it is no attempt of his."""
    monkeypatch.setattr(server, "credentials_of", lambda _: STRANGER)

    async def serve() -> tuple[Any, int]:
        bounds = Bounds(identify_s=0.01)
        async with (
            serving(tmp_path / "s", bounds=bounds) as till,
            connected(tmp_path / "s") as line,
        ):
            return await line.answer("dealer", command="stand 1"), len(till.attempts)

    answer, attempts = asyncio.run(serve())
    assert answer["error"]["kind"] == "unavailable"
    assert answer["error"]["reason"].endswith("connect again")
    assert attempts == 0
