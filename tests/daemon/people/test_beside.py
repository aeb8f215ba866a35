"""Work beside the loop: in turns, within a time, and never in anybody's way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from controller.control.handler import Unavailable
from controller.daemon.people.desk import OF_ALL, OF_ONE, WorkInTurns


class Gate:
    """Work that goes on when it is let; ``inside`` is how many are at it."""

    def __init__(self) -> None:
        self.opens = threading.Event()
        self.inside = 0
        self.most = 0
        self._lock = threading.Lock()

    def work(self) -> str:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.opens.wait()
        with self._lock:
            self.inside -= 1
        return "done"


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.opens.set()


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 20))


async def until_idle(doing: WorkInTurns) -> None:
    while doing._held:
        await asyncio.sleep(0.001)


def test_one_user_keeps_one_busy_and_all_together_two(gate: Gate) -> None:
    async def scenario() -> None:
        doing = WorkInTurns()
        waiting = [
            asyncio.create_task(doing.do_in_turn(uid, gate.work)) for uid in (1, 1, 1, 2, 2, 3)
        ]
        while gate.inside < OF_ALL:
            await asyncio.sleep(0.001)  # the loop turns meanwhile
        assert doing._held == {1: OF_ONE, 2: OF_ONE}
        gate.opens.set()
        assert await asyncio.gather(*waiting) == ["done"] * 6
        assert gate.most == OF_ALL
        assert not doing._held

    run(scenario())


def test_whatever_it_raises_is_told_and_gives_the_turn_back() -> None:
    async def scenario() -> None:
        doing = WorkInTurns()
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await doing.do_in_turn(1, lambda: 1 // 0)
        assert not doing._held

    run(scenario())


def test_what_hangs_is_not_waited_for_and_keeps_its_turn(gate: Gate) -> None:
    async def scenario() -> None:
        doing = WorkInTurns(within_s=0.01)
        for _ in range(3):
            with pytest.raises(Unavailable, match="it took too long"):
                await doing.do_in_turn(1, gate.work)
        assert doing._held == {1: 1}
        gate.opens.set()
        await until_idle(doing)

    run(scenario())


def test_who_leaves_gives_his_turn_back(gate: Gate) -> None:
    async def scenario() -> None:
        doing = WorkInTurns()
        first, second = (asyncio.create_task(doing.do_in_turn(1, gate.work)) for _ in range(2))
        while not gate.inside:
            await asyncio.sleep(0.001)
        for task in (first, second):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        assert doing._held == {1: 1}
        gate.opens.set()
        await until_idle(doing)
        assert await doing.do_in_turn(1, gate.work) == "done"

    run(scenario())


def test_a_thread_that_cannot_be_started_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def scenario() -> None:
        doing = WorkInTurns()
        with monkeypatch.context() as patched:
            patched.setattr("threading.Thread.start", fail)
            for _ in range(8):
                with pytest.raises(Unavailable, match="can't start new thread"):
                    await doing.do_in_turn(1, lambda: None)
        assert await doing.do_in_turn(1, lambda: "done") == "done"

    run(scenario())
