"""A round out of the stored entries, as the table's own page for a dispute has it.

The entries are played by the table's own code from the last snapshot before the round on, no
further than they decide anything of it. A card that lies face down is not told
(:mod:`controller.replay.course.recording`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from controller import ENGINE_VERSION
from controller.journal.export import read_line
from controller.replay.counted_table import CountedTable
from controller.replay.course.recording import CourseRecorder
from controller.replay.finding import FoundRound
from controller.replay.replay import SNAPSHOT, rounds_from
from controller.table.snapshot import BadSnapshot
from floor.page.asking import PageRow
from floor.store.store import FloorStore

PIECE: Final = 2048
"""Entries that are looked through at once for a snapshot: there is one about as often."""

BEHIND: Final = 1024
"""So many entries behind a round's end decide whether something of it was still changed."""

_MARK: Final = f'"type":"{SNAPSHOT}"'.encode()


class RemovedByAge(Exception):
    """The entries of a round, or those from which it would be played, are not kept any more."""


class RoundFinder:
    """Finds rounds, one at a time: playing takes the processor."""

    def __init__(self, store: FloorStore) -> None:
        self._store = store
        self._one = asyncio.Semaphore(1)

    async def find_round(self, row: PageRow) -> FoundRound | None:
        """The round of that row of facts; None where its entries do not have it.

        Raises:
            RemovedByAge: they were removed.
            StoreFails, AlteredBundle: its entries cannot be read. WrongForm, BadDraft: one of them
                is none.
        """
        origin: str = row["origin"]
        async with self._one:
            counted, after = await self._state_before(origin, row["first"] - 1, row["begins"])
            leaves = await self._leaves(origin, after, row["last"] + BEHIND)
            return await asyncio.to_thread(_round, leaves, counted, row["number"])

    async def _state_before(
        self, origin: str, opened: int, begins: int
    ) -> tuple[CountedTable | None, int]:
        """The state in the last snapshot before that entry, and the snapshot's number; None and 0
        where there is none that can be read."""
        behind = opened
        while behind > begins:
            first = max(begins, behind - PIECE)
            for leaf in reversed(await self._leaves(origin, first, behind)):
                if _MARK in leaf and (found := _loaded(leaf)) is not None:
                    return found
            behind = first
        if begins:
            raise RemovedByAge(
                f"its entries, or the snapshot from which they are played, were removed by age: of"
                f" this journal those before {begins} are not kept (keep_years)"
            )
        return None, 0

    async def _leaves(self, origin: str, first: int, end: int) -> list[bytes]:
        return [leaf async for leaf in self._store.leaves(origin, first, end)]


def _loaded(leaf: bytes) -> tuple[CountedTable, int] | None:
    entry = read_line(leaf)
    if entry.type != SNAPSHOT or entry.body.get("engine") != ENGINE_VERSION:
        return None
    try:
        return CountedTable.load(entry.body), entry.seq
    except BadSnapshot:
        return None


def _round(leaves: Sequence[bytes], counted: CountedTable | None, number: int) -> FoundRound | None:
    recorder = CourseRecorder(number)
    for result in rounds_from(map(read_line, leaves), counted, recorder):
        if result["round"] == number:
            return FoundRound(result, recorder.steps_of(number), recorder.facts(number))
    return None
