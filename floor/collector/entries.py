"""``add-entries``: uploads read within bounds, and how they end (C2SP tlog-mirror).

- Behind its origin nothing is read of an upload of a log that is not known. Then it has a place
  (:mod:`~floor.collector.places`): no signature is needed to begin one.
- The head, and each package, have so long as a body is allowed.
- What comes behind the last package that is proven counts for nothing, however the body ends.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from floor.collector.answers import FloorAnswer
from floor.collector.bodies import RequestBody
from floor.collector.keys import Cosigner
from floor.collector.known import KnownLogs
from floor.collector.metrics import CollectorMetrics
from floor.collector.places import UploadPlace, UploadPlaces, too_many
from floor.collector.uploads import Upload
from floor.configuration import FloorSettings
from floor.protocol.judging import nothing_came, unknown
from floor.protocol.packages import EntryPackage
from floor.protocol.refusals import MIRROR_INFO
from floor.protocol.uploads import UploadReader
from floor.store.store import FloorStore
from floor.tables import KnownLog

ACCEPTED: Final = 202


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
        self._places = UploadPlaces()

    async def take_entries(self, body: RequestBody) -> FloorAnswer:
        """The answer.

        Raises:
            Refusal: nothing, or not all of it, is taken. StoreFails.
        """
        reader = UploadReader()
        async with aclosing(body.pieces()) as pieces:
            found = await self._head(reader, pieces)
            if reader.head is None:
                raise nothing_came("the body ended within its head")
            log = self._known(reader.head.origin)
            with self._places.place(log.origin, body) as place:
                upload = await Upload.from_head(self._store, self._settings, log, reader.head)
                if upload.begins():
                    await self._packages(upload, reader, found, place, pieces)
                if place.ended and not upload.packages:
                    raise too_many(log.origin)
                return await self._answer(upload, reader.wrong)

    async def _head(self, reader: UploadReader, pieces: AsyncIterator[bytes]) -> list[EntryPackage]:
        """Read until the head is there; the packages that came with it.

        Raises:
            Refusal: 404, the log is not known.
        """
        async for piece in pieces:
            found = reader.feed(piece)
            if reader.origin is not None:
                self._known(reader.origin)
            if reader.head is not None:
                return found
        return []

    def _known(self, origin: str) -> KnownLog:
        if (log := self._logs.get(origin)) is None:
            raise unknown(origin)
        return log

    async def _packages(
        self,
        upload: Upload,
        reader: UploadReader,
        found: list[EntryPackage],
        place: UploadPlace,
        pieces: AsyncIterator[bytes],
    ) -> None:
        """Store what was found and what comes, until nothing is left to upload or the body ends."""
        while True:
            for package in found:
                if stored := await upload.store_package(package):
                    self._metrics.stored(stored)
                    self._places.stored(place)
                place.body.allow()
            if upload.next_entry >= upload.head.end or reader.wrong:
                return
            self._places.hold(place, reader.held)
            piece = await anext(pieces, b"")
            if not piece or not self._places.hold(place, reader.held + len(piece)):
                return
            found = reader.feed(piece)

    async def _answer(self, upload: Upload, wrong: str) -> FloorAnswer:
        if upload.next_entry >= upload.head.end:
            return FloorAnswer(await upload.cosigned(self._mirror))
        if upload.packages:
            return FloorAnswer(upload.progress.as_body(upload.head.end), ACCEPTED, MIRROR_INFO)
        raise nothing_came(wrong)
