"""``add-entries``: uploads read within bounds, and how they end (C2SP tlog-mirror).

The rules:

- Behind its origin nothing is read of an upload of a log that is not known. Then it has a place. No
  signature is needed to begin one, so that whoever comes late takes the place of whoever brings
  nothing.
- The head, and each package, have so long as a body is allowed.
- What comes behind the last package that is proven counts for nothing, however the body ends.
- At most :data:`OF_ONE_LOG` uploads of a log, and :data:`ALL`, are read at a time.
- What has come of a package that is not stored yet is held: :data:`OWN` bytes by each upload, and
  :data:`SHARED` by all together beyond that. Packages of play have a tenth of :data:`OWN`.
- Where there is no room, an upload is ended: first those of which nothing was stored, then those of
  which nothing was for :data:`STALLED_S`; the oldest first. One that finds none to end is ended
  itself. What was proven of it counts."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing, contextmanager
from typing import Final

from floor.collector.bodies import RequestBody
from floor.collector.keys import Cosigner
from floor.collector.known import KnownLogs
from floor.collector.metrics import CollectorMetrics
from floor.collector.uploads import Upload
from floor.configuration import FloorSettings
from floor.protocol.answers import BUSY, MIRROR_INFO, FloorAnswer, Refusal
from floor.protocol.judging import nothing_came, unknown
from floor.protocol.packages import EntryPackage
from floor.protocol.uploads import UploadReader
from floor.store.store import FloorStore
from floor.tables import KnownLog

OF_ONE_LOG: Final = 4
ALL: Final = 64
OWN: Final = 1 << 19
SHARED: Final = 1 << 26
STALLED_S: Final = 2.0


class UploadPlace:
    """The place of one upload of the log ``origin``, whose ``body`` is read. ``since`` is when it
    began, or when something of it was ``stored`` last; ``held`` are bytes. Once it is ``ended``
    nothing more is read."""

    def __init__(self, origin: str, body: RequestBody, now: float) -> None:
        self.origin, self.body, self.since = origin, body, now
        self.stored = self.ended = False
        self.held = 0

    @property
    def shared(self) -> int:
        """What it holds of the room that all share."""
        return max(0, self.held - OWN)


class UploadPlaces:
    """All places of a collector; ``now`` gives monotonic seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._taken: set[UploadPlace] = set()

    @contextmanager
    def place(self, origin: str, body: RequestBody) -> Iterator[UploadPlace]:
        """A place for as long as the block lasts.

        Raises:
            Refusal: 503, there is none.
        """
        of_log = [one for one in self._taken if one.origin == origin]
        if len(of_log) >= OF_ONE_LOG and not self._end_one(of_log):
            raise too_many(origin)
        if len(self._taken) >= ALL and not self._end_one(self._taken):
            raise too_many(origin)
        place = UploadPlace(origin, body, self._now())
        self._taken.add(place)
        try:
            yield place
        finally:
            self._taken.discard(place)

    def hold(self, place: UploadPlace, held: int) -> bool:
        """The upload holds so many bytes from now on; False: it is ended."""
        place.held = held
        while not place.ended and place.shared and self._shared() > SHARED:
            # What is being stored has its memory until it is.
            others = [one for one in self._taken if one.shared and one.body.waits]
            place.ended = not self._end_one(others)
        return not place.ended

    def stored(self, place: UploadPlace) -> None:
        """Something of it was stored."""
        place.stored, place.since = True, self._now()

    def _shared(self) -> int:
        return sum(one.shared for one in self._taken)

    def _end_one(self, among: Iterable[UploadPlace]) -> bool:
        """Take the place of one of them; False: all go on."""
        stalled = self._now() - STALLED_S
        found = [one for one in among if not one.stored or one.since <= stalled]
        if not found:
            return False
        slowest = min(found, key=lambda one: (one.stored, one.since))
        slowest.ended = True
        slowest.body.cut()
        self._taken.discard(slowest)
        return True


def too_many(origin: str) -> Refusal:
    """The answer where there is no place."""
    return Refusal(BUSY, f"too many uploads at a time: send {origin}'s again")


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
