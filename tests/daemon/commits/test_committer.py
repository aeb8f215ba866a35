"""The commit thread: order, batches, and what happens when the disk does not."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon import committer as module
from controller.daemon.committer import Committer
from controller.evidence.verify import verify
from controller.forms.json_values import checked
from controller.journal.errors import CommitFailed
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader
from tests.daemon.house import locked, turns
from tests.journal.helpers import KEY, AnyJournal


class Noting(AnyJournal):
    """A journal that notes how many drafts each commit had."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, KEY, boot_id="boot")
        self.batches: list[int] = []
        self.processors: set[int] = set()
        """Where the last commit was allowed to run."""

    def append(self, drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        self.batches.append(len(drafts))
        self.processors = os.sched_getaffinity(0)
        return super().append(drafts, mono_ns, wall)


class Bench:
    """A committer and what it calls back."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.journal = Noting(state)
        self.failed: list[Exception] = []
        self.done: list[int] = []
        self.batches_told = 0
        self.committer = Committer(self.journal, asyncio.get_running_loop(), self.failed.append)
        self.committer.settled = self._settled
        self.committer.start()

    def _settled(self) -> None:
        self.batches_told += 1

    def submit(self, number: int, text: str = "") -> None:
        draft = Draft("note", {"number": number, "text": text})
        self.committer.submit(draft, lambda _: self.done.append(number))

    async def until(self, count: int) -> None:
        while len(self.done) < count and not self.failed:
            await asyncio.sleep(0)

    def close(self) -> None:
        self.committer.close()
        self.journal.close()


@asynccontextmanager
async def committing(state: Path) -> AsyncIterator[Bench]:
    bench = Bench(state)
    try:
        yield bench
    finally:
        bench.close()


@pytest.fixture
def bench(tmp_path: Path) -> AbstractAsyncContextManager[Bench]:
    return committing(tmp_path / "state")


def numbers(state: Path) -> list[int]:
    with JournalReader(state) as reader:
        assert not verify(reader).findings
        return [checked(int, entry.body["number"]) for entry in reader.iterate()]


async def test_what_one_turn_submits_is_one_commit_called_back_in_order(bench: Bench) -> None:
    for number in range(8):
        bench.submit(number)
    await bench.until(8)
    assert bench.done == list(range(8))
    assert bench.journal.batches == [8]
    assert bench.batches_told == 1


async def test_what_comes_during_a_slow_commit_is_one_commit_after_it(bench: Bench) -> None:
    with locked(bench.state):
        bench.submit(0)
        while not bench.journal.batches:
            await asyncio.sleep(0)
        for number in range(1, 6):
            bench.submit(number)
            await turns(3)
        assert not bench.done
        assert bench.committer.age_s() > 0
    await bench.until(6)
    assert bench.done == list(range(6))
    assert bench.journal.batches == [1, 5]
    bench.close()
    assert numbers(bench.state) == list(range(6))


async def test_the_loop_finds_what_it_has_to_while_the_disk_is_waited_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LINGER_S", 10.0)
    found = threading.Event()
    bench.committer.handed_over = found.set
    told = bench.journal.syncing

    def waits() -> None:
        assert not found.is_set()
        told()
        assert found.wait(10)

    bench.journal.syncing = waits
    bench.submit(1)
    await bench.until(1)
    assert (bench.done, bench.failed) == ([1], [])


def stand_still(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the loop stand still when the thread begins to commit, find what it has to meanwhile,
    and stand still again when the thread is done: it has the floor but for those times."""
    monkeypatch.setattr(module, "LINGER_S", 10.0)
    stands, found, append = bench.committer._floor, threading.Event(), bench.journal.append
    bench.committer.handed_over = found.set

    def waits(drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        with stands:
            pass
        entries = append(drafts, mono_ns, wall)
        assert found.wait(10)
        with stands:
            return entries

    monkeypatch.setattr(bench.journal, "append", waits)


async def test_what_follows_is_called_by_the_thread_where_the_loop_stands_still(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_still(bench, monkeypatch)
    where: list[str] = []

    def note(what: str) -> Callable[..., None]:
        return lambda *_: where.append(f"{what}: {threading.current_thread().name}")

    bench.committer.durable, bench.committer.settled = note("durable"), note("settled")
    bench.committer.submit(Draft("note", {}), note("follows"))
    while len(where) < 3:
        await asyncio.sleep(0)
    assert where == ["follows: commit", "durable: commit", "settled: MainThread"]


async def test_what_follows_in_the_thread_finds_the_loop_as_the_running_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vendor's driver may make a task when it is told to acknowledge."""
    bench, loop = Bench(tmp_path), asyncio.get_running_loop()
    stand_still(bench, monkeypatch)
    sent: asyncio.Queue[str] = asyncio.Queue()
    tasks: list[asyncio.Task[None]] = []

    def acknowledge(_: Entry) -> None:
        assert asyncio.get_running_loop() is loop
        tasks.append(asyncio.create_task(sent.put(threading.current_thread().name)))

    bench.committer.submit(Draft("note", {}), acknowledge)
    assert await asyncio.wait_for(sent.get(), 10) == "commit"
    assert all(task.done() for task in tasks)
    bench.close()


def test_a_loop_in_debug_mode_calls_itself_what_follows(tmp_path: Path) -> None:
    """It lets no other thread call it: the daemon would stop at its first timer."""
    where: list[str] = []

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        async with committing(tmp_path) as bench, asyncio.timeout(20):

            def follows(_: Entry) -> None:
                loop.call_later(0, where.append, threading.current_thread().name)

            for number in range(1, 11):
                bench.committer.submit(Draft("note", {}), follows)
                while len(where) < number:
                    await asyncio.sleep(0)

    asyncio.run(scenario(), debug=True)
    assert set(where) == {"MainThread"}


async def test_what_follows_is_called_by_the_loop_where_that_went_on(bench: Bench) -> None:
    where: list[str] = []
    with locked(bench.state):
        bench.committer.submit(
            Draft("note", {}), lambda _: where.append(threading.current_thread().name)
        )
        await turns(3)
        assert bench.committer.age_s() > module.LINGER_S
    while not where:
        await asyncio.sleep(0)
    assert where == ["MainThread"]


async def test_the_thread_commits_on_the_processor_of_the_loop(tmp_path: Path) -> None:
    started: list[set[int]] = []
    before = os.sched_getaffinity(0)

    def start() -> None:
        """As a vendor's driver may within an acknowledgement."""
        thread = threading.Thread(target=lambda: started.append(os.sched_getaffinity(0)))
        thread.start()
        thread.join()

    async with committing(tmp_path) as bench:
        bench.committer.submit(Draft("note", {}), lambda _: start())
        bench.submit(1)
        await bench.until(1)
        assert len(bench.journal.processors) == 1
    assert started == [before], "what is started behind a commit runs wherever the process may"
    assert os.sched_getaffinity(0) == before


async def test_without_the_right_to_that_it_runs_wherever_it_is_put(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = []

    def refuse(thread: int, processors: set[int]) -> None:
        refused.append((thread, processors))
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    async with committing(tmp_path) as bench:
        for number in range(3):
            bench.submit(number)
            await bench.until(number + 1)
    assert len(refused) == 1


async def test_what_that_raises_in_the_thread_is_raised_in_the_loop(bench: Bench) -> None:
    unforeseen: list[object] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: unforeseen.append(context["exception"])
    )
    error = ValueError("not foreseen")

    def fails(_: Entry) -> None:
        raise error

    bench.committer.submit(Draft("note", {}), fails)
    while not unforeseen:
        await asyncio.sleep(0)
    assert unforeseen == [error]
    assert not bench.failed


async def test_what_follows_may_submit_and_is_not_overtaken(bench: Bench) -> None:
    order: list[str] = []

    def first(_: Entry) -> None:
        order.append("first")
        bench.committer.submit(Draft("note", {"number": 2}), lambda _: order.append("draw"))

    bench.committer.submit(Draft("note", {"number": 1}), first)
    bench.submit(3)
    while len(order) < 2:
        await asyncio.sleep(0)
    assert order == ["first", "draw"]
    assert bench.done == [3]
    bench.close()
    assert numbers(bench.state) == [1, 3, 2]


async def test_after_a_failed_commit_nothing_is_called_and_nothing_written(bench: Bench) -> None:
    bench.submit(1)
    await bench.until(1)
    bench.journal.connection.execute("PRAGMA max_page_count = 1")  # the disk is full
    for number in range(2, 40):
        bench.submit(number, "x" * 4000)
        await turns(1)
    while not bench.failed:
        await asyncio.sleep(0)
    done = list(bench.done)
    bench.submit(99)
    await turns()
    assert bench.done == done
    assert len(bench.failed) == 1
    assert isinstance(bench.failed[0], CommitFailed)
    bench.close()
    assert numbers(bench.state) == done


async def test_closing_commits_what_waits(bench: Bench) -> None:
    for number in range(5):
        bench.submit(number)
    assert bench.committer.close()
    assert bench.committer.close()  # twice does no harm
    assert numbers(bench.state) == list(range(5))


async def test_closing_does_not_wait_for_ever(bench: Bench) -> None:
    with locked(bench.state):
        bench.submit(1)
        await turns(3)
        assert not bench.committer.close(0.01)
    assert bench.committer.close()
    bench.journal.close()


async def test_the_log_is_moved_when_it_has_grown(bench: Bench, mocker: MockerFixture) -> None:
    mocker.patch.object(module, "QUIET_S", 1.0)  # between two of its batches it is not quiet
    count = 0
    for _ in range(12):
        for _ in range(40):
            count += 1
            bench.submit(count, "x" * 2000)
        await bench.until(count)
    assert bench.journal.wal_bytes > module.CHECKPOINT_BYTES
    file = bench.state / "journal.sqlite3"
    while file.stat().st_size < module.CHECKPOINT_BYTES:  # the thread waits for a quiet moment
        await turns(1)


async def test_a_failing_checkpoint_is_told_like_a_failed_commit(
    bench: Bench, mocker: MockerFixture
) -> None:
    mocker.patch("controller.daemon.committer.CHECKPOINT_BYTES", -1)

    def checkpoint() -> None:
        if bench.journal.batches:  # before the first one a quiet moment may have come
            raise OSError("input/output error")

    mocker.patch.object(bench.journal, "checkpoint", checkpoint)
    bench.submit(1)
    while not bench.failed:
        await asyncio.sleep(0)
    assert "input/output error" in str(bench.failed[0])
    assert bench.done == [1]


async def test_closing_tells_of_a_commit_that_fails(bench: Bench) -> None:
    bench.journal.connection.execute("PRAGMA max_page_count = 1")  # the disk is full
    bench.committer.submit(Draft("note", {"text": "x" * 40000}), lambda _: None)
    assert bench.committer.close()
    assert isinstance(bench.failed[0], CommitFailed)
    bench.journal.close()


def _moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def _replaced(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("happens", "suffix", "idle"),
    [
        (Path.unlink, "", True),
        (_moved, "", False),
        (_replaced, "", True),
        (Path.unlink, "-wal", False),
        (_replaced, "-wal", True),
    ],
)
async def test_a_journal_that_was_taken_away_ends_the_table(
    bench: Bench, happens: Callable[[Path], None], suffix: str, idle: bool, mocker: MockerFixture
) -> None:
    """Else play would go on into a file that nobody finds any more."""
    mocker.patch.object(module, "LOOK_S", 0.01)
    bench.submit(1)
    await bench.until(1)
    path = bench.journal.path
    happens(path.with_name(path.name + suffix))
    number = 1
    while not bench.failed:
        if not idle:
            bench.submit(number := number + 1)
        await asyncio.sleep(0)
    assert "was removed or replaced while the table was played" in str(bench.failed[0])
    with pytest.raises(CommitFailed):
        bench.journal.append([Draft("note", {})], 1, "")
    bench.committer.close()
    bench.journal.close()
