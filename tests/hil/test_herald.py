"""The process that tells uevents is forked when no other thread can have anything locked."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Iterator

import pytest
from pytest_mock import MockerFixture

from hil_tests.usb import herald


class Bed:
    """As much of a test bed as telling needs."""

    def uevent(self, path: str, action: str) -> None:
        """Tell nobody."""


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def beside(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_a_thread_at_work_is_waited_for(pipe: tuple[int, int], mocker: MockerFixture) -> None:
    mocker.patch.object(herald, "IDLE_S", 0.05)
    thread = beside(lambda: os.read(pipe[0], 1))
    with pytest.raises(herald.HeraldError, match=f"threads {thread.native_id} are still at work"):
        herald.Herald(Bed())
    os.write(pipe[1], b"\0")
    thread.join()


# Python 3.12 warns of every fork beside a thread; that this one is harmless is what is shown.
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_thread_that_polls_is_not(pipe: tuple[int, int]) -> None:
    poll = select.poll()
    poll.register(pipe[0], select.POLLIN)
    thread = beside(poll.poll)
    one = herald.Herald(Bed())
    one.remove("/sys/devices/unit")
    one.close()
    os.write(pipe[1], b"\0")
    thread.join()


def test_a_herald_that_says_nothing_is_named(mocker: MockerFixture) -> None:
    mocker.patch.object(herald, "TOLD_S", 0.05)
    mocker.patch.object(herald, "_serve", side_effect=lambda *_: os._exit(0))
    one = herald.Herald(Bed())
    with pytest.raises(herald.HeraldError, match="remove of /sys/devices/unit was not told"):
        one.remove("/sys/devices/unit")
    one.close()
