"""Rounds out of the journal of a running table, for supervisors at the control socket.

The rules:

- A round is looked for in a thread of its own, one at a time: from the last snapshot before it the
  journal is replayed, some two thousand entries.
- The thread works in slices of about :data:`SLICE_S` and rests :data:`REST` times as long after
  each, so that no answer to a device is delayed.
- A search ends after :data:`WITHIN_S`: a journal without snapshots of this version may have years
  to be replayed. The file is then to be read by ``tablectl`` itself.
- What is told is committed: it is read from the file.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.control.asking import ask_in_thread
from controller.control.handler import BadCommand, Refusal
from controller.journal.errors import JournalError
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.finding import (
    CannotReplay,
    NoSuchRound,
    SearchEnded,
    find_round,
    round_named,
)
from controller.round.result_fields import RoundResult

SLICE_S: Final = 0.002
REST: Final = 4
"""It takes a fifth of one processor while it searches."""

WITHIN_S: Final = 10.0
LATE_S: Final = 1.0
"""A search that does not end by itself so long after (a disk that hangs) is not waited for.
Together less than clients wait for an answer."""


class PlayedRounds:
    """Does what :class:`controller.control.rounds.Rounds` promises, for the journal in
    ``directory``."""

    def __init__(self, directory: Path, within_s: float = WITHIN_S) -> None:
        self._directory = directory
        self._within_s = within_s
        self._one_at_a_time = asyncio.Lock()
        self._ended = threading.Event()
        self._searching: threading.Thread | None = None

    async def round(self, number: str) -> RoundResult:
        """See :class:`controller.control.rounds.Rounds`."""
        until = time.monotonic() + self._within_s
        try:
            which = round_named(number)
            async with asyncio.timeout(self._within_s + LATE_S):
                await self._one_at_a_time.acquire()
                return await self._search(which, until)
        except NoSuchRound as error:
            raise BadCommand(str(error)) from error
        except TimeoutError:
            raise Refusal("another round is still looked for: ask again later") from None
        except (CannotReplay, SearchEnded, JournalError, sqlite3.Error, OSError) as error:
            raise Refusal(str(error)) from error

    def _search(self, number: int | None, until: float) -> asyncio.Future[RoundResult]:
        """Have a thread look for it. The next one may begin when that has ended, even if nobody
        waits for its answer any more."""
        try:
            self._searching, answered = ask_in_thread(
                lambda: self._answer(number, until), "round", self._one_at_a_time.release
            )
        except RuntimeError as error:  # no room for one more
            self._one_at_a_time.release()
            raise Refusal(str(error)) from error
        return answered

    def _answer(self, number: int | None, until: float) -> RoundResult:
        with JournalReader(self._directory) as reader:
            return find_round(reader, number, _Paced(self._ended, until))

    def end(self) -> None:
        """Have the search in progress end."""
        self._ended.set()

    def join(self, until: float) -> None:
        """Wait for its end until then, in seconds of the monotonic clock; one that hangs in a dead
        disk is left to the end of the process."""
        if self._searching is not None:
            self._searching.join(max(0.0, until - time.monotonic()))


class _Paced:
    """Passes a journal's entries on, with rests before them, until it is ended or too late."""

    def __init__(self, ended: threading.Event, until: float) -> None:
        self._ended = ended
        self._until = until
        self._begun = time.monotonic()

    def __call__(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._rest()
            yield entry

    def _rest(self) -> None:
        worked = time.monotonic() - self._begun
        if worked >= SLICE_S:
            self._ended.wait(REST * worked)
            self._begun = time.monotonic()
        if self._ended.is_set():
            raise SearchEnded("the controller stops")
        if self._begun > self._until:
            raise SearchEnded(
                "finding it takes too long: 'tablectl round show --state DIRECTORY', as root, "
                "reads the journal itself"
            )
