"""One upload of entries: what is proven of it is stored, package by package.

The rules:

- Whether it may begin, and whether a package is proven, is judged by what was read last, without a
  lock. The log's row is locked only for a package that is proven; if it has moved meanwhile, the
  package is proven again from where it is, and by a checkpoint that is still known: where the
  database was put back meanwhile, the log may have gone on in another history.
- A package is one transaction. The cosignature is made when the last one is committed, and is
  stored by another.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import date
from typing import Final

from controller.evidence.tree.checkpoint import note_of
from floor.collector.keys import Cosigner
from floor.configuration import FloorSettings
from floor.protocol.answers import UNPROVEN, Refusal
from floor.protocol.judging import MirrorProgress, elsewhere, judge, never_pending
from floor.protocol.packages import (
    BLOCK,
    EntryPackage,
    Frontier,
    ProvenEntries,
    prove_again,
    proven,
)
from floor.protocol.uploads import UploadHead
from floor.store.locked_log import LockedLog
from floor.store.progress import LogProgress
from floor.store.reading import AlteredBundle
from floor.store.store import FloorStore
from floor.tables import KnownLog

UNKNOWN_DAY: Final = date.max


class Upload:
    """Of the entries that ``head`` names. ``packages`` have come; the log stood at ``next_entry``
    when it was read last."""

    def __init__(
        self,
        store: FloorStore,
        settings: FloorSettings,
        log: KnownLog,
        head: UploadHead,
        seen: LogProgress,
    ) -> None:
        self._store = store
        self._settings = settings
        self._log = log
        self.head = head
        self._pending = seen.pending or 0
        self._mirrored = seen.mirrored
        self._asked = seen.asked
        self.next_entry = seen.next_entry
        self._frontier: Frontier = seen.frontier
        self.packages = 0

    @classmethod
    async def from_head(
        cls, store: FloorStore, settings: FloorSettings, log: KnownLog, head: UploadHead
    ) -> Upload:
        """The upload, with what is known of its log.

        Raises:
            Refusal: 422, no checkpoint of it was taken. StoreFails.
        """
        seen = await store.progress(log.origin, head.end)
        if seen is None or seen.pending is None:
            raise never_pending(log.origin)
        return cls(store, settings, log, head, seen)

    @property
    def progress(self) -> MirrorProgress:
        """How far the mirror is, as it was read last."""
        return MirrorProgress(self._pending, self.next_entry, self._mirrored)

    def begins(self) -> bool:
        """Whether packages are to be read; False: nothing is left of it.

        Raises:
            Refusal: 409, it may not begin.
        """
        return not judge(self.head, self.progress, known=self._asked is not None)

    async def store_package(self, package: EntryPackage) -> int:
        """Store what is not stored of the package; how many entries that is.

        Raises:
            Refusal: 422, it is not proven; 409, entries before it are missing. StoreFails.
        """
        if self.next_entry > package.start:
            await self._prove_again(package)
        if self.next_entry >= package.end:
            self.packages += 1
            return 0
        found = self._proven(package, self.next_entry, self._frontier)
        async with self._store.log(self._log.origin, self._log.table) as row:
            if (row.next_entry, row.frontier) != (self.next_entry, [*self._frontier]):
                await self._check_known(row)
                found = self._proven(package, row.next_entry, row.frontier)
            if found.leaves:
                day = self._day_of(found.leaves[0])
                await row.append(found.leaves, [*found.frontier], day)
            self.next_entry, self._frontier = row.next_entry, row.frontier
        self.packages += 1
        return len(found.leaves)

    async def _prove_again(self, package: EntryPackage) -> None:
        """A package of which something is stored: only one that begins within a block is held
        against entries that have to be read."""
        assert self._asked is not None
        block = package.start - package.start % BLOCK
        try:
            stored = self._store.leaves(self._log.origin, block, package.start)
            before = [leaf async for leaf in stored]
        except AlteredBundle as error:
            raise elsewhere(self.progress, self.head.end, str(error)) from error
        if len(before) != package.start - block:  # removed by age
            words = f"entries up to {self.next_entry} are stored"
            raise elsewhere(self.progress, self.head.end, words)
        prove_again(package, before, self.head.end, self._asked[0])

    async def _check_known(self, row: LockedLog) -> None:
        assert self._asked is not None
        known = await row.pending(self.head.end)
        if known is None or known[0] != self._asked[0]:
            now = MirrorProgress(row.standing("mirror")[0], row.next_entry, row.mirrored)
            words = f"the checkpoint for {self.head.end} is known no more"
            raise elsewhere(now, now.pending, words)

    def _proven(self, package: EntryPackage, stored: int, frontier: Frontier) -> ProvenEntries:
        if stored < package.start:  # the database was put back to where it had been
            progress = MirrorProgress(self._pending, stored, self._mirrored)
            raise elsewhere(progress, self.head.end, f"entries from {stored} on are missing")
        assert self._asked is not None
        found = proven(package, stored, frontier, self.head.end, self._asked[0])
        _check_lines(found.leaves)
        return found

    def _day_of(self, leaf: bytes) -> date:
        """The gaming day of an entry; :data:`UNKNOWN_DAY` where it does not tell the time."""
        try:
            wall = json.loads(leaf)["wall"]
        except (ValueError, TypeError, KeyError, RecursionError):
            wall = None
        day = self._settings.day_of(wall) if isinstance(wall, str) else None
        return day or UNKNOWN_DAY

    async def cosigned(self, mirror: Cosigner) -> str:
        """The lines of the mirror's cosignature, where all is stored; it is made, or was before.

        Raises:
            Refusal: 409, another upload has cosigned a later checkpoint. StoreFails.
        """
        return await self._known(mirror) or await self._cosigned(mirror)

    async def _known(self, mirror: Cosigner) -> str:
        if self.head.end != self._mirrored:
            return ""
        text = await self._store.cosigned(self._log.origin, "mirror") or ""
        size = text.split("\n")[1:2]
        return mirror.own(text) if size == [str(self.head.end)] else ""

    async def _cosigned(self, mirror: Cosigner) -> str:
        if self._asked is not None:
            root, text = self._asked[0], mirror.without_own(self._asked[1])
            lines = mirror.cosigns(note_of(text), int(time.time()))
            if await self._store.mirror(self._log.origin, self.head.end, root, text + lines):
                return lines
        now = await Upload.from_head(self._store, self._settings, self._log, self.head)
        words = f"the checkpoint for {self.head.end} is behind, or its entries are missing"
        raise elsewhere(now.progress, now.progress.pending, words)


def _check_lines(leaves: Sequence[bytes]) -> None:
    """Each is a line of an export, without its end."""
    if any(b"\n" in leaf for leaf in leaves):
        raise Refusal(UNPROVEN, "an entry has a newline: it is no line of a journal's export")
