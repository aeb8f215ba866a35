"""A question that may take for ever, asked for many who may not wait.

The rules:

- There is one question at a time, in a thread of its own. Whoever looks meanwhile waits for that
  one, and no longer than ``wait_s`` from its beginning: then there is no answer. Nor is there
  where no thread is to be had.
- An answer is shown for ``fresh_s`` and never after that; no other question is asked in that time,
  however many look.
- One that was answered late is shown from then on: it is as new as any.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from controller.threads import NoThread, start_work

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Question(Generic[T]):
    """``ask`` answers; if it raises after all, nobody gets an answer. Times are in seconds, ``now``
    is monotonic. ``late`` counts the questions that were not answered within ``wait_s``."""

    def __init__(
        self,
        ask: Callable[[], T],
        wait_s: float,
        fresh_s: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._wait_s = wait_s
        self._fresh_s = fresh_s
        self._now = now
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._begun = 0.0
        self._told_late = False
        self._answer: tuple[float, T | None] | None = None
        self.late = 0

    def begin(self) -> None:
        """Ask, unless there is a fresh answer, or the question is asked already."""
        with self._changed:
            if self._is_fresh or self._thread is not None:
                return
            self._begun, self._told_late = self._now(), False
            try:
                self._thread = start_work(lambda: (self._ask(),), self._take, "question")
            except NoThread as error:  # it is not under way, and the next who looks asks again
                _log.warning("nobody could be asked: %s", error.strerror)

    def look(self) -> T | None:
        """A fresh answer; None where there is none in time."""
        self.begin()
        with self._changed:
            left = self._begun + self._wait_s - self._now()
            self._changed.wait_for(lambda: self._thread is None, max(0.0, left))
            if self._thread is not None and not self._told_late:
                self._told_late = True
                self.late += 1
            return self._answer[1] if self._answer and self._is_fresh else None

    def end(self, within_s: float) -> None:
        """Wait for a question that is under way, which somebody has made return."""
        with self._changed:
            thread = self._thread
        if thread is not None:
            thread.join(within_s)

    @property
    def _is_fresh(self) -> bool:
        return self._answer is not None and self._now() - self._answer[0] < self._fresh_s

    def _take(self, came: tuple[T] | Exception) -> None:
        """The answer, which may be an exception itself, or that by which the question failed."""
        answer = None
        if isinstance(came, Exception):
            _log.error("a question failed", exc_info=came)
        else:
            (answer,) = came
        with self._changed:
            self._answer = self._now(), answer
            self._thread = None
            self._changed.notify_all()
