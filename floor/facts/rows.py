"""Facts in the database (schema ``floor_facts``): what a batch says is written whole, with how far
the log is.

The rules:

- Who writes has said from where he went on (``facts_upto`` as he found it). Where the log is
  elsewhere by then somebody else has written, and nothing is.
- What the log's rows say already is not written a second time: facts of entries up to there are
  left out, and rounds, stretches and holds take the place of themselves. So facts that are derived
  again are the same.
- Rounds, settlements and draws stand in partitions by gaming day, as far as a day can be right; a
  day that no clock that is right tells is in none of its own.
- The log's row, which every collector waits for, is touched last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from psycopg import AsyncConnection, sql
from psycopg.errors import CheckViolation, InvalidObjectDefinition

from controller.table.state.table import Table
from floor.facts.kinds import (
    ActFact,
    Batch,
    DrawFact,
    HeldFact,
    HoldFact,
    JournalPlace,
    LinkFact,
    OddFact,
    RoundFact,
    ShiftFact,
    StartFact,
    StretchFact,
    Terms,
)
from floor.store.bundles import UNDATED, believed
from floor.store.partitions import make_partition

SCHEMA: Final = "floor_facts"
BY_DAY: Final = ("round", "settlement", "draw")
TABLES: Final = (*BY_DAY, "shift", "hold", "act", "link", "start", "odd", "stretch", "held")

Row = Sequence[object]

_WRITING: Final = 0x77666163
"""The number of the lock that keeps writers of one log apart: "wfac" in ASCII."""


class WrittenElsewhere(Exception):
    """Somebody else has derived facts of the log meanwhile."""


@dataclass(frozen=True, slots=True)
class FactsProgress:
    """Facts are derived up to entry ``upto``; one goes on behind the snapshot ``segment`` (0: from
    the beginning) with what was ``carried`` there. ``halted`` says why there will be no more."""

    log: int
    upto: int
    segment: int
    carried: str
    halted: str = ""


_PROGRESS: Final = """
    select log.id, facts_upto, coalesce(segment, 0), coalesce(carried, ''),
        coalesce(halted, '')
    from floor.log left join floor_facts.progress on progress.log = log.id where log.id = %s"""

_KEEP: Final = """
    insert into floor_facts.progress (log, segment, carried, halted, seq, wall, day, shift, round,
        state, reason)
    values (%(log)s, %(segment)s, %(carried)s, %(halted)s, %(seq)s, %(wall)s, %(day)s, %(shift)s,
        %(round)s, %(state)s, %(reason)s)
    on conflict (log) do update set segment = excluded.segment, carried = excluded.carried,
        halted = excluded.halted, seq = excluded.seq, wall = excluded.wall, day = excluded.day,
        shift = excluded.shift, round = excluded.round, state = excluded.state,
        reason = excluded.reason"""

_MOVE: Final = "update floor.log set facts_upto = %s where id = %s and facts_upto = %s"

_TERMS: Final = """
    with made as (
        insert into floor_facts.terms (document, rules, weights, engine)
        values (%(document)s, %(rules)s, %(weights)s, %(engine)s)
        on conflict (document, rules, weights, engine) do nothing returning id)
    select id from made union all
    select id from floor_facts.terms where (document, rules, weights, engine)
        = (%(document)s, %(rules)s, %(weights)s, %(engine)s) limit 1"""


_REPLACED: Final = sql.SQL("delete from {} where log = %s and {} >= %s and day >= %s")
_FORGOTTEN: Final = sql.SQL("delete from {} where log = %s")


async def progress_of_facts(connection: AsyncConnection, log: int) -> FactsProgress:
    """How far the facts of the log of that number are."""
    row = await (await connection.execute(_PROGRESS, [log])).fetchone()
    assert row is not None
    return FactsProgress(*row)


@dataclass(frozen=True, slots=True)
class AsLeft:
    """The table as the last entry ``at`` has left it; ``halted``: why nothing more is derived."""

    at: JournalPlace
    table: Table
    halted: str = ""


class FactWriter:
    """Writes facts; remembers the numbers of terms, and which partitions there are."""

    def __init__(self) -> None:
        self._terms: dict[Terms, int] = {}
        self._days: set[date] = set()

    async def write(
        self, connection: AsyncConnection, found: FactsProgress, batch: Batch, left: AsLeft
    ) -> FactsProgress:
        """Write what the batch says, within the caller's transaction; how far the log is then.

        Raises:
            WrittenElsewhere: it was not where it was ``found``.
        """
        log = found.log
        await connection.execute("select pg_advisory_xact_lock(%s, %s)", [_WRITING, log])
        if (await progress_of_facts(connection, log)).upto != found.upto:
            raise WrittenElsewhere
        await self._rounds(connection, log, batch)
        await self._put(connection, "draw", await self._draws(connection, found, batch))
        for table, rows in _added(found, batch).items():
            await self._put(connection, table, rows)
        await _counted(connection, log, batch)
        await _holds(connection, found, batch)
        await connection.execute(_KEEP, _kept(log, batch, left))
        moved = await connection.execute(_MOVE, [batch.upto, log, found.upto])
        if moved.rowcount != 1:
            raise WrittenElsewhere
        return FactsProgress(log, batch.upto, batch.segment, batch.carried)

    async def _rounds(self, connection: AsyncConnection, log: int, batch: Batch) -> None:
        if batch.rounds_from is None:
            return
        for table, number in (("round", "number"), ("settlement", "round")):
            await connection.execute(
                _REPLACED.format(sql.Identifier(SCHEMA, table), sql.Identifier(number)),
                [log, batch.rounds_from, batch.days_from],
                prepare=False,  # a plan for this day on, not for those of all years
            )
        rounds = list(batch.rounds.values())
        for one in rounds:
            await self._day(connection, one.day)
        rows = [_round(log, one, await self._of(connection, one.terms)) for one in rounds]
        await self._put(connection, "round", rows)
        await self._put(connection, "settlement", _settlements(log, rounds))

    async def _draws(
        self, connection: AsyncConnection, found: FactsProgress, batch: Batch
    ) -> list[Row]:
        rows: list[Row] = []
        for one in batch.of(DrawFact):
            if one.at.seq > found.upto:
                await self._day(connection, one.at.day)
                terms = await self._of(connection, one.terms)
                row = (*_place(found.log, one.at), one.round, one.offer, one.multiplier, terms)
                rows.append((*row, one.box))
        return rows

    async def _of(self, connection: AsyncConnection, terms: Terms) -> int:
        """The number of these terms."""
        if terms not in self._terms:
            given = {name: getattr(terms, name) for name in Terms.__slots__}
            row = await (await connection.execute(_TERMS, given)).fetchone()
            assert row is not None
            self._terms[terms] = row[0]
        return self._terms[terms]

    async def _day(self, connection: AsyncConnection, day: date) -> None:
        """See that the day has its partitions, if it may be right."""
        if day in self._days or believed(day, date.today()) == UNDATED:  # noqa: DTZ011
            return
        for parent in BY_DAY:
            try:
                async with connection.transaction():
                    await make_partition(connection, parent, day, SCHEMA)
            except (CheckViolation, InvalidObjectDefinition):
                continue  # rows of that day came while no clock that was right told it
        self._days.add(day)

    async def _put(self, connection: AsyncConnection, table: str, rows: Iterable[Row]) -> None:
        """Append rows to a table, in the order of its columns."""
        rows = list(rows)
        if not rows:
            return
        columns = sql.SQL(", ").join(map(sql.Identifier, COLUMNS[table]))
        into = sql.SQL("copy {} ({}) from stdin").format(sql.Identifier(SCHEMA, table), columns)
        async with connection.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                await copy.write_row(row)


_PLACE: Final = ("log", "seq", "wall", "day", "shift")
COLUMNS: Final = {
    "round": (
        *("log", "number", "day", "shift", "first", "opened", "last", "ended", "outcome"),
        *("staked", "squares", "terms"),
    ),
    "settlement": (
        *("log", "day", "round", "n", "box", "bettor", "hand", "kind", "stake", "net"),
        *("outcome", "odds", "clause"),
    ),
    "draw": (*_PLACE, "round", "offer", "multiplier", "terms", "box"),
    "shift": ("log", "seq", "wall", "day", "number", "by"),
    "act": (*_PLACE, "n", "round", "what", "by", "said", "why"),
    "link": (*_PLACE, "device", "kind", "up", "serial", "firmware", "reason"),
    "start": (
        *(*_PLACE, "version", "engine", "program", "libraries", "configuration"),
        *("rules", "weights", "document"),
    ),
    "odd": (*_PLACE, "n", "words"),
    "stretch": ("log", "segment", "day", "shift", "ran_ns", "cards", "shoes"),
    "held": ("log", "segment", "day", "shift", "fault", "count", "ns"),
}
"""The columns of each table that rows are appended to, in the order in which they are given."""


def _place(log: int, at: JournalPlace) -> Row:
    return log, at.seq, at.wall, at.day, at.shift


def _round(log: int, one: RoundFact, terms: int) -> Row:
    told = (one.first, one.opened, one.last, one.ended, one.outcome, one.staked, one.squares)
    return (log, one.number, one.day, one.shift, *told, terms)


def _settlements(log: int, rounds: Iterable[RoundFact]) -> Iterable[Row]:
    for one in rounds:
        for s in one.settlements:
            wager = (s.n, s.box, s.bettor, s.hand, s.kind, s.stake, s.net, s.outcome)
            yield (log, one.day, one.number, *wager, s.odds, s.clause)


def _added(found: FactsProgress, batch: Batch) -> dict[str, list[Row]]:
    """The rows of facts that stand by their entries, of entries that are not written yet."""
    rows: dict[str, list[Row]] = {"shift": [], "act": [], "link": [], "start": [], "odd": []}
    for fact in batch.facts:
        if isinstance(fact, HoldFact | StretchFact | HeldFact) or fact.at.seq <= found.upto:
            continue
        place = _place(found.log, fact.at)
        match fact:
            case ShiftFact():
                rows["shift"].append((*place[:4], fact.number, fact.by))
            case ActFact():
                said = (fact.n, fact.round, fact.what, fact.by, fact.said, fact.why)
                rows["act"].append((*place, *said))
            case LinkFact():
                device = (fact.device, fact.kind, fact.up, fact.serial, fact.firmware)
                rows["link"].append((*place, *device, fact.reason))
            case StartFact():
                runs = (fact.program, fact.libraries, fact.configuration, fact.rules)
                versions = (fact.version, fact.engine, *runs, fact.weights, fact.document)
                rows["start"].append((*place, *versions))
            case OddFact():
                rows["odd"].append((*place, fact.n, fact.words))
    return rows


async def _counted(connection: AsyncConnection, log: int, batch: Batch) -> None:
    """What was counted from snapshot to snapshot takes the place of what was told of it before."""
    for stretch in batch.of(StretchFact):
        await connection.execute(
            "insert into floor_facts.stretch values (%s, %s, %s, %s, %s, %s, %s)"
            " on conflict (log, segment, day, shift) do update set ran_ns = excluded.ran_ns,"
            " cards = excluded.cards, shoes = excluded.shoes",
            [
                *(log, stretch.segment, stretch.day, stretch.shift),
                *(stretch.ran_ns, stretch.cards, stretch.shoes),
            ],
        )
    for held in batch.of(HeldFact):
        await connection.execute(
            "insert into floor_facts.held values (%s, %s, %s, %s, %s, %s, %s)"
            " on conflict (log, segment, day, shift, fault) do update"
            " set count = excluded.count, ns = excluded.ns",
            [log, held.segment, held.day, held.shift, held.fault, held.count, held.ns],
        )


async def _holds(connection: AsyncConnection, found: FactsProgress, batch: Batch) -> None:
    for one in batch.of(HoldFact):
        at = one.began
        await connection.execute(
            "insert into floor_facts.hold values"
            " (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
            " on conflict (log, seq, n) do update set until = excluded.until,"
            " ended = excluded.ended, by = excluded.by, why = excluded.why",
            [
                *(found.log, at.seq, one.n, at.wall, at.day, at.shift, one.fault, one.device),
                *(one.reason, one.until, one.ended, one.by, one.why),
            ],
        )


def _kept(log: int, batch: Batch, left: AsLeft) -> dict[str, object]:
    table = left.table
    return {
        "log": log,
        "segment": batch.segment,
        "carried": batch.carried,
        "halted": left.halted,
        "seq": left.at.seq,
        "wall": left.at.wall,
        "day": left.at.day,
        "shift": left.at.shift,
        "round": table.round_number,
        "state": table.state if table.started else "",
        "reason": table.reason,
    }


async def forget_facts(connection: AsyncConnection, log: int) -> None:
    """Take away all facts of a log, within the caller's transaction: they are derived anew from its
    first entry."""
    for table in (*TABLES, "progress"):
        await connection.execute(_FORGOTTEN.format(sql.Identifier(SCHEMA, table)), [log])
    await connection.execute("update floor.log set facts_upto = 0 where id = %s", [log])
