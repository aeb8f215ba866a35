"""What the page asks the database: rows as they are told, each a mapping by the view's columns.

The rules:

- Views are asked, whose columns keep their meaning (schema ``floor_facts``); their tables only for
  where to look, as a view gives no index of a log away.
- Whatever lies in partitions by gaming day is asked with its day: no other partition is looked at.
  One round of a number may be anywhere; it is looked for by the index of each partition.
- An answer has :data:`MOST_ROWS` rows and no more: who wants all of a year asks the database.
- As JSON, rows tell times in the house's time zone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from psycopg import sql
from psycopg.rows import dict_row

from floor.store.store import FloorStore


def as_json(value: object, zone: ZoneInfo) -> object:
    """The value as JSON has it."""
    match value:
        case datetime():
            return value.astimezone(zone).isoformat(timespec="milliseconds")
        case date():
            return value.isoformat()
        case Decimal():
            return float(value)
        case Mapping():
            return {str(key): as_json(one, zone) for key, one in value.items()}
        case str():
            return value
        case Sequence():
            return [as_json(one, zone) for one in value]
    return value


PageRow = Mapping[str, Any]

MOST_ROWS: Final = 50_000

_STORED: Final = {
    "acts": "act",
    "differences": "odd",
    "holds": "hold",
    "links": "link",
    "versions": "start",
}
"""Views of what stands by its entries, and the tables that have it."""

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
    select origin, found.* from floor.log cross join lateral (
        select version, engine, program, libraries, configuration, rules, readings, weights,
            document
        from floor_facts.start where start.log = log.id order by seq desc limit 1) as found"""

_CONFIRMED: Final = """
    select origin, found.* from floor.log cross join lateral (
        select wall, by, said from floor_facts.act
        where act.log = log.id and what = 'readiness' order by seq desc limit 1) as found"""

_NEWEST: Final = """
    select found.* from floor.log cross join lateral (
        select * from floor_facts.{view} where origin = log.origin and seq >= (
            select min(seq) from (select seq from floor_facts.{stored} as stored
                where stored.log = log.id order by seq desc limit %(most)s) as last)
        order by seq desc limit %(most)s) as found
    where log.table_name = %(table)s order by log.id desc, found.seq desc limit %(most)s"""

_LOGS: Final = """
    select id, origin, begins, told_elsewhere
    from floor_facts.logs join floor.watermarks using (table_name, origin)
    where table_name = %s order by id desc"""

_ROUND: Final = """
    select number, day, opened, ended, nullif(outcome, '') as outcome, first, last
    from floor_facts.round where log = {log} and number = {number} and last > {told_elsewhere}"""

_ROUNDS: Final = """
    select rounds.origin as journal, number, opened, ended, outcome, document, shift, staked, net
    from floor_facts.rounds
        left join (select origin, round, sum(net)::bigint as net from floor_facts.settlements
            where table_name = %(table)s and day = %(day)s group by origin, round) as settled
        on (settled.origin, settled.round) = (rounds.origin, rounds.number)
    where table_name = %(table)s and day = %(day)s
    order by opened desc nulls last, number desc limit %(most)s"""

_DAYS: Final = """
    select distinct day from floor_facts.spans where table_name = %s order by day desc limit 400"""

_ALL_DAYS: Final = """
    with recursive days as (
        (select max(day) as day from floor_facts.stretch)
        union all
        select (select max(stretch.day) from floor_facts.stretch where stretch.day < days.day)
        from days where day is not null)
    select day from days where day is not null limit 400"""

_BEFORE: Final = timedelta(days=2)
"""No round of the last hour belongs to a gaming day before that."""


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

    async def round(self, table: str, number: int) -> list[PageRow]:
        """Where the entries of a round are: its ``origin``, ``first``, ``last``, and which entries
        of that log were removed by age (``begins``). More than one, the newest log's first: the
        table's journal was begun anew, and each has a round of that number."""
        found: list[PageRow] = []
        for log in await self._rows(_LOGS, [table]):
            named = {"log": log["id"], "number": number, "told_elsewhere": log["told_elsewhere"]}
            question = sql.SQL(_ROUND).format(**{k: sql.Literal(v) for k, v in named.items()})
            for row in await self._rows(question):
                found.append({**row, "origin": log["origin"], "begins": log["begins"]})
        return found

    async def logs(self, table: str) -> list[PageRow]:
        """The logs of a table, the newest one first; none where nothing was heard of it."""
        return await self._rows(_LOGS, [table])

    async def newest(self, view: str, table: str, most: int) -> list[PageRow]:
        """The last rows of a view that are of a table."""
        names = {"view": sql.Identifier(view), "stored": sql.Identifier(_STORED[view])}
        question = sql.SQL(_NEWEST).format(**names)
        return await self._rows(question, {"table": table, "most": most})

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
