"""Signed heads whose medium is slow or hangs: nothing waits for it, and it is said."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pytest_mock import MockerFixture

from controller.daemon.journaling import sealing
from controller.daemon.outside import Outside
from controller.table.sequence import BETTING, ENDED
from tests.daemon.house import turns
from tests.daemon.process import Place
from tests.daemon.sealed import at_once, heads, journal_at, play, runtime_at

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


async def test_nothing_waits_for_a_slow_medium_and_the_newest_head_follows(tmp_path: Path) -> None:
    place, slow = Place(tmp_path), Slow()
    with journal_at(place) as journal:
        outside = Outside(boot_id=lambda: "boot-1", aside=slow)
        runtime = runtime_at(place, journal, outside)
        runtime.committer.start()
        await runtime.submit_start()
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
        assert heads(place)[-1].seq == journal.head.seq == runtime.sealing.facts["sealed_to"]
        await runtime.close()
        runtime.committer.close()


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


def test_a_first_start_does_not_wait_for_a_medium_that_hangs(
    tmp_path: Path, go: threading.Event
) -> None:
    place = Place(tmp_path)

    async def run() -> None:
        slow = Slow()
        with journal_at(place) as journal:
            outside = Outside(boot_id=lambda: "boot-1", aside=slow)
            runtime = runtime_at(place, journal, outside)
            runtime.committer.start()
            await runtime.submit_start()
            status = await runtime.handler.status()
            assert status["held"] is None
            assert "its medium does not answer" in status["conditions"]["heads-failing"]
            go.set()
            while slow.waiting:
                slow.go()
            await runtime.close()
            runtime.committer.close()
            last = runtime.sealing.last()
            assert last is not None
            last.join(5.0)
            told: Any = next(iter(journal.iterate())).body["sealing"]
            assert told["heads"] is False  # none is known to be there
            assert heads(place)[-1].seq == journal.head.seq

    with hanging("append_head", go):
        asyncio.run(run())
    told = play(place)
    assert (told["held"], told["conditions"]) == (None, {})


async def test_heads_whose_medium_hangs_during_play_are_told(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch.object(sealing, "HANGS_S", 0.0)
    place, slow = Place(tmp_path), Slow()
    with journal_at(place) as journal:
        outside = Outside(boot_id=lambda: "boot-1", aside=slow)
        runtime = runtime_at(place, journal, outside)
        runtime.committer.start()
        changed = asyncio.Event()
        runtime.owner.subscribe(changed.set)

        async def until(*, failing: bool) -> None:
            while ("heads-failing" in runtime.owner.table.holds.conditions) is not failing:
                changed.clear()
                await asyncio.wait_for(changed.wait(), 20)

        await runtime.submit_start()
        runtime.owner.condition("clock-stepped", "by an hour")
        await until(failing=True)
        said = runtime.owner.table.holds.conditions["heads-failing"]
        assert said.endswith("heads.jsonl: its medium does not answer")
        assert len(slow.waiting) == 1  # it is not asked again before it has answered
        slow.go()
        await until(failing=False)
        await runtime.close()
        while slow.waiting:
            slow.go()
        runtime.committer.close()


async def test_without_a_thread_as_a_head_is_due_play_goes_on_and_it_is_told(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """Found in review: the controller ended, as of what it cannot understand."""
    mocker.patch.object(sealing, "RETRY_S", 0.001)
    place = Place(tmp_path)
    with journal_at(place) as journal:
        runtime = runtime_at(place, journal, Outside(boot_id=lambda: "boot-1"))
        unforeseen: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, of: unforeseen.append(of))
        runtime.committer.start()
        changed = asyncio.Event()
        runtime.owner.subscribe(changed.set)

        async def until(*, failing: bool) -> None:
            while ("heads-failing" in runtime.owner.table.holds.conditions) is not failing:
                changed.clear()
                await asyncio.wait_for(changed.wait(), 20)

        await runtime.submit_start()
        while runtime.sealing.facts["sealed_to"] is None:
            await asyncio.sleep(0)
        start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new"))
        runtime.owner.condition("clock-stepped", "by an hour")
        await runtime.owner.settled()
        runtime.sealing.seal()
        await until(failing=True)
        said = runtime.owner.table.holds.conditions["heads-failing"]
        assert "heads.jsonl: no thread can be started" in said
        mocker.stop(start)
        await until(failing=False)
        await runtime.close()
        runtime.committer.close()
        last = runtime.sealing.last()
        assert last is not None
        last.join(20)
        assert unforeseen == []


def test_a_stop_without_a_thread_for_the_last_head_is_a_stop(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    place = Place(tmp_path)

    async def run() -> None:
        with journal_at(place) as journal:
            runtime = runtime_at(place, journal, Outside(boot_id=lambda: "boot-1", aside=at_once))
            mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
            assert runtime.sealing.last() is None
            await runtime.fleet.close()

    asyncio.run(run())
    assert "the journal's end is not signed: no thread can be started" in caplog.text


async def test_bets_that_are_taken_back_end_the_round_once_more(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """A head follows each time, and one for each."""
    place, slow = Place(tmp_path), Slow()
    with journal_at(place) as journal:
        runtime = runtime_at(place, journal, Outside(boot_id=lambda: "boot-1", aside=slow))
        runtime.committer.start()
        await runtime.submit_start()
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
        await runtime.close()
        while slow.waiting:
            slow.go()
        runtime.committer.close()
