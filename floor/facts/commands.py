"""``table-floor report`` and ``table-floor rebuild``."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable
from datetime import date
from pathlib import Path
from typing import Final, TypeVar

from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.replay.journal_chain import Clock
from floor.configuration import FloorSettings
from floor.facts.following import Follower, LogName, own
from floor.facts.report.accounts import AskedSpan, NothingTold, TableAccount, accounts_of
from floor.facts.report.expected import Expectations
from floor.facts.report.floor_report import report_of
from floor.facts.report.printed import PARTS, as_csv, as_text
from floor.facts.rows import forget_facts, progress_of_facts
from floor.facts.worker import EVERY_S
from floor.store.failing import StoreFails
from floor.store.reading import AlteredBundle
from floor.store.store import FloorStore, lasting_session

_LOGS: Final = """
    select id, origin, table_name, next_entry, begins from floor.log
    where %(table)s::text is null or table_name = %(table)s order by table_name, origin"""

T = TypeVar("T")


def add_report(parser: argparse.ArgumentParser) -> None:
    """The options of ``report``."""
    span = parser.add_mutually_exclusive_group(required=True)
    span.add_argument("--day", metavar="DATE", type=_day, help="a gaming day, as 2026-11-26")
    span.add_argument(
        "--days",
        metavar=("FIRST", "LAST"),
        nargs=2,
        type=_day,
        help="the gaming days from the one to the other, both included: a month, a year",
    )
    span.add_argument("--shift", metavar="N", type=int, help="the tables' shift of that number")
    parser.add_argument("--table", metavar="NAME", help="of this table alone")
    parser.add_argument(
        "--expected",
        metavar="FOLDER",
        type=Path,
        help="DIGEST.json for each rule file: what 'tablectl simulate --json' has printed",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument(
        "--csv",
        nargs="?",
        const=PARTS[0],
        choices=PARTS,
        help=f"a part of it as CSV ({PARTS[0]})",
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        message = f"{text!r} is no day; expected one as 2026-11-26"
        raise argparse.ArgumentTypeError(message) from error


def report(settings: FloorSettings, given: argparse.Namespace) -> None:
    """Print the report.

    Raises:
        NotDone: 1, the database; 2, nothing is known of that span, or a file cannot be used.
    """
    first, last = given.days or (given.day, None)
    if last is not None and last < first:
        raise NotDone(WRONG_USE, f"--days {first} {last}: expected the earlier day first")
    if given.expected is not None and not given.expected.is_dir():
        raise NotDone(
            WRONG_USE,
            f"--expected {given.expected}: there is no such folder; make it, or leave it out",
        )
    asked = AskedSpan(first, given.shift, given.table, last)
    try:
        accounts = asyncio.run(_result_of(_accounts(settings, asked)))
    except NothingTold as error:
        raise NotDone(WRONG_USE, str(error)) from error
    made = report_of(asked, accounts, settings, Expectations(given.expected))
    if given.json:
        text = json.dumps(made, indent=2) + "\n"
    else:
        text = as_csv(made, given.csv) if given.csv else as_text(str(asked), made)
    sys.stdout.write(text)


async def _accounts(settings: FloorSettings, asked: AskedSpan) -> list[TableAccount]:
    async with FloorStore.open(settings.database, 1) as store, store.connection() as connection:
        return await accounts_of(connection, asked)


def add_rebuild(parser: argparse.ArgumentParser) -> None:
    """The options of ``rebuild``."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--table", metavar="NAME", help="of this table")
    which.add_argument("--all", action="store_true", help="of every table")


def rebuild(settings: FloorSettings, given: argparse.Namespace) -> None:
    """Take the facts away and derive them anew from the stored entries.

    Raises:
        NotDone: 1, the database, or entries are not as they were stored; 2, there is no such
            table; 3, a log's beginning was removed.
    """
    if not asyncio.run(_result_of(_rebuilt(settings, given.table))):
        raise NotDone(WRONG_USE, f"there is no table {given.table!r} in the floor's database")


async def _rebuilt(settings: FloorSettings, table: str | None) -> int:
    """Rebuild the logs of that table (None: all); how many they are."""
    async with FloorStore.open(settings.database, 1) as store:
        async with store.connection() as connection:
            logs = await (await connection.execute(_LOGS, {"table": table})).fetchall()
        for number, origin, name, end, begins in logs:
            if begins:
                raise NotDone(
                    NOT_PERMITTED,
                    f"{name} ({origin}): the entries before {begins} were removed by age, and with"
                    " them what its facts were derived from: they stay as they are",
                )
            await _derive_anew(store, settings, LogName(number, origin, name), end)
            print(f"{name}: {end} entries of {origin}")
        return len(logs)


async def _derive_anew(store: FloorStore, settings: FloorSettings, log: LogName, end: int) -> None:
    """Derive one log's facts anew; where a collector follows it, have that do it, and wait."""
    async with store.connection() as connection:
        await forget_facts(connection, log.number)
    async with lasting_session(settings.database) as owner:
        if await own(owner, log.number):
            follower = Follower(store, Clock(settings.zone), log)
            while await follower.step(end):
                pass
            if follower.halted:
                raise NotDone(NOT_WELL, f"{log.table}: {follower.halted}")
            return
    while not await _is_there(store, log.number, end):
        await asyncio.sleep(EVERY_S)


async def _is_there(store: FloorStore, log: int, end: int) -> bool:
    async with store.connection() as connection:
        progress = await progress_of_facts(connection, log)
    if progress.halted:
        raise NotDone(NOT_WELL, progress.halted)
    return progress.upto >= end


async def _result_of(work: Awaitable[T]) -> T:
    """What the work gives; the database's failures as who asked is told them."""
    try:
        return await work
    except (StoreFails, AlteredBundle) as error:
        raise NotDone(NOT_WELL, str(error)) from error
