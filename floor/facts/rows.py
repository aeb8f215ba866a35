"""Facts in the database (schema ``floor_facts``): what a batch says is written whole, with how far
the log is.

The rules:

- Who writes has said from where he went on (``facts_upto`` as he found it). Where the log is
  elsewhere by then somebody else has written, and nothing is.
- A batch is one statement, as far as it replaces nothing: most are of one round, and each question
  costs as much as what it asks.
- What the log's rows say already is not written a second time: facts of entries up to there are
  left out, and rounds, stretches and holds take the place of themselves. So facts that are derived
  again are the same.
- Rounds, settlements and draws stand in partitions by gaming day, as far as a day can be right; a
  day that no clock that is right tells is in none of its own.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from psycopg import AsyncConnection, sql
from psycopg.errors import CheckViolation, InvalidObjectDefinition, UniqueViolation

from floor.facts.columns import (
    AsLeft,
    Row,
    added_rows,
    counted_rows,
    place_of,
    progress_row,
    round_row,
    settlement_rows,
)
from floor.facts.kinds import Batch, DrawFact, Terms
from floor.store.bundles import UNDATED, believed
from floor.store.partitions import NEAR, has_partition, make_partition

SCHEMA: Final = "floor_facts"
BY_DAY: Final = ("round", "settlement", "draw")
TABLES: Final = (*BY_DAY, "shift", "hold", "act", "link", "start", "odd", "stretch", "held")


class WrittenElsewhere(Exception):
    """Somebody else has derived facts of the log meanwhile."""


@dataclass(frozen=True, slots=True)
class FactsProgress:
    """Facts are derived up to entry ``upto``; one goes on behind the snapshot ``segment`` (0: from
    the beginning) with what was ``carried`` there. ``halted`` says why there will be no more. The
    entries before ``begins`` were removed by age."""

    log: int
    upto: int
    segment: int
    carried: str
    halted: str = ""
    begins: int = 0


_PROGRESS: Final = """
    select log.id, facts_upto, coalesce(segment, 0), coalesce(carried, ''), coalesce(halted, ''),
        begins
    from floor.log left join floor_facts.progress on progress.log = log.id where log.id = %s"""

_REPLACING: Final = {
    "hold": ("log, seq, n", ("until", "ended", "by", "why")),
    "stretch": ("log, segment, day, shift", ("ran_ns", "cards", "shoes")),
    "held": ("log, segment, day, shift, fault", ("count", "ns")),
    "progress": (
        "log",
        (
            *("segment", "carried", "halted", "seq", "wall", "day", "shift", "round", "state"),
            *("reason", "shown"),
        ),
    ),
}
"""Of tables whose rows take the place of themselves: their keys, and what may have changed."""

_PUT: Final = """
    new_{table} as (insert into floor_facts.{table}
        select * from jsonb_populate_recordset(null::floor_facts.{table}, %({table})s::jsonb)
        {replacing})"""

_MOVE: Final = """
    update floor.log set facts_upto = %(upto)s where id = %(log)s and facts_upto = %(found)s"""

_TERMS: Final = """
    with made as (
        insert into floor_facts.terms (document, rules, weights, engine)
        values (%(document)s, %(rules)s, %(weights)s, %(engine)s)
        on conflict (document, rules, weights, engine) do nothing returning id)
    select id from made union all
    select id from floor_facts.terms where (document, rules, weights, engine)
        = (%(document)s, %(rules)s, %(weights)s, %(engine)s) limit 1"""

_REPLACED: Final = """
    with gone as (delete from floor_facts.settlement
        where log = %(log)s and round >= %(low)s and day >= %(day)s)
    delete from floor_facts.round where log = %(log)s and number >= %(low)s and day >= %(day)s"""
_FORGOTTEN: Final = sql.SQL("delete from {} where log = %s")


async def progress_of_facts(connection: AsyncConnection, log: int) -> FactsProgress:
    """How far the facts of the log of that number are."""
    row = await (await connection.execute(_PROGRESS, [log])).fetchone()
    assert row is not None
    return FactsProgress(*row)


class FactWriter:
    """Writes facts of one log; remembers the numbers of terms, which partitions there are, and up
    to which round it has told any."""

    def __init__(self) -> None:
        self._terms: dict[Terms, int] = {}
        self._days: set[date] = set()
        self._told: int | None = None

    async def write(
        self, connection: AsyncConnection, found: FactsProgress, batch: Batch, left: AsLeft
    ) -> FactsProgress:
        """Write what the batch says, within the caller's transaction; how far the log is then.
        Behind a failure one writes on with a new one of these.

        Raises:
            WrittenElsewhere: it was not where it was ``found``.
        """
        log = found.log
        await self._replace_rounds(connection, log, batch)
        rows = {
            "round": [
                round_row(log, one, await self._number_of_terms(connection, one.terms))
                for one in batch.rounds.values()
            ],
            "settlement": list(settlement_rows(log, batch.rounds.values())),
            "draw": await self._draws(connection, found, batch),
            **added_rows(found.log, found.upto, batch),
            **counted_rows(log, batch),
            "progress": [progress_row(log, batch, left)],
        }
        for day in {str(row["day"]) for table in BY_DAY for row in rows[table]}:
            await self._day(connection, date.fromisoformat(day))
        given = {table: json.dumps(some, default=str) for table, some in rows.items() if some}
        statement = f"with {','.join(map(_statement_for, given))} {_MOVE}"
        numbers = {"upto": batch.upto, "log": log, "found": found.upto}
        try:
            moved = await connection.execute(statement.encode(), {**given, **numbers})
        except UniqueViolation as error:
            raise WrittenElsewhere from error
        if moved.rowcount != 1:
            raise WrittenElsewhere
        self._told = max([self._told or 0, *batch.rounds])
        return replace(
            found, upto=batch.upto, segment=batch.segment, carried=batch.carried, halted=left.halted
        )

    async def _replace_rounds(self, connection: AsyncConnection, log: int, batch: Batch) -> None:
        """Take rounds away that are told anew."""
        low = batch.rounds_from
        if low is None or (self._told is not None and low > self._told):
            return
        given = {"log": log, "low": low, "day": batch.days_from}
        # A plan for this day on, not for those of all years.
        await connection.execute(_REPLACED, given, prepare=False)

    async def _draws(
        self, connection: AsyncConnection, found: FactsProgress, batch: Batch
    ) -> list[Row]:
        return [
            {
                **place_of(found.log, one.at),
                "round": one.round,
                "offer": one.offer,
                "multiplier": one.multiplier,
                "terms": await self._number_of_terms(connection, one.terms),
                "box": one.box,
            }
            for one in batch.facts_of(DrawFact)
            if one.at.seq > found.upto
        ]

    async def _number_of_terms(self, connection: AsyncConnection, terms: Terms) -> int:
        """The number of these terms."""
        if terms not in self._terms:
            row = await (await connection.execute(_TERMS, asdict(terms))).fetchone()
            assert row is not None
            self._terms[terms] = row[0]
        return self._terms[terms]

    async def _day(self, connection: AsyncConnection, day: date) -> None:
        """See that the day has its partitions, if it may be right."""
        if day in self._days or not await may_open(connection, day, datetime.now(UTC).date()):
            return
        for parent in BY_DAY:
            try:
                async with connection.transaction():
                    await make_partition(connection, parent, day, SCHEMA)
            except (CheckViolation, InvalidObjectDefinition):
                continue  # rows of that day came while no clock that was right told it
        self._days.add(day)


async def may_open(connection: AsyncConnection, day: date, today: date) -> bool:
    """Whether facts of the day may have partitions: it is near, or stored entries have that day or
    the one before or behind it, to which a table may count them."""
    if believed(day, today) == UNDATED:
        return False
    beside = (day + timedelta(days=number) for number in (0, 1, -1))
    return day >= today - NEAR or any(
        [await has_partition(connection, "bundle", one) for one in beside]
    )


def _statement_for(table: str) -> str:
    replacing = ""
    if table in _REPLACING:
        key, columns = _REPLACING[table]
        values = ", ".join(f"{name} = excluded.{name}" for name in columns)
        replacing = f"on conflict ({key}) do update set {values}"
    return _PUT.format(table=table, replacing=replacing)


async def forget_facts(connection: AsyncConnection, log: int) -> None:
    """Take away all facts of a log, within the caller's transaction: they are derived anew from its
    first entry."""
    for table in (*TABLES, "progress"):
        await connection.execute(_FORGOTTEN.format(sql.Identifier(SCHEMA, table)), [log])
    await connection.execute("delete from floor_facts.shared where log = %s", [log])
    await connection.execute("update floor.log set facts_upto = 0 where id = %s", [log])
