"""What is done when nobody waits for the controller: snapshots, the journal's closing, and the
garbage collector's work.

**Snapshots**, so that the next start is quick: :mod:`controller.replay.recovery` begins at the last
one. A snapshot is an entry like any other, chained and stored, and has the state by value after the
entry before it. It is written while no round is played, at the first quiet moment after
:data:`EVERY` entries, when everything before it is durable: no answer to a device waits for it.

**The closing of the journal** of a table that runs; such a table has no starts for months. Where it
is due (:mod:`controller.upkeep.due`) and nothing has been stored for ``QUIET_S``, between rounds,
the controller ends in good order and starts itself again, in about a second; that start closes it.
Where it has not, it is not tried again for ``AGAIN_S``. Nor is it while the second copy or the
medium of the heads fails: a thread that hangs in that would keep the program from being started
again.

**The garbage collector.** Python looks for garbage after some hundred new objects, wherever the
program is then: in one card of three that was between the card and its acknowledgement, and took a
tenth of a millisecond of it. So:

- What is there when the table opens stays: it is not looked at again (``gc.freeze``).
- The young objects are looked at behind every commit, when its acknowledgements and commands have
  left. Who waits for an answer at the socket has it a tenth of a millisecond later.
- All others are looked at about once a minute, in a moment in which nothing was submitted for a
  while.
- Python's own thresholds stand, for whatever makes many objects at once.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable
from datetime import datetime
from typing import Final

from controller.configuration.model import Configuration
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.evidence.recorded import FAILING as HEADS_FAILING
from controller.journal.model import Draft
from controller.journal.schema import FILE_NAME
from controller.replay.recovery import snapshot
from controller.replay.replay import SNAPSHOT
from controller.table.snapshot import BadSnapshot
from controller.upkeep.copier import FAILING as COPY_FAILING
from controller.upkeep.due import between_rounds, due

LOOK_S: Final = 60.0
QUIET_S: Final = 300.0
AGAIN_S: Final = 6 * 3600.0

MEDIA_FAILING: Final = frozenset({COPY_FAILING, HEADS_FAILING})

TRIED: Final = "TABLE_CONTROLLER_CLOSING_TRIED"
"""The variable that says to the program when, in seconds of the monotonic clock, it started itself
again for this."""


class Closing:
    """Looks whether the journal is due; ``start_again`` then ends the controller in good order and
    starts it again. ``first`` is when the journal's first entry was written; None: only now."""

    def __init__(
        self,
        config: Configuration,
        owner: Owner,
        outside: Outside,
        loop: asyncio.AbstractEventLoop,
        first: datetime | None,
        start_again: Callable[[], None],
    ) -> None:
        self._config = config
        self._owner = owner
        self._outside = outside
        self._loop = loop
        self._first = first or outside.wall()
        self._start_again = start_again
        self._stored_at = loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Look from now on, if the configuration has it."""
        if not self._config.archive.closes:
            return
        self._unsubscribe = self._owner.subscribe(self._stored)
        tried = _tried_s()
        wait_s = 0.0 if tried is None else tried + AGAIN_S - self._outside.mono_ns() / 1e9
        self._timer = self._loop.call_later(max(LOOK_S, wait_s), self._look_whether_due)

    def close(self) -> None:
        """Look no more."""
        self._unsubscribe()
        self._unsubscribe = lambda: None
        if self._timer is not None:
            self._timer.cancel()

    def _stored(self) -> None:
        self._stored_at = self._loop.time()

    def _look_whether_due(self) -> None:
        self._timer = self._loop.call_later(LOOK_S, self._look_whether_due)
        if (
            self._loop.time() - self._stored_at < QUIET_S
            or not between_rounds(self._owner.counted)
            or not MEDIA_FAILING.isdisjoint(self._owner.table.holds.conditions)
        ):
            return
        try:
            size = (self._config.state_directory / FILE_NAME).stat().st_size
        except OSError:  # whoever writes to it says so
            return
        if why := due(self._config.archive, size, self._first, self._outside.wall()):
            _log.info("the journal is to be closed, for %s: the controller starts again", why)
            os.environ[TRIED] = str(self._outside.mono_ns() / 1e9)
            self.close()
            self._start_again()


def _tried_s() -> float | None:
    try:
        return float(os.environ[TRIED])
    except (KeyError, ValueError):
        return None


_log = logging.getLogger(__name__)

EVERY: Final = 2000
"""Entries from one snapshot to the next. Replaying this number of entries takes less than half as
long as the process takes to begin, and a snapshot adds three per cent to what they take on the disk
(figures in docs/decisions/0009-snapshots.md)."""


class Snapshots:
    """Writes a snapshot whenever one is due; ``since`` entries stand behind the last one."""

    def __init__(self, owner: Owner, since: int) -> None:
        self._owner = owner
        self._due = owner.submitted + EVERY - since

    def write_if_due(self) -> None:
        """To be called after commits."""
        owner = self._owner
        if owner.submitted < self._due or not owner.all_durable or not owner.counted.quiet:
            return
        if owner.shown.restarting:
            return
        self._due = owner.submitted + EVERY
        try:
            body = snapshot(owner.counted, owner.shown)
        except BadSnapshot:  # play goes on: the next start only takes longer
            _log.exception("no snapshot can be made")
            return
        owner.record(Draft(SNAPSHOT, body))


OLDER_EVERY: Final = 10
"""Of so many looks at the youngest objects one takes in the next generation, as Python has it."""

WHOLE_S: Final = 60.0
IDLE_S: Final = 0.5
"""Nothing was submitted for so long: the next event is not just on its way."""


class Collecting:
    """From :meth:`begin` to :meth:`close` for the table of ``owner``."""

    def __init__(self, owner: Owner, loop: asyncio.AbstractEventLoop) -> None:
        self._owner = owner
        self._loop = loop
        self._looks = 0
        self._seen = 0
        self._timer: asyncio.TimerHandle | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def begin_collecting(self) -> None:
        """What is there now stays."""
        gc.collect()
        gc.freeze()
        self._unsubscribe = self._owner.subscribe(self._young)
        self._timer = self._loop.call_later(WHOLE_S, self._collect_if_quiet)

    def close(self) -> None:
        """No clock runs any more."""
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()

    def _young(self) -> None:
        self._looks += 1
        gc.collect(1 if self._looks % OLDER_EVERY == 0 else 0)

    def _collect_if_quiet(self) -> None:
        """See whether a quiet moment has come for all objects; they are seldom many."""
        quiet = self._seen == self._owner.submitted and self._owner.all_durable
        self._seen = self._owner.submitted
        if quiet:
            gc.collect()
        self._timer = self._loop.call_later(WHOLE_S if quiet else IDLE_S, self._collect_if_quiet)
