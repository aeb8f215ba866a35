"""The floor is looked at once a second, for all browsers together; if that fails they are told."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from controller.configuration.tables import BadConfiguration
from floor.configuration import FloorSettings
from floor.page.asking import PageQuestions
from floor.page.state import Seldom, floor_state
from floor.page.telling import as_json
from floor.store.failing import StoreFails
from floor.tables import read_tables
from web.latest import LatestState

LOOK_S: Final = 1.0
SELDOM_S: Final = 10.0
ANSWER_S: Final = 5.0
"""Whoever does not answer within that is not there: a page that hangs must not look alive."""

_log = logging.getLogger(__name__)


class FloorWatch:
    """Puts the floor's state into :attr:`latest` until it is cancelled. ``lost`` in it says why it
    is not as it is now."""

    def __init__(self, questions: PageQuestions, settings: FloorSettings) -> None:
        self.questions, self._settings = questions, settings
        self._told: dict[str, object] = {"refusals": [], "approved": []}
        self._seldom, self._seldom_at = Seldom(), float("-inf")
        self._known: frozenset[str] = frozenset()
        self._said = ""
        self.latest = LatestState(self._parts("the floor has not been looked at yet"))

    async def run(self) -> None:
        """Look, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_S)

    def knows(self, table: str) -> bool:
        """Whether the house knows that table."""
        return table in self._known

    async def look(self) -> None:
        """Look once."""
        lost = ""
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._ask()
        except TimeoutError:
            lost = f"the floor's database has not answered within {ANSWER_S:g} s: see that it runs"
        except (StoreFails, BadConfiguration) as error:
            lost = str(error)
        if lost and lost != self._said:
            _log.error("%s", lost)
        self._said = lost
        self.latest.put_parts(self._parts(lost))

    async def _ask(self) -> None:
        await self._look_at_seldom()
        self._told = floor_state(
            await self.questions.tables(),
            await self.questions.refusals(),
            self._seldom,
            self._known,
            self._settings.approved.named,
        )

    async def _look_at_seldom(self) -> None:
        if (now := time.monotonic()) < self._seldom_at + SELDOM_S:
            return
        tables = read_tables(self._settings.tables)
        bad = {one.table for one in tables.bad}  # the house knows the table, if not its key
        self._known = frozenset(log.table for log in tables.logs.values()) | bad
        paces, versions, confirmed = await self.questions.seldom()
        self._seldom = Seldom(
            {row["origin"]: row["rounds"] for row in paces},
            {row["origin"]: row for row in versions},
            {row["origin"]: row for row in confirmed},
        )
        self._seldom_at = now

    def _parts(self, lost: str) -> dict[str, object]:
        zone = self._settings.zone
        return {name: as_json(part, zone) for name, part in (*self._told.items(), ("lost", lost))}
