"""What is done beside play: work in a thread, of which the loop hears once; garbage, behind the
commits and in a quiet moment; and a log that no storm of messages drowns."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import Callable, Iterator

import pytest
from pytest_mock import MockerFixture

from controller.daemon.log_messages import IN_S, MOST, MOST_KEYS, Throttle
from controller.daemon.outside import in_a_thread
from controller.daemon.quiet_moments import IDLE_S, OLDER_EVERY, WHOLE_S, Collecting
from hil_tests.virtual_time.world import World


class Book(logging.Handler):
    """What is written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


class Log:
    """A logger whose clock the test moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.book = Book()
        self.throttle = Throttle(self.book, lambda: self.now)
        self.logger = logging.Logger("fleet")
        self.logger.addHandler(self.throttle)

    @property
    def lines(self) -> list[str]:
        return self.book.lines


@pytest.fixture
def log() -> Iterator[Log]:
    made = Log()
    yield made
    made.throttle.close()


def test_the_first_few_are_written_and_the_rest_counted(log: Log) -> None:
    for number in range(67):
        log.logger.warning("%s is down: %s", "shoe", f"reason {number}")
    assert len(log.lines) == MOST
    log.now += IN_S
    log.logger.info("table T1")
    assert log.lines[MOST:] == [
        "WARNING fleet: ... 57 more like this within a minute, the last: shoe is down: reason 66",
        "INFO fleet: table T1",
    ]


def test_a_minute_later_it_is_written_again(log: Log) -> None:
    for _ in range(3):
        for _ in range(1000):
            log.logger.error("port fails")
        log.now += IN_S
    assert len(log.lines) == 3 * MOST + 2  # two sums so far
    assert sum("990 more" in line for line in log.lines) == 2


def test_devices_are_counted_by_themselves(log: Log) -> None:
    for _ in range(50):
        log.logger.warning("%s is down: %s", "shoe", "gone")
    log.logger.warning("%s is down: %s", "keypad", "gone")
    assert log.lines[-1] == "WARNING fleet: keypad is down: gone"
    assert len(log.lines) == MOST + 1


def test_what_was_left_out_is_said_at_the_end(log: Log) -> None:
    for _ in range(MOST + 1):
        log.logger.error("noise")
    log.throttle.close()
    assert log.lines[-1] == "WARNING fleet: ... 1 more like this within a minute, the last: noise"


def test_a_storm_of_different_messages_takes_no_memory(log: Log) -> None:
    for number in range(10 * MOST_KEYS):
        log.logger.warning("a client sent %s", f"garbage {number}")
    assert len(log.throttle._counts) <= MOST_KEYS


def test_a_message_that_cannot_be_filled_in_is_counted_too(log: Log) -> None:
    for _ in range(MOST + 2):
        log.logger.error({"not": "text"})
    assert len(log.lines) == MOST


def heard(work: Callable[[], str]) -> str:
    """What the loop was told."""

    async def whole() -> str:
        loop = asyncio.get_running_loop()
        told: asyncio.Future[str] = loop.create_future()
        in_a_thread(loop, work, told.set_result, lambda error: f"lost: {error}")
        return await asyncio.wait_for(told, 20)

    told = asyncio.run(whole())
    for thread in threading.enumerate():
        if thread.name == "aside":
            thread.join(20)
    return told


def test_what_was_done() -> None:
    assert heard(lambda: "done") == "done"


def test_what_failed(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> str:
        raise ValueError("unforeseen")

    assert heard(fail) == "lost: unforeseen"
    assert "unforeseen" in caplog.text


def test_what_could_not_begin(mocker: MockerFixture) -> None:
    mocker.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread"))
    assert "no thread can be started" in heard(lambda: "never")


class Commits:
    """What :class:`Collecting` uses of an owner; the test commits."""

    def __init__(self) -> None:
        self.submitted = 0
        self.all_durable = True
        self.watchers: list[Callable[[], None]] = []

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        self.watchers.append(changed)
        return lambda: self.watchers.remove(changed)

    def commit(self) -> None:
        self.submitted += 1
        for changed in tuple(self.watchers):
            changed()


@pytest.fixture
def looks() -> Iterator[list[int]]:
    """The generations that were looked at, by anybody."""
    found: list[int] = []

    def note(phase: str, facts: dict[str, int]) -> None:
        if phase == "start":
            found.append(facts["generation"])

    gc.callbacks.append(note)
    gc.disable()  # but for those who ask for it
    yield found
    gc.enable()
    gc.callbacks.remove(note)
    gc.unfreeze()


def test_young_objects_behind_every_commit_and_all_in_a_quiet_moment(looks: list[int]) -> None:
    world, owner = World(), Commits()
    collecting = Collecting(owner, world.outer)  # type: ignore[arg-type]
    collecting.begin_collecting()
    assert looks == [2]
    assert gc.get_freeze_count() > 1000
    looks.clear()
    for _ in range(2 * OLDER_EVERY):
        owner.commit()
    assert looks == 2 * [*[0] * (OLDER_EVERY - 1), 1]
    looks.clear()
    # A table that is busy is left in peace, however long it is.
    for _ in range(int((WHOLE_S + 10) / IDLE_S)):
        world.run_for(IDLE_S / 2)
        owner.commit()
        world.run_for(IDLE_S / 2)
    assert 2 not in looks
    owner.all_durable = False
    world.run_for(10 * IDLE_S)
    assert 2 not in looks
    owner.all_durable = True
    world.run_for(2 * IDLE_S)
    assert looks.count(2) == 1
    world.run_for(WHOLE_S)
    assert looks.count(2) == 2
    collecting.close()
    assert not owner.watchers
    world.run_for(10 * WHOLE_S)
    assert looks.count(2) == 2
