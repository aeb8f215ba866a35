"""Queries to a medium that may hang: they return its answer, or fail after a time limit.

The rules:

- A call to a medium that does not respond may never return: a network disk whose server is gone, a
  USB stick that resets itself repeatedly. So a question is asked in a thread of its own, which is
  left to itself when the answer is late; neither a start nor the loop waits longer than
  ``ANSWER_S`` for it.
- A medium is not queried again before the last query has returned: one that hangs for days costs
  one thread.
- No answer is an ``OSError``, like an answer that it cannot be read: the caller need not
  distinguish them.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from controller.threads import NoThread, start_work

T = TypeVar("T")

ANSWER_S: Final = 0.1
"""How long anybody waits, in seconds: less than a device does for its acknowledgement. A medium
that is well answers in a hundredth of it."""


class MediumSilent(OSError):
    """The medium has not answered in time, or no thread was to be had that asks it."""


class MediumQuestion(Generic[T]):
    """Asked as soon as it is made; what ``asks`` raises is its answer. ``asked``: in a thread."""

    def __init__(self, asks: Callable[[], T]) -> None:
        self._came: T | Exception
        self._answered = threading.Event()
        self.asked = True
        try:
            start_work(asks, self._take_answer, "medium")
        except NoThread as error:
            self.asked = False
            self._take_answer(MediumSilent(error.errno, error.strerror))

    def _take_answer(self, came: T | Exception) -> None:
        self._came = came
        self._answered.set()

    def answer(self, within_s: float = ANSWER_S) -> T:
        """What the medium answers within that time, or raises; MediumSilent where it does not."""
        if not self._answered.wait(within_s):
            raise MediumSilent(errno.ETIMEDOUT, "it does not answer")
        if isinstance(self._came, Exception):
            raise self._came
        return self._came


class FreeRoom(NamedTuple):
    """What a file system still takes: ``bytes``, and ``files``, None where it knows no limit."""

    bytes: int
    files: int | None = None


def read_room(directory: Path) -> FreeRoom:
    """What may still be written where ``directory`` is; ``OSError`` when it does not say."""
    found = os.statvfs(directory)
    return FreeRoom(found.f_bavail * found.f_frsize, found.f_favail if found.f_files else None)


class Room:
    """How much room there is at a place; ``read`` asks the medium itself."""

    def __init__(self, read: Callable[[Path], FreeRoom] = read_room) -> None:
        self._read = read
        self._owed: dict[Path, MediumQuestion[FreeRoom]] = {}

    def __call__(self, place: Path) -> FreeRoom:
        """What may still be written there, or the late answer that was owed. MediumSilent: it has
        not answered yet; OSError: it cannot be read."""
        owed = self._owed.pop(place, None)
        question = owed or MediumQuestion(lambda: self._read(place))
        try:
            return question.answer(0 if owed else ANSWER_S)
        except MediumSilent:
            if question.asked:  # it may have answered by now: that is the next one's
                self._owed[place] = question
            raise
