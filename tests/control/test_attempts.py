"""Refused attempts are reported, each with who, what and why, and never too many to be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from controller.control.handler import OF_ALL, OF_ONE_USER, USERS, WINDOW_S, Attempt, Attempts
from controller.control.peers import Peer
from controller.control.protocol import MAX_LINE_BYTES
from controller.control.serving.door import Bounds
from tests.control.support import connected, open_to_all, serving
from tests.control.test_peers import ADM, DAEMON, GROUPS, STRANGER, ask_as
from tests.control.test_server import error_of, talking


class Minute:
    """A loop's clock: one timer, which the test lets expire."""

    def __init__(self) -> None:
        self.due: Callable[[], None] | None = None
        self.cancelled = False

    def call_later(self, delay: float, due: Callable[[], None]) -> Minute:
        assert delay == WINDOW_S
        assert self.due is None
        self.due = due
        return self

    def cancel(self) -> None:
        self.cancelled = True

    def expires(self) -> None:
        due, self.due = self.due, None
        assert due
        due()


def user(uid: int) -> Peer:
    return Peer(uid + 1, uid, uid, f"u{uid}", frozenset())


@pytest.fixture
def minute() -> Minute:
    return Minute()


@pytest.fixture
def told() -> list[Attempt]:
    return []


@pytest.fixture
def attempts(minute: Minute, told: list[Attempt]) -> Attempts:
    return Attempts(cast("asyncio.AbstractEventLoop", minute), told.append)


def test_the_first_are_told_one_by_one_the_rest_once_with_their_number(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for number in range(OF_ONE_USER + 250):
        attempts.note(user(7), f"dealer: {number}", "not his")
    assert [attempt.what for attempt in told] == [f"dealer: {n}" for n in range(OF_ONE_USER)]
    assert {attempt.count for attempt in told} == {1}
    minute.expires()
    assert told[OF_ONE_USER:] == [Attempt("u7", 7, 8, "dealer: 259", "not his", 250)]


def test_a_minute_later_they_are_told_again(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for _ in range(OF_ONE_USER):
        attempts.note(user(7), "x", "y")
    minute.expires()
    attempts.note(user(7), "x", "y")
    assert [attempt.count for attempt in told] == [1] * (OF_ONE_USER + 1)


def test_who_floods_does_not_hide_another(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for _ in range(100_000):
        attempts.note(user(7), "x", "y")
    attempts.note(user(8), "supervisor: void", "not his")
    assert told[-1].user == "u8"


def test_many_users_are_bounded_too_and_nobody_is_left_uncounted(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    tries = 50
    for _ in range(tries):
        for uid in range(200):
            attempts.note(user(uid), "x", "y")
    assert len(told) == OF_ALL
    minute.expires()
    assert len(told) == OF_ALL + USERS + 1
    assert sum(attempt.count for attempt in told) == tries * 200
    assert (told[-1].user, told[-1].uid, told[-1].pid) == ("others", None, None)


def test_the_end_tells_what_was_only_counted(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for _ in range(OF_ONE_USER + 3):
        attempts.note(user(7), "x", "y")
    attempts.close()
    assert minute.cancelled
    assert told[-1].count == 3
    attempts.close()
    assert len(told) == OF_ONE_USER + 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


async def test_a_line_too_long_and_one_malformed_after_the_other(path: Path) -> None:
    async with talking(path, Bounds(malformed=3)) as (till, line):
        line.send(b"x" * (MAX_LINE_BYTES + 1))
        while await line.read() is not None:
            pass
        async with connected(path) as other:
            other.send(b"hello\n" * 3)
            while await other.read() is not None:
                pass
        assert [a.what for a in till.attempts] == ["a line too long", "3 malformed requests"]


async def test_going_on_beyond_ones_rate_is_told_once_a_connection(path: Path) -> None:
    async with talking(path, Bounds(burst=2, requests_per_s=200)) as (till, line):
        for _ in range(3):  # some requests too many at once are no flood
            await line.answer("status")
        assert till.attempts == []
        for _ in range(9):
            await line.answer("status")
        assert [a.what for a in till.attempts] == ["a flood of requests"]


async def test_a_connection_too_many(path: Path) -> None:
    async with talking(path, Bounds(clients=1)) as (till, line):
        await line.answer("status")
        async with connected(path) as other:
            assert "places are taken" in error_of(await other.read())["reason"]
        assert [a.what for a in till.attempts] == ["one more connection"]


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    ("groups", "tried"),
    [
        ([8], [("dealer: open", DAEMON), ("supervisor: resume", ADM)]),
        ([1], [("supervisor: resume", ADM)]),
        ([4], []),
    ],
)
def test_a_command_of_a_role_that_is_not_ones_own(
    groups: list[int], tried: list[tuple[str, str]]
) -> None:
    async def serve(path: Path) -> list[Attempt]:
        async with serving(path, GROUPS) as till:
            answers: list[Any] = await asyncio.to_thread(ask_as, path, STRANGER, groups)
            refused = [answer for answer in answers if not answer["ok"]]
            assert len(refused) == len(till.attempts)
            return till.attempts

    with open_to_all() as path:
        told = asyncio.run(serve(path))
    assert [(a.what, a.why) for a in told] == [(w, f"not in the group {g}") for w, g in tried]
    assert all((a.user, a.uid) == (f"uid {STRANGER}", STRANGER) for a in told)
    assert all(a.pid for a in told)
