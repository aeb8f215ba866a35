"""The figures that the page hands on as they are: rows of views, by table, day and shift; and a
gaming day's or a shift's report, as ``table-floor report`` prints it.

The rules:

- An answer has :data:`MOST_ROWS` rows and no more, of :data:`MOST_DAYS` days where they lie in
  partitions by day: who wants all of a year asks the database.
- What a report expects of a rule file is looked for in the folder ``expected`` beside the
  configuration: DIGEST.json, as ``tablectl simulate --json`` prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from psycopg import sql

from floor.configuration import FloorSettings
from floor.facts.kinds import NO_DAY
from floor.facts.report.accounts import AskedSpan, accounts_of
from floor.facts.report.expected import Expectations
from floor.facts.report.floor_report import FloorReport, report_of
from floor.page.asking import MOST_ROWS, PageRow
from floor.store.store import FloorStore

EXPECTED: Final = "expected"


class Reports:
    """Makes reports out of a store."""

    def __init__(self, store: FloorStore, settings: FloorSettings) -> None:
        self._store, self._settings = store, settings

    async def report_on(self, asked: AskedSpan) -> FloorReport:
        """The report on that span.

        Raises:
            NothingTold: no table has anything in it.
            StoreFails: the database. NotDone: a file of what is expected cannot be used.
        """
        async with self._store.connection() as connection:
            accounts = await accounts_of(connection, asked)
        folder = self._settings.path.parent / EXPECTED
        expectations = Expectations(folder if folder.is_dir() else None)
        return report_of(asked, accounts, self._settings, expectations)


VIEWS: Final = (
    "acts",
    "differences",
    "draws",
    "held_times",
    "holds",
    "links",
    "money",
    "rounds",
    "settlements",
    "shifts",
    "spans",
    "versions",
)
"""The views that are told as they are."""

_NO_DAY: Final = ("shifts",)
_BY_DAY: Final = ("draws", "money", "rounds", "settlements")
MOST_DAYS: Final = 31
"""So many days of those are looked at for one answer."""

_RAN: Final = "select distinct day from floor_facts.spans where {} order by day desc limit %s"


class TooMany(Exception):
    """There are more rows than are told at once; the message says what to do."""


class ViewRows(NamedTuple):
    """Rows of a view, and its columns' names."""

    columns: Sequence[str]
    rows: list[PageRow]


class ViewQuestions:
    """Questions to a store for rows of views."""

    def __init__(self, store: FloorStore) -> None:
        self._store = store

    async def ran(self, asked: AskedSpan) -> list[date]:
        """The last gaming days of that span on which a controller ran, one more than
        :data:`MOST_DAYS` at most."""
        question = sql.SQL(_RAN).format(asked.where)
        async with self._store.connection() as connection:
            told = await connection.execute(question, [MOST_DAYS + 1], prepare=False)
            return [day for (day,) in await told.fetchall()]

    async def view(self, view: str, asked: AskedSpan) -> ViewRows:
        """The rows of one of :data:`VIEWS`.

        Raises:
            TooMany: they are more than :data:`MOST_ROWS`, or lie in too many days.
        """
        told = {"table_name": asked.table, "day": asked.day, "shift": asked.shift}
        if view in _NO_DAY:
            told = {"table_name": asked.table, "number": asked.shift}
        if view not in _BY_DAY or asked.day is not None:
            return await self._of_view(view, told)
        days = await self.ran(asked)
        if len(days) > MOST_DAYS:
            raise TooMany(f"of more than {MOST_DAYS} days: name one, ?day=YYYY-MM-DD")
        # One by one: a view that joins two tables hands one day on to both, and several to one.
        whole = await self._of_view(view, {**told, "day": days[0] if days else NO_DAY})
        for day in days[1:]:
            whole.rows.extend((await self._of_view(view, {**told, "day": day})).rows)
            _bounded(whole.rows)
        return whole

    async def _of_view(self, view: str, told: Mapping[str, object]) -> ViewRows:
        given = {name: value for name, value in told.items() if value is not None}
        conditions = [
            sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in given
        ]
        # What are too many is not sorted.
        question = sql.SQL(
            "select * from (select * from floor_facts.{} where {} limit {}) as told order by {}"
        ).format(
            sql.Identifier(view),
            sql.SQL(" and ").join(conditions) if conditions else sql.SQL("true"),
            MOST_ROWS + 1,
            sql.SQL("1, 2, 3, 4"),
        )
        async with self._store.connection() as connection:
            cursor = await connection.execute(question, given, prepare=False)
            columns = [column.name for column in cursor.description or ()]
            rows: list[PageRow] = [
                dict(zip(columns, row, strict=True)) for row in await cursor.fetchall()
            ]
        _bounded(rows)
        return ViewRows(columns, rows)


def _bounded(rows: Sequence[PageRow]) -> None:
    if len(rows) > MOST_ROWS:
        raise TooMany(f"more than {MOST_ROWS} rows: name a table and a day")
