"""The accounts of tables, for a gaming day or a shift, out of the facts: as the ledger of a table
itself keeps them, so that one function reports on both.

A table counts its shifts in its journal. Where that was begun anew a number names two shifts of a
table: each has an account of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final

from psycopg import AsyncConnection, sql

from controller.counters.figures import Money
from controller.counters.ledger import HeldTime, SpanAccount
from floor.facts.entry_facts import CORRECTION, SECOND_PERSON, VOID, VOID_AFTER_DRAW


class NothingTold(Exception):
    """Nothing is known of what was asked for; the message says of what, and what there is."""


_OF_JOURNAL: Final = "origin in (select origin from floor_facts.journals where journal = {})"


@dataclass(frozen=True, slots=True)
class AskedSpan:
    """A gaming ``day``, or those from there to ``until``; or the ``shift`` of that number; of one
    ``table``, or of all (None) ``without`` some; of one ``journal``, or of all."""

    day: date | None = None
    shift: int | None = None
    table: str | None = None
    until: date | None = None
    journal: str | None = None
    without: tuple[str, ...] = ()

    @property
    def where(self) -> sql.Composed:
        """The condition by which the rows of a view are of it."""
        given = (
            ("day", ">=" if self.until else "=", self.day),
            ("day", "<=", self.until),
            ("shift", "=", self.shift),
            ("table_name", "=", self.table),
        )
        parts = [
            sql.SQL("{} {} {}").format(sql.Identifier(name), sql.SQL(how), sql.Literal(value))
            for name, how, value in given
            if value is not None
        ]
        if self.without:
            parts.append(sql.SQL("table_name <> all({})").format([*self.without]))
        if self.journal is not None:
            parts.append(sql.SQL(_OF_JOURNAL).format(self.journal))
        return sql.SQL(" and ").join(parts) if parts else sql.SQL("true").format()

    def __str__(self) -> str:
        if self.until is not None:
            return f"days {self.day} to {self.until}"
        return f"day {self.day}" if self.day else f"shift {self.shift}"


@dataclass(slots=True)
class DocumentMoney:
    """What was wagered under one rule document: by kind of wager. ``staked`` are main wagers before
    the deal, ``squares`` the sum of their squares; ``weights`` are those of the multiplier."""

    document: str
    rules: str
    money: dict[str, Money] = field(default_factory=dict)
    staked: int = 0
    squares: int = 0
    weights: list[str] = field(default_factory=list)


@dataclass(slots=True)
class TableAccount:
    """The account of one table, and its money by rule document and the digest of its file; of a
    shift of one ``journal``, from ``first_day`` on, where there is more than one of its number."""

    table: str
    journal: str | None = None
    first_day: date | None = None
    account: SpanAccount = field(default_factory=SpanAccount)
    documents: dict[tuple[str, str], DocumentMoney] = field(default_factory=dict)

    def document_money(self, document: str, rules: str) -> DocumentMoney:
        """That of one document."""
        return self.documents.setdefault((document, rules), DocumentMoney(document, rules))


_DAYS: Final = "select distinct day from floor_facts.spans where {}"
_JOURNALS: Final = """
    select table_name, journal, min(day), count(*) over (partition by table_name) > 1
    from floor_facts.spans join floor_facts.journals using (table_name, origin)
    where {} group by table_name, journal order by table_name, min(day), journal"""
_NEWEST: Final = """
    select day from (select distinct day from floor_facts.spans where {0}
        order by day desc limit 400) as days
    where exists (select from floor_facts.rounds where rounds.day = days.day and {0})
    order by day desc limit 1"""
_ROUNDS: Final = """
    select table_name, document, rules, count(*) filter (where outcome = 'settled'),
        count(*) filter (where outcome = 'void'), sum(staked)::bigint, sum(squares)::bigint,
        array_agg(distinct weights)
    from floor_facts.rounds where {} group by 1, 2, 3"""
_MONEY: Final = """
    select table_name, document, rules, kind, sum(wagers)::bigint, sum(untold)::bigint,
        sum(wagered)::bigint, sum(paid)::bigint, sum(returned)::bigint, sum(given_back)::bigint
    from floor_facts.money where {} group by 1, 2, 3, 4 order by 1, 2, 3, 4"""
_DRAWS: Final = """
    select table_name, weights, multiplier, count(*) from floor_facts.draws where {}
    group by 1, 2, 3 order by 1, 2, 3"""
_ACTS: Final = """
    select table_name, what, by, count(*) from floor_facts.acts where {} group by 1, 2, 3
    order by 1, 2, min(wall), 3"""
_SPANS: Final = """
    select table_name, sum(ran_ns)::bigint, sum(cards)::bigint, sum(shoes)::bigint
    from floor_facts.spans where {} group by 1"""
_HELD: Final = """
    select table_name, fault, sum(count)::bigint, sum(ns)::bigint
    from floor_facts.held_times where {} group by 1, 2 order by 1, 2"""
_TIMES: Final = """
    select table_name, min(opened), max(ended) from floor_facts.rounds where {} group by 1"""


async def accounts_of(connection: AsyncConnection, asked: AskedSpan) -> list[TableAccount]:
    """The accounts of the tables that have anything in that span, by name.

    Raises:
        NothingTold: none has.
    """
    apart: list[tuple[str, str, date]] = []
    if asked.shift is not None:
        told = await connection.execute(sql.SQL(_JOURNALS).format(asked.where), prepare=False)
        apart = [row[:3] for row in await told.fetchall() if row[3]]
    tables = tuple({table for table, *_ in apart})
    accounts = await _accounts(connection, replace(asked, without=tables))
    for table, journal, day in apart:
        for one in await _accounts(connection, replace(asked, table=table, journal=journal)):
            one.journal, one.first_day = journal, day
            accounts.append(one)
    if not accounts:
        at, newest = f" at {asked.table}" if asked.table else "", await _newest(connection, asked)
        there = f"the newest day with rounds is {newest}" if newest else "no rounds are known"
        raise NothingTold(f"no table has told anything of {asked}{at}: {there}{at}")
    return sorted(accounts, key=lambda one: (one.table, one.first_day or date.min))


async def _newest(connection: AsyncConnection, asked: AskedSpan) -> date | None:
    """The newest gaming day with rounds, of the table that is asked for."""
    where = AskedSpan(table=asked.table).where
    whole = sql.SQL(_NEWEST).format(where)
    row = await (await connection.execute(whole, prepare=False)).fetchone()
    return row[0] if row else None


async def _accounts(connection: AsyncConnection, asked: AskedSpan) -> list[TableAccount]:
    found: dict[str, TableAccount] = {}
    where = asked.where
    if asked.day is None:  # else the partitions of all years would be looked at
        of_shift = await connection.execute(sql.SQL(_DAYS).format(where), prepare=False)
        days = [day for (day,) in await of_shift.fetchall()]
        if not days:
            return []
        # A view that joins two tables hands one day on to both, and several to one of them.
        its = sql.Literal(days[0]) if len(days) == 1 else sql.SQL("any({})").format(days)
        where = sql.SQL("{} and day = {}").format(where, its)

    async def rows(query: str) -> Iterable[tuple[TableAccount, Any]]:
        whole = sql.SQL(query).format(where)
        told = await (await connection.execute(whole, prepare=False)).fetchall()
        return [(found.setdefault(row[0], TableAccount(row[0])), row[1:]) for row in told]

    for one, (ran_ns, cards, shoes) in await rows(_SPANS):
        one.account.ran_ns, one.account.shoes = ran_ns, shoes
        one.account.figures.cards = cards
    for one, (document, rules, settled, void, *played) in await rows(_ROUNDS):
        one.account.figures.rounds += settled
        one.account.figures.void += void
        of = one.document_money(document, rules)
        of.staked, of.squares, of.weights = played
    for one, (document, rules, kind, *money) in await rows(_MONEY):
        one.document_money(document, rules).money[kind] = Money(*money)
        one.account.figures.money.setdefault(kind, Money()).add(Money(*money))
    for one, (weights, multiplier, drawn) in await rows(_DRAWS):
        one.account.figures.draws.setdefault(weights, {})[multiplier] = drawn
    for one, (what, by, count) in await rows(_ACTS):
        _by_name(one.account, what)[by] = count
    for one, (fault, count, ns) in await rows(_HELD):
        one.account.holds[fault] = HeldTime(count, ns)
    for one, (since, until) in await rows(_TIMES):
        one.account.since, one.account.until = _text(since), _text(until)
    return [*found.values()]


def _by_name(account: SpanAccount, what: str) -> dict[str, int]:
    figures = account.figures
    by_name = {
        VOID: figures.voids,
        VOID_AFTER_DRAW: figures.voids_after_draw,
        CORRECTION: figures.corrections,
        SECOND_PERSON: account.second_person,
    }
    return by_name.get(what, defaultdict(int))


def _text(time: datetime | None) -> str:
    return time.isoformat() if time else ""
