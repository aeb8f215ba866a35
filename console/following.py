"""The table as it is now: the daemon's stream of states, and a question that shows it answers.

The rules:

- A quiet table and a dead one look alike in the stream. So the daemon is asked beside it, every
  :data:`PULSE_S`; it answers from its loop. Who has not answered within :data:`SILENT_S` is lost,
  and every page says so within a second.
- A connection that ended is made anew at growing pauses. What was shown stays, marked as old, and
  nothing counts as live until a whole state has come over the new one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Final

from controller.control.client import NoController, RefusedByController
from controller.control.loop_client import Asker, asking
from controller.forms.json_values import JsonObject, WrongForm

PULSE_S: Final = 0.3
SILENT_S: Final = 0.5
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 3.0

_log = logging.getLogger(__name__)


class TableFollower:
    """The table behind the socket at ``path``: its newest ``status``, empty before the first, and
    why that is not as it is now (``lost``; "": it is). ``changed`` is called with every change."""

    def __init__(self, path: Path, changed: Callable[[], None]) -> None:
        self.path = path
        self.status: JsonObject = {}
        self.lost = "the table has not answered yet"
        self._changed = changed
        self._pause_s = FIRST_PAUSE_S

    async def follow_table(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                async with (
                    asking(self.path) as states,
                    asking(self.path) as pulse,
                    asyncio.TaskGroup() as tasks,  # the first that fails ends both
                ):
                    tasks.create_task(self._follow(states))
                    tasks.create_task(self._check_pulse(pulse))
            except* (NoController, RefusedByController) as failed:
                self._lose(str(failed.exceptions[0]))
            except* TimeoutError:
                self._lose("the table does not answer")
            except* WrongForm as failed:  # a daemon of another version
                self.status = {}
                self._lose(f"the table tells something else: {failed.exceptions[0]}")
            await asyncio.sleep(self._pause_s)
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    async def _follow(self, asker: Asker) -> None:
        async with aclosing(asker.stream("watch", dict[str, object])) as states:
            async for state in states:
                self.status, self.lost = state, ""
                self._pause_s = FIRST_PAUSE_S
                self._changed()

    async def _check_pulse(self, asker: Asker) -> None:
        while True:
            async with asyncio.timeout(SILENT_S):
                await asker.ask("status", dict[str, object])
            await asyncio.sleep(PULSE_S)

    def _lose(self, why: str) -> None:
        if why != self.lost:
            _log.warning("%s", why)
        self.lost = why
        self._changed()
