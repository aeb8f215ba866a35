"""What a scrape is answered: the controller's status, the night's report, the exporter itself.

The rules:

- A scrape takes ``WAIT_S`` and ``FILE_WAIT_S`` at most, and asks the controller once in ``FRESH_S``
  at most, however many scrape.
- What was not answered now is not told: a controller that does not answer is ``up 0``, and there is
  no old value beside it.
- There is one question at a time, in a thread of its own. Whoever looks meanwhile waits for that
  one, and no longer than ``wait_s`` from its beginning: then there is no answer. Nor is there
  where no thread is to be had. The status and the report have one each.
- An answer is shown for ``fresh_s`` and never after that; no other question is asked in that time,
  however many look. One that was answered late is shown from then on: it is as new as any.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Generic, TypeVar

from controller import __version__
from controller.threads import NoThread, ask
from exporter import catalogue as names
from exporter.metrics import Family, Readings, label
from exporter.nightly import NightFigures, Unreadable, read_report
from exporter.of_links import read_links
from exporter.of_status import kinds_of, read_status
from exporter.talk import OUTCOMES, ControllerAnswer, Talk

T = TypeVar("T")


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

    def start_asking(self) -> None:
        """Ask, unless there is a fresh answer, or the question is asked already."""
        with self._changed:
            if self._is_fresh or self._thread is not None:
                return
            self._begun, self._told_late = self._now(), False
            try:
                self._thread = ask(lambda: (self._ask(),), self._note_answer, "question")
            except NoThread as error:  # it is not under way, and the next who looks asks again
                _log.warning("nobody could be asked: %s", error.strerror)

    def fresh_answer(self) -> T | None:
        """A fresh answer; None where there is none in time."""
        self.start_asking()
        with self._changed:
            left = self._begun + self._wait_s - self._now()
            self._changed.wait_for(lambda: self._thread is None, max(0.0, left))
            if self._thread is not None and not self._told_late:
                self._told_late = True
                self.late += 1
            return self._answer[1] if self._answer and self._is_fresh else None

    def wait_for_end(self, within_s: float) -> None:
        """Wait for a question that is under way, which somebody has made return."""
        with self._changed:
            thread = self._thread
        if thread is not None:
            thread.join(within_s)

    @property
    def _is_fresh(self) -> bool:
        return self._answer is not None and self._now() - self._answer[0] < self._fresh_s

    def _note_answer(self, came: tuple[T] | Exception) -> None:
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


_log = logging.getLogger(__name__)

WAIT_S: Final = 3.0
"""Less than any monitor waits; a controller that is well answers in some milliseconds."""
FILE_WAIT_S: Final = 1.0
FRESH_S: Final = 5.0


class Collector:
    """For the library's registry. ``wall`` gives seconds since 1970, ``now`` monotonic ones."""

    def __init__(
        self,
        talk: Talk,
        nightly: Path,
        *,
        wait_s: float = WAIT_S,
        wall: Callable[[], float] = time.time,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._talk = talk
        self._nightly = nightly
        self._wall = wall
        self._status: Question[ControllerAnswer] = Question(
            talk.ask_controller, wait_s, FRESH_S, now
        )
        self._report: Question[NightFigures | None] = Question(
            self._read_report, FILE_WAIT_S, FRESH_S, now
        )
        self._last_faults: dict[str, str] = {}
        self.writes_failed = 0

    def describe(self) -> list[Family]:
        """Nothing: what there is depends on the controller, and the library need not ask it."""
        return []

    def collect(self) -> Iterator[Family]:
        """The metrics, as they are now."""
        readings = Readings()
        self._status.start_asking()
        self._report.start_asking()
        look = self._status.fresh_answer()
        readings.add(names.UP, look is not None and look.status is not None)
        if look is not None and look.status is not None:
            self._log_faults(read_status(look.status, readings))
            if look.links is not None:
                read_links(look.links, kinds_of(look.status), readings)
        report = self._report.fresh_answer()
        readings.add(names.NIGHTLY_READABLE, report is not None)
        for metric, value in (report or {}).items():
            readings.add(metric, value)
        self._own(readings)
        yield from readings.families(list(names.all_metrics()))

    def close(self, within_s: float = 1.0) -> None:
        """Ask no more; a question that is under way is given up."""
        self._talk.close()
        self._status.wait_for_end(within_s)
        self._report.wait_for_end(within_s)

    def _read_report(self) -> NightFigures | None:
        try:
            return read_report(self._nightly)
        except Unreadable:
            return None

    def _own(self, readings: Readings) -> None:
        readings.add(names.EXPORTER_INFO, 1, __version__)
        readings.add(names.EXPORTER_TIME, self._wall())
        for outcome in OUTCOMES:
            readings.add(names.EXPORTER_QUESTIONS, self._talk.outcomes[outcome], outcome)
        readings.add(names.EXPORTER_QUESTIONS, self._status.late, "late")
        readings.add(names.EXPORTER_CONNECTIONS, self._talk.connections)
        readings.add(names.EXPORTER_WRITES_FAILED, self.writes_failed)

    def _log_faults(self, faults: dict[str, str]) -> None:
        if faults != self._last_faults:
            self._last_faults = faults
            for part, why in faults.items():
                _log.warning("the status cannot be read, %s: %s", part, label(why))
