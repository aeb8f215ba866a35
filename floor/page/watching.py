"""The floor from above, looked at once a second, for all browsers together; if that fails they are
told. Every table the house knows or has heard of is a part of its own (:mod:`web.latest`).

The rules:

- A table has a row for the log that grew last; what stood there before (another key, an archived
  journal) is counted.
- What a table runs is compared with what the house approved of, each kind by itself; a kind of
  which the house says nothing is not compared.
- A table that the house knows and nobody has heard of is told, too: nothing is missing silently."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.configuration.tables import BadConfiguration
from floor.configuration import APPROVED, FloorSettings
from floor.page.asking import PageQuestions, PageRow, as_json
from floor.store.failing import StoreFails
from floor.tables import read_tables
from web.latest import LatestState

RUNS: Final = (*APPROVED, "document", "engine")
COUNTED: Final = ("next_entry", "mirror_size", "witness_size", "facts_upto")
TABLE: Final = "table/"
"""How the names of parts begin that are tables."""

PLAIN: Final = ("halted", "seq", "wall", "day", "shift", "round", "state", "reason", "shown")


@dataclass(slots=True)
class Seldom:
    """What changes seldom, by the logs' origins."""

    rounds: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, PageRow] = field(default_factory=dict)
    confirmed: Mapping[str, PageRow] = field(default_factory=dict)


def floor_state(
    logs: Sequence[PageRow],
    refusals: Sequence[PageRow],
    seldom: Seldom,
    known: Iterable[str],
    approved: Mapping[str, Sequence[str]],
) -> dict[str, object]:
    """All of it in parts, ready for JSON but for its times; ``known`` are the house's tables."""
    by_table: dict[str, list[PageRow]] = {name: [] for name in known}
    for log in logs:
        by_table.setdefault(log["table_name"], []).append(log)
    tables = {
        f"{TABLE}{name}": _table(name, found, seldom, approved) for name, found in by_table.items()
    }
    return {**tables, "refusals": refusals, "approved": sorted(approved)}


def _table(
    name: str, logs: Sequence[PageRow], seldom: Seldom, approved: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    if not logs:
        return {"table": name, "heard": None}
    newest = logs[0]
    origin = newest["origin"]
    runs = seldom.versions.get(origin)
    confirmed = seldom.confirmed.get(origin)
    return {
        "table": name,
        "heard": newest["stored_at"],
        "origin": origin,
        "earlier": len(logs) - 1,
        **{key: newest[key] for key in (*COUNTED, *PLAIN)},
        "rounds_an_hour": seldom.rounds.get(origin, 0),
        "runs": None if runs is None else {key: runs[key] for key in RUNS},
        "differs": [] if runs is None else differences(runs, approved),
        "confirmed": None
        if confirmed is None
        else {key: confirmed[key] for key in ("wall", "by", "said")},
    }


def differences(runs: PageRow, approved: Mapping[str, Sequence[str]]) -> list[str]:
    """The kinds of which a table runs what the house has not approved of."""
    return [kind for kind in APPROVED if kind in approved and runs[kind] not in approved[kind]]


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

    async def watch_forever(self) -> None:
        """Look, for ever."""
        while True:
            await self.refresh()
            await asyncio.sleep(LOOK_S)

    def knows(self, table: str) -> bool:
        """Whether the house knows that table."""
        return table in self._known

    async def refresh(self) -> None:
        """Look once."""
        lost = ""
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._read_floor()
        except TimeoutError:
            lost = f"the floor's database has not answered within {ANSWER_S:g} s: see that it runs"
        except (StoreFails, BadConfiguration) as error:
            lost = str(error)
        if lost and lost != self._said:
            _log.error("%s", lost)
        self._said = lost
        self.latest.put_parts(self._parts(lost))

    async def _read_floor(self) -> None:
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
