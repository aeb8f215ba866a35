"""A storm of messages does not drown the log, and what is left out is counted."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from controller.daemon.log_messages import IN_S, MOST, MOST_KEYS, Throttle


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
