"""The garbage collector runs when nobody waits for the controller.

Python looks for garbage after some hundred new objects, wherever the program is then: in one card
of three that was between the card and its acknowledgement, and took a tenth of a millisecond of it.
So:

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
from collections.abc import Callable
from typing import Final

from controller.daemon.owner import Owner

OLDER_EVERY: Final = 10
"""Of so many looks at the youngest objects one takes in the next generation, as Python has it."""

WHOLE_S: Final = 60.0
QUIET_S: Final = 0.5
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
            self._timer = None

    def _young(self) -> None:
        self._looks += 1
        gc.collect(1 if self._looks % OLDER_EVERY == 0 else 0)

    def _collect_if_quiet(self) -> None:
        """See whether a quiet moment has come for all objects; they are seldom many."""
        quiet = self._seen == self._owner.submitted and self._owner.all_durable
        self._seen = self._owner.submitted
        if quiet:
            gc.collect()
        self._timer = self._loop.call_later(WHOLE_S if quiet else QUIET_S, self._collect_if_quiet)
