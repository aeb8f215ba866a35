"""Signed heads whose medium is slow or hangs: nothing waits for it, and it is said."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pytest_mock import MockerFixture

from controller.daemon.journaling import sealing
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.journal.reader import JournalReader
from controller.table.sequence import BETTING, ENDED
from tests.daemon.house import turns
from tests.daemon.journaling.aged import awake
from tests.daemon.process import Place
from tests.daemon.sealed import at_once, heads, journal_at, play, runtime_at, told_of_heads

T = TypeVar("T")


class Slow:
    """A medium that takes its time: work waits here until it is let go."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], Any], Callable[[Any], None]]] = []

    def __call__(
        self, _: object, work: Callable[[], T], then: Callable[[T], None], __: object
    ) -> None:
        self.waiting.append((work, then))

    def go(self) -> None:
        work, then = self.waiting.pop(0)
        then(work())


@pytest.fixture
def slow() -> Slow:
    return Slow()


def starting(place: Place, slow: Slow) -> AbstractAsyncContextManager[Runtime]:
    """The table's controller, with its heads on that medium."""
    return awake(place, Outside(boot_id=lambda: "boot-1", aside=slow))


async def test_nothing_waits_for_a_slow_medium_and_the_newest_head_follows(
    tmp_path: Path, slow: Slow
) -> None:
    place = Place(tmp_path)
    async with starting(place, slow) as runtime:
        await asyncio.sleep(0)
        assert len(slow.waiting) == 1
        runtime.owner.condition("clock-stepped", "by an hour")
        await runtime.owner.settled()
        runtime.sealing.seal()
        runtime.sealing.seal()
        assert len(slow.waiting) == 1
        slow.go()
        slow.go()
        assert not slow.waiting
        head = (await runtime.handler.status())["journal"]["head"]
        assert heads(place)[-1].seq == head == runtime.sealing.facts["sealed_to"]


@pytest.fixture
def go() -> Iterator[threading.Event]:
    """Set: whatever hangs goes on, at the latest when the test is over."""
    go = threading.Event()
    yield go
    go.set()


@contextmanager
def hanging(call: str, go: threading.Event) -> Iterator[None]:
    """While it lasts, this call of :mod:`controller.daemon.journaling.sealing` to a medium hangs
    until ``go``, and media are not waited for as long as they are elsewhere."""
    real = getattr(sealing, call)

    def hang(*asked: Any) -> Any:
        go.wait()
        return real(*asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealing, "ANSWERED_S", 0.5)
        patch.setattr(sealing, call, hang)
        yield


def test_a_start_does_not_wait_for_heads_that_hang(place: Place, go: threading.Event) -> None:
    before = heads(place)
    with hanging("last_head", go):
        held = play(place)["held"]
    assert held["fault"] == "heads-doubted"
    assert "heads.jsonl cannot be read: its medium does not answer" in held["reason"]
    assert heads(place)[: len(before)] == before
    assert play(place, resume=True)["held"]["fault"] == "heads-doubted"
    assert play(place)["held"] is None


async def test_a_first_start_does_not_wait_for_a_medium_that_hangs(
    tmp_path: Path, go: threading.Event, slow: Slow
) -> None:
    place = Place(tmp_path)
    with hanging("append_head", go):
        async with starting(place, slow) as runtime:
            status = await runtime.handler.status()
            assert status["held"] is None
            assert "its medium does not answer" in status["conditions"]["heads-failing"]
            go.set()
            while slow.waiting:
                slow.go()
            last = runtime.sealing.last()
            assert last is not None
            last.join(5.0)
    with JournalReader(place.state) as reader:
        told: Any = next(iter(reader.iterate())).body["sealing"]
        assert told["heads"] is False  # none is known to be there
        assert heads(place)[-1].seq == reader.head.seq
    again = await asyncio.to_thread(play, place)
    assert (again["held"], again["conditions"]) == (None, {})


async def test_heads_whose_medium_hangs_during_play_are_told(
    tmp_path: Path, mocker: MockerFixture, slow: Slow
) -> None:
    mocker.patch.object(sealing, "HANGS_S", 0.0)
    async with starting(Place(tmp_path), slow) as runtime:
        runtime.owner.condition("clock-stepped", "by an hour")
        said = await told_of_heads(runtime, failing=True)
        assert said.endswith("heads.jsonl: its medium does not answer")
        assert len(slow.waiting) == 1  # it is not asked again before it has answered
        slow.go()
        await told_of_heads(runtime, failing=False)
        while slow.waiting:
            slow.go()


async def test_without_a_thread_as_a_head_is_due_play_goes_on_and_it_is_told(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """Found in review: the controller ended, as of what it cannot understand."""
    mocker.patch.object(sealing, "RETRY_S", 0.001)
    unforeseen: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, of: unforeseen.append(of))
    async with awake(Place(tmp_path), Outside(boot_id=lambda: "boot-1")) as runtime:
        while runtime.sealing.facts["sealed_to"] is None:
            await asyncio.sleep(0)
        start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new"))
        runtime.owner.condition("clock-stepped", "by an hour")
        await runtime.owner.settled()
        runtime.sealing.seal()
        said = await told_of_heads(runtime, failing=True)
        assert "heads.jsonl: no thread can be started" in said
        mocker.stop(start)
        await told_of_heads(runtime, failing=False)
        last = runtime.sealing.last()
        assert last is not None
        last.join(20)
    assert unforeseen == []


async def test_a_stop_without_a_thread_for_the_last_head_is_a_stop(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    place = Place(tmp_path)
    with journal_at(place) as journal:
        runtime = runtime_at(place, journal, Outside(boot_id=lambda: "boot-1", aside=at_once))
        mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
        assert runtime.sealing.last() is None
        await runtime.fleet.close()
    assert "the journal's end is not signed: no thread can be started" in caplog.text


async def test_bets_that_are_taken_back_end_the_round_once_more(
    tmp_path: Path, mocker: MockerFixture, slow: Slow
) -> None:
    """A head follows each time, and one for each."""
    async with starting(Place(tmp_path), slow) as runtime:
        sealed = mocker.spy(runtime.sealing, "seal")
        await turns(2)
        sealed.reset_mock()
        course = runtime.owner.table.course
        course.round_number = 1
        for phase in (ENDED, BETTING, ENDED, ENDED, BETTING, ENDED):
            course.phase = phase
            runtime.sealing._committed()
            await runtime.owner.settled()
            await turns(2)
        assert sealed.call_count == 3
        while slow.waiting:
            slow.go()
