"""Journals in the floor's database, and what is derived there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from controller.evidence.tree import merkle
from controller.journal.export import lines
from controller.journal.reader import JournalReader
from controller.replay.journal_chain import Clock
from floor.facts.following import Follower, LogName
from floor.facts.rows import TABLES
from floor.store.store import FloorStore
from tests.floor.facts.kept import ZONE
from tests.floor.store.logs import DAY


def leaves_of(directory: Path) -> list[bytes]:
    """The leaves of a journal."""
    with JournalReader(directory) as reader:
        return [line.encode() for line in lines(reader)]


async def upload(
    store: FloorStore, table: str, leaves: Sequence[bytes], key: str = "origin"
) -> LogName:
    """Store the leaves that are not stored yet as the log of that table and key."""
    origin = f"{key}/{table}"
    async with store.log(origin, table) as log:
        stack = [*log.frontier]
        missing = leaves[log.next_entry :]
        for leaf in missing:
            merkle.push(stack, merkle.leaf_hash(leaf))
        await log.append(missing, stack, DAY)
        return LogName(log.id, origin, table)


async def follow(store: FloorStore, log: LogName, end: int) -> Follower:
    """Derive the facts of all that is stored of it."""
    follower = Follower(store, Clock(ZONE), log)
    while await follower.step(end):
        pass
    return follower


def rows_of(dsn: str) -> dict[str, list[Any]]:
    """Every row of every table of facts, in one order; terms by what they say."""
    found: dict[str, list[Any]] = {}
    with psycopg.connect(dsn) as connection:
        for table in (*TABLES, "progress"):
            whole = connection.execute(f"select to_jsonb(t) from floor_facts.{table} t").fetchall()
            found[table] = sorted(str(row) for row in whole)
        found["upto"] = connection.execute("select id, facts_upto from floor.log").fetchall()
    return found
