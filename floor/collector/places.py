"""Places for uploads that are being read, within bounds of number and memory. No key is needed to
begin one, so that whoever comes late takes the place of whoever brings nothing.

The rules:

- At most :data:`OF_ONE_LOG` uploads of a log, and :data:`ALL`, are read at a time.
- What has come of a package that is not stored yet is held: :data:`OWN` bytes by each upload, and
  :data:`SHARED` by all together beyond that. Packages of play have a tenth of :data:`OWN`.
- Where there is no room, an upload is ended: first those of which nothing was stored, then those of
  which nothing was for :data:`STALLED_S`; the oldest first. One that finds none to end is ended
  itself. What was proven of it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from floor.collector.answers import BUSY
from floor.collector.bodies import RequestBody
from floor.protocol.refusals import Refusal

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
