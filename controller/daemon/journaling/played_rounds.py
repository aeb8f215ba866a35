"""Rounds and shifts out of the journal of a running table, for supervisors at the control socket.

The rules:

- A round is looked for in a thread of its own, one at a time: from the last snapshot before it the
  journal is replayed, some two thousand entries. A shift, or a day, is replayed whole, from closed
  journals below the state directory too.
- The thread works in slices of about :data:`SLICE_S` and rests :data:`REST` times as long after
  each, so that no answer to a device is delayed.
- A search ends after :data:`WITHIN_S`, of a shift after :data:`SHIFT_WITHIN_S`: a journal without
  snapshots of this version may have years to be replayed. The file is then to be read by
  ``tablectl`` itself.
- A course is made while its round is replayed. A proof is by the newest checkpoint there is then,
  as ``tablectl journal prove`` has it.
- What is told is committed: it is read from the file.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from controller.control.handler import BadCommand, RequestRefused, Unavailable
from controller.counters.report import SpanReport
from controller.evidence.proof import Prover, newest_checkpoint
from controller.forms.json_values import JsonObject
from controller.game.round.result_fields import RoundResult
from controller.journal.errors import JournalError
from controller.journal.keys import PublicKey
from controller.journal.reader import ARCHIVE, JournalReader, older
from controller.local_time import ZoneUnknown
from controller.not_done import NotDone
from controller.replay.finding import (
    CannotReplay,
    NoSuchRound,
    SearchEnded,
    SearchPace,
    find_course,
    find_round,
    round_named,
)
from controller.replay.journal_chain import TakenAway
from controller.replay.shift_reports import NoSuchSpan, find_report, wanted_by
from controller.threads import ask_in_thread

T = TypeVar("T")

_log = logging.getLogger(__name__)

SLICE_S: Final = 0.002
REST: Final = 4
"""It takes a fifth of one processor while it searches."""

WITHIN_S: Final = 10.0
SHIFT_WITHIN_S: Final = 60.0
LATE_S: Final = 1.0
"""A search that does not end by itself so long after (a disk that hangs) is not waited for.
Together less than clients wait for an answer."""

Find: TypeAlias = Callable[[JournalReader, SearchPace], T]
_NOT_LOOKED_UP: Final = (
    *(CannotReplay, SearchEnded, ZoneUnknown),
    *(JournalError, sqlite3.Error, OSError),
)


class PlayedRounds:
    """By the journal in ``directory``; proofs by ``heads``, file and keys of signed heads."""

    def __init__(
        self, directory: Path, heads: tuple[Path, Sequence[PublicKey]] | None = None
    ) -> None:
        self._directory = directory
        self._heads = heads
        self._one_at_a_time = asyncio.Lock()
        self._ended = threading.Event()
        self._searching: threading.Thread | None = None

    async def round(self, number: str) -> RoundResult:
        """A round as ``tablectl round show --json`` prints it; ``number`` may be ``last``.
        RequestRefused: not now. BadCommand: there is no such round."""
        return await self.search(
            lambda reader, pace: find_round(reader, round_named(number), pace),
            WITHIN_S,
            "round show",
            lambda: round_named(number),
        )

    async def course(self, number: str) -> JsonObject:
        """As ``round show --json --course`` prints it, with the ``facts`` under which it was
        played; of closed journals, too. Errors as for :meth:`round`."""

        def find_as_json(reader: JournalReader, pace: SearchPace) -> JsonObject:
            return find_course(reader, round_named(number), list, told=True, pace=pace).as_json()

        command = "round show --course --json"
        return await self.search(find_as_json, WITHIN_S, command, lambda: round_named(number))

    async def proof(self, number: str) -> JsonObject:
        """The ``proof`` of a finished round, as ``tablectl journal prove`` writes it.
        RequestRefused: it is not to be proven, or not yet. BadCommand: it names no round."""
        if (heads := self._heads) is None:
            raise Unavailable("this controller signs no journal", "no-journal")

        def prove(reader: JournalReader, pace: SearchPace) -> JsonObject:
            with older(reader, *self._closed()) as (before, _):
                newest = newest_checkpoint(*heads)
                prover = Prover([*before, reader], newest, False, _log.warning, pace)
                return {"proof": prover.round(number)}

        try:
            return await self.search(prove, WITHIN_S, "journal prove")
        except NotDone as error:
            raise RequestRefused(str(error), code="cannot-be-proven") from error

    async def shift(self, which: str) -> SpanReport:
        """As ``tablectl shift report --json`` prints it: ``present``, a number, or a gaming day as
        2026-11-26. RequestRefused: not now, or taken away. BadCommand: there is no such one."""
        try:
            return await self.search(
                lambda reader, pace: find_report(reader, self._closed, wanted_by(which), pace=pace),
                SHIFT_WITHIN_S,
                "shift report",
                lambda: wanted_by(which),
            )
        except TakenAway as error:
            raise RequestRefused(str(error), code="taken-away") from error

    def _closed(self) -> list[Path]:
        archive = self._directory / ARCHIVE
        return [archive] if archive.is_dir() else []

    async def search(
        self, find: Find[T], within_s: float, command: str, check: Callable[[], object] = tuple
    ) -> T:
        """Have it looked for, one thing at a time. RequestRefused: not now, when ``command`` reads
        the file instead; BadCommand: there is none, or by ``check`` there can be none."""
        until = time.monotonic() + within_s
        try:
            check()
            async with asyncio.timeout(within_s + LATE_S):
                await self._one_at_a_time.acquire()
                return await self._begin_search(find, _Paced(self._ended, until, command))
        except TimeoutError:
            raise RequestRefused(
                "another round is still looked for: ask again later", code="search-under-way"
            ) from None
        except NoSuchRound as error:
            raise BadCommand(str(error), "no-such-round") from error
        except NoSuchSpan as error:
            raise BadCommand(str(error), "no-such-shift") from error
        except _NOT_LOOKED_UP as error:
            raise RequestRefused(str(error), code="cannot-be-looked-up") from error

    def _begin_search(self, find: Find[T], pace: SearchPace) -> asyncio.Future[T]:
        """The next may begin when this thread has ended, even if nobody waits for its answer."""

        def answer() -> T:
            with JournalReader(self._directory) as reader:
                return find(reader, pace)

        self._searching, answered = ask_in_thread(answer, "round", self._one_at_a_time.release)
        return answered

    def stop(self) -> None:
        """Have the search in progress end."""
        self._ended.set()

    def join(self, until: float) -> None:
        """Wait for its end until then (monotonic); one in a dead disk is left to its process."""
        if self._searching is not None:
            self._searching.join(max(0.0, until - time.monotonic()))


class _Paced:
    """Passes a search's steps on with rests; ``command`` does it as root without a controller."""

    def __init__(self, ended: threading.Event, until: float, command: str) -> None:
        self._ended = ended
        self._until = until
        self._command = command
        self._begun = time.monotonic()

    def __call__(self, steps: Iterator[T], /) -> Iterator[T]:
        for step in steps:
            self._rest()
            yield step

    def _rest(self) -> None:
        worked = time.monotonic() - self._begun
        if worked >= SLICE_S:
            self._ended.wait(REST * worked)
            self._begun = time.monotonic()
        if self._ended.is_set():
            raise SearchEnded("the controller stops")
        if self._begun > self._until:
            raise SearchEnded(
                f"finding it takes too long: 'tablectl {self._command} --state DIRECTORY', as "
                "root, reads the journal itself"
            )
