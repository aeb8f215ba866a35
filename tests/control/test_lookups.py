"""A user database that is slow, gone or wrong costs names and roles, never the control socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.control import lookups
from controller.control.conversation import Bounds
from controller.control.lookups import MOST_AT_ONCE, Lookups
from controller.control.peers import Credentials, Groups, Peer
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
    monkeypatch.setattr(lookups, "identify", slow.identify)
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

    monkeypatch.setattr(lookups, "identify", fail)
    assert asyncio.run(Lookups(NOBODY, 10.0).identify(STRANGER)).roles == frozenset()


def test_only_so_many_wait_and_places_come_back(database: Database) -> None:
    async def ask() -> None:
        asking = Lookups(NOBODY, 10.0)
        waiting = [asyncio.create_task(asking.identify(STRANGER)) for _ in range(MOST_AT_ONCE)]
        await asyncio.sleep(0)
        assert (await asking.identify(STRANGER)).name == "uid 54321"
        database.answers.set()
        assert await asyncio.gather(*waiting) == [KNOWN] * MOST_AT_ONCE
        assert await asking.identify(STRANGER) == KNOWN

    asyncio.run(ask())


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
