"""Work beside the loop: in turns, within a time, and never in anybody's way; and who is barred:
five wrong PINs in a row bar a person on one user's connections, for a minute and then longer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from controller.control.handler import Unavailable
from controller.daemon.people_desk import LONGEST_S, OF_ALL, OF_ONE, Bars, WorkInTurns

NAMES = st.sampled_from(("Novak", "Ida"))
UIDS = st.sampled_from((0, 7))


def wrong(bars: Bars, times: int, now: float = 0.0, uid: int = 7, name: str = "Novak") -> None:
    for _ in range(times):
        assert not bars.judge(uid, name, now, right=False)


def test_five_bar_for_a_minute_and_then_for_twice_as_long() -> None:
    bars, now = Bars(), 100.0
    for lasts in (60.0, 120.0, 240.0):
        wrong(bars, 5, now)
        for early in (0.0, lasts / 2, lasts - 0.001):
            assert not bars.judge(7, "Novak", now + early, right=True)
        now += lasts
    assert bars.judge(7, "Novak", now, right=True)
    wrong(bars, 5, now)
    assert bars.judge(7, "Novak", now + 60.0, right=True)  # it begins anew behind a right one


def test_it_never_lasts_longer_than_a_day() -> None:
    bars, now = Bars(), 0.0
    for _ in range(40):
        wrong(bars, 5, now)
        now += LONGEST_S
    assert bars.judge(7, "Novak", now, right=True)


class AnyTries(RuleBasedStateMachine):
    """PINs in any order at any times, beside a model that remembers all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.bars, self.now = Bars(), 0.0
        self.tries: dict[tuple[int, str], list[tuple[float, bool]]] = {}

    @rule(seconds=st.sampled_from((0.0, 1.0, 59.0, 60.0, 61.0, 600.0)))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(uid=UIDS, name=NAMES, right=st.booleans())
    def shows(self, uid: int, name: str, right: bool) -> None:
        tries = self.tries.setdefault((uid, name), [])
        assert self.bars.judge(uid, name, self.now, right=right) == self.taken(tries, right)
        tries.append((self.now, right))

    def taken(self, tries: list[tuple[float, bool]], right: bool) -> bool:
        """Whether a PIN is taken now, told from all that came before."""
        wrong, bars, until = 0, 0, 0.0
        for at, was_right in tries:
            if at < until:
                continue
            if was_right:
                wrong = bars = 0
                continue
            wrong += 1
            if wrong % 5 == 0:
                until = at + min(60.0 * 2**bars, LONGEST_S)
                bars += 1
        return right and self.now >= until

    @rule(name=NAMES)
    def has_another_pin(self, name: str) -> None:
        self.bars.forget(name)
        self.tries = {key: tries for key, tries in self.tries.items() if key[1] != name}


def test_any_tries() -> None:
    run_state_machine_as_test(AnyTries)


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


async def until_idle(doing: WorkInTurns) -> None:
    while doing._held:
        await asyncio.sleep(0.001)


async def test_one_user_keeps_one_busy_and_all_together_two(gate: Gate) -> None:
    doing = WorkInTurns()
    waiting = [asyncio.create_task(doing.do_in_turn(uid, gate.work)) for uid in (1, 1, 1, 2, 2, 3)]
    while gate.inside < OF_ALL:
        await asyncio.sleep(0.001)  # the loop turns meanwhile
    assert doing._held == {1: OF_ONE, 2: OF_ONE}
    gate.opens.set()
    assert await asyncio.gather(*waiting) == ["done"] * 6
    assert gate.most == OF_ALL
    assert not doing._held


async def test_whatever_it_raises_is_told_and_gives_the_turn_back() -> None:
    doing = WorkInTurns()
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await doing.do_in_turn(1, lambda: 1 // 0)
    assert not doing._held


async def test_what_hangs_is_not_waited_for_and_keeps_its_turn(gate: Gate) -> None:
    doing = WorkInTurns(within_s=0.01)
    for _ in range(3):
        with pytest.raises(Unavailable, match="it took too long"):
            await doing.do_in_turn(1, gate.work)
    assert doing._held == {1: 1}
    gate.opens.set()
    await until_idle(doing)


async def test_who_leaves_gives_his_turn_back(gate: Gate) -> None:
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


async def test_a_thread_that_cannot_be_started_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    doing = WorkInTurns()
    with monkeypatch.context() as patched:
        patched.setattr("threading.Thread.start", fail)
        for _ in range(8):
            with pytest.raises(Unavailable, match="can't start new thread"):
                await doing.do_in_turn(1, lambda: None)
    assert await doing.do_in_turn(1, lambda: "done") == "done"


def test_another_pin_ends_it_for_him_alone() -> None:
    bars = Bars()
    wrong(bars, 5)
    wrong(bars, 5, name="Ida")
    bars.forget("Novak")
    assert bars.judge(7, "Novak", 0.0, right=True)
    assert not bars.judge(7, "Ida", 0.0, right=True)
