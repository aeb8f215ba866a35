"""When the journal of a table that runs is closed: such a table has no starts for months.

Where it is due (:mod:`controller.upkeep.due`) and nothing has been stored for ``QUIET_S``, between
rounds, the controller ends in good order and starts itself again, in about a second; that start
closes it. Where it has not, it is not tried again for ``AGAIN_S``. Nor is it while the second copy
or the medium of the heads fails: a thread that hangs in that would keep the program from being
started again.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from datetime import datetime
from typing import Final

from controller.configuration.model import Configuration
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.evidence.recorded import FAILING as HEADS_FAILING
from controller.journal.schema import FILE_NAME
from controller.upkeep.copier import FAILING as COPY_FAILING
from controller.upkeep.due import between_rounds, due

_log = logging.getLogger(__name__)

LOOK_S: Final = 60.0
QUIET_S: Final = 300.0
AGAIN_S: Final = 6 * 3600.0

MEDIA_FAILING: Final = frozenset({COPY_FAILING, HEADS_FAILING})

TRIED: Final = "TABLE_CONTROLLER_CLOSING_TRIED"
"""The variable that says to the program when, in seconds of the monotonic clock, it started itself
again for this."""


class Closing:
    """Looks, while the table runs, whether the journal is due; ``start_again`` then ends the
    controller in good order and starts it again. ``first`` is when the journal's first entry was
    written; None: it is written only now."""

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
