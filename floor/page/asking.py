"""What the page asks the database: rows as they are told, each a mapping by the view's columns.

The rules:

- Views are asked, whose columns keep their meaning (schema ``floor_facts``).
- Whatever lies in partitions by gaming day is asked with its day: no other partition is looked at.
- An answer has :data:`MOST_ROWS` rows and no more: who wants all of a year asks the database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from psycopg import sql
from psycopg.rows import dict_row

from floor.facts.accounts import AskedSpan
from floor.store.store import FloorStore

MOST_ROWS: Final = 50_000

PageRow = Mapping[str, Any]

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

_TABLES: Final = """
    select table_name, origin, tables.next_entry, mirror_size, witness_size, stored_at, facts_upto,
        halted, tables.seq, tables.wall, day, shift, round, state, reason, shown
    from floor_facts.tables join floor.watermarks using (table_name, origin)
        left join floor_facts.live using (table_name, origin)
    order by table_name, stored_at desc nulls last, origin"""

_REFUSALS: Final = """
    select table_name, origin, role, status, words, times, first_at, last_at from floor.refusals
    order by last_at desc limit 100"""

_PACES: Final = """
    select origin, count(*) as rounds from floor_facts.rounds
    where day >= %s and ended > now() - interval '1 hour' and outcome is not null
    group by origin"""

_VERSIONS: Final = """
    select found.* from floor_facts.tables cross join lateral (
        select * from floor_facts.versions where versions.origin = tables.origin
        order by seq desc limit 1) as found"""

_CONFIRMED: Final = """
    select found.* from floor_facts.tables cross join lateral (
        select origin, wall, by, said from floor_facts.acts
        where acts.origin = tables.origin and what = 'readiness'
        order by seq desc limit 1) as found"""

_ROUND: Final = """
    select origin, number, first, last, outcome from floor_facts.rounds
    where table_name = %s and number = %s order by opened desc nulls last limit 1"""

_ROUNDS: Final = """
    select number, opened, ended, outcome, document, shift, staked, net from floor_facts.rounds
        left join (select origin, round, sum(net)::bigint as net from floor_facts.settlements
            where table_name = %(table)s and day = %(day)s group by origin, round) as settled
        on (settled.origin, settled.round) = (rounds.origin, rounds.number)
    where table_name = %(table)s and day = %(day)s
    order by opened desc nulls last, number desc limit %(most)s"""

_DAYS: Final = """
    select distinct day from floor_facts.spans where table_name = %s order by day desc limit 400"""

_ALL_DAYS: Final = """
    select distinct day from floor_facts.spans order by day desc limit 400"""


_BEFORE: Final = timedelta(days=2)
"""No round of the last hour belongs to a gaming day before that."""


class TooMany(Exception):
    """There are more rows than are told at once; the message says what to do."""


class PageQuestions:
    """Questions to a store."""

    def __init__(self, store: FloorStore) -> None:
        self.store = store

    async def tables(self) -> list[PageRow]:
        """Each log with its table as it is now; of a table's logs the one that grew last first."""
        return await self._rows(_TABLES)

    async def refusals(self) -> list[PageRow]:
        """What was refused of the tables' journals, and is evidence."""
        return await self._rows(_REFUSALS)

    async def seldom(self) -> tuple[list[PageRow], list[PageRow], list[PageRow]]:
        """What changes seldom, by logs: rounds of the last hour, the last start, the last report
        before opening."""
        return (
            await self._rows(_PACES, [datetime.now(UTC).date() - _BEFORE]),
            await self._rows(_VERSIONS),
            await self._rows(_CONFIRMED),
        )

    async def days(self, table: str | None) -> list[date]:
        """The gaming days on which a table, or any, ran, the last one first."""
        rows = await (self._rows(_DAYS, [table]) if table else self._rows(_ALL_DAYS))
        return [row["day"] for row in rows]

    async def rounds(self, table: str, day: date) -> list[PageRow]:
        """The rounds of a table on a day, the last one first; ``net`` is the bettors'."""
        return await self._rows(_ROUNDS, {"table": table, "day": day, "most": MOST_ROWS})

    async def round(self, table: str, number: int) -> PageRow | None:
        """Where the entries of a round are; None: no such round is known."""
        return next(iter(await self._rows(_ROUND, [table, number])), None)

    async def newest(self, view: str, table: str, most: int) -> list[PageRow]:
        """The last rows of a view that are of a table."""
        question = sql.SQL(
            "select * from floor_facts.{} where table_name = %s order by seq desc limit %s"
        ).format(sql.Identifier(view))
        return await self._rows(question, [table, most])

    async def view(self, view: str, asked: AskedSpan) -> list[PageRow]:
        """The rows of one of :data:`VIEWS`.

        Raises:
            TooMany: they are more than :data:`MOST_ROWS`.
        """
        told = {"table_name": asked.table, "day": asked.day, "shift": asked.shift}
        if view in _NO_DAY:
            told = {"table_name": asked.table, "number": asked.shift}
        given = {name: value for name, value in told.items() if value is not None}
        conditions = [
            sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in given
        ]
        question = sql.SQL("select * from floor_facts.{} where {} order by {} limit {}").format(
            sql.Identifier(view),
            sql.SQL(" and ").join(conditions) if conditions else sql.SQL("true"),
            sql.SQL("1, 2, 3, 4"),
            MOST_ROWS + 1,
        )
        rows = await self._rows(question, given)
        if len(rows) > MOST_ROWS:
            raise TooMany(f"more than {MOST_ROWS} rows: name a table and a day")
        return rows

    async def _rows(
        self,
        question: str | sql.Composed,
        given: Sequence[object] | Mapping[str, object] | None = None,
    ) -> list[PageRow]:
        async with self.store.connection() as connection:
            asked = question.encode() if isinstance(question, str) else question
            async with connection.cursor(row_factory=dict_row) as cursor:
                # Prepared plans would be for any day, and look at the partitions of all years.
                return [*await (await cursor.execute(asked, given, prepare=False)).fetchall()]
