"""``add-entries``: uploads read within bounds, and how they end (C2SP tlog-mirror).

- At most :data:`OF_ONE_LOG` uploads of a log, and :data:`ALL`, are read at a time: no signature is
  needed to begin one. The head, and each package, have so long as a body is allowed.
- What comes behind the last package that is proven counts for nothing, however the body ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from typing import Final

from floor.collector.answers import FloorAnswer
from floor.collector.bodies import RequestBody
from floor.collector.keys import Cosigner
from floor.collector.known import KnownLogs
from floor.collector.metrics import CollectorMetrics
from floor.collector.uploads import Upload
from floor.configuration import FloorSettings
from floor.protocol.judging import nothing_came, unknown
from floor.protocol.packages import EntryPackage
from floor.protocol.refusals import MIRROR_INFO, Refusal
from floor.protocol.uploads import UploadReader
from floor.store.store import FloorStore

OF_ONE_LOG: Final = 4
ALL: Final = 64
ACCEPTED: Final = 202
BUSY: Final = 503


class EntryTaker:
    """Takes entries for the mirror, and cosigns by its key."""

    def __init__(
        self,
        store: FloorStore,
        settings: FloorSettings,
        logs: KnownLogs,
        metrics: CollectorMetrics,
        mirror: Cosigner,
    ) -> None:
        self._store = store
        self._settings = settings
        self._logs = logs
        self._metrics = metrics
        self._mirror = mirror
        self._going: Counter[str] = Counter()

    async def take(self, body: RequestBody) -> FloorAnswer:
        """The answer.

        Raises:
            Refusal: nothing, or not all of it, is taken. StoreFails.
        """
        reader = UploadReader()
        async with aclosing(body.pieces()) as pieces:
            found = await _head(reader, pieces)
            if reader.head is None:
                raise nothing_came("the body ended within its head")
            if (log := self._logs.get(reader.head.origin)) is None:
                raise unknown(reader.head.origin)
            with self._place(log.origin):
                upload = await Upload.of(self._store, self._settings, log, reader.head)
                if upload.begins():
                    await self._packages(upload, reader, found, body, pieces)
                return await self._answer(upload, reader.wrong)

    @contextmanager
    def _place(self, origin: str) -> Iterator[None]:
        """Raises Refusal, 503, where too many uploads are read."""
        if self._going[origin] >= OF_ONE_LOG or self._going.total() >= ALL:
            raise Refusal(BUSY, f"too many uploads at a time: send {origin}'s again")
        self._going[origin] += 1
        try:
            yield
        finally:
            self._going[origin] -= 1
            self._going += Counter()  # forgets who has none

    async def _packages(
        self,
        upload: Upload,
        reader: UploadReader,
        found: list[EntryPackage],
        body: RequestBody,
        pieces: AsyncIterator[bytes],
    ) -> None:
        """Store what was found and what comes, until nothing is left to upload or the body ends."""
        while True:
            for package in found:
                self._metrics.stored(await upload.take(package))
                body.allow()
            if upload.next_entry >= upload.head.end or reader.wrong:
                return
            if not (piece := await anext(pieces, b"")):
                return
            found = reader.feed(piece)

    async def _answer(self, upload: Upload, wrong: str) -> FloorAnswer:
        if upload.next_entry >= upload.head.end:
            return FloorAnswer(await upload.cosigned(self._mirror))
        if upload.packages:
            return FloorAnswer(upload.progress.told(upload.head.end), ACCEPTED, MIRROR_INFO)
        raise nothing_came(wrong)


async def _head(reader: UploadReader, pieces: AsyncIterator[bytes]) -> list[EntryPackage]:
    """Read until the head is there; the packages that came with it."""
    async for piece in pieces:
        found = reader.feed(piece)
        if reader.head is not None:
            return found
    return []
