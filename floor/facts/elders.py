"""Two logs of one journal: a table that signs with another key is a new log, which has the same
entries again from the first one on. Their facts are told once.

The rules:

- What the older log of the same table has, too, is told of that one. Two entries of the same number
  are the same where their lines are: each has the digest of all before it.
- What was counted from the last snapshot that both have is told of the newer log.
- The views leave out the rest (``floor_facts.logs``); rows are kept of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from psycopg import AsyncConnection

from floor.store.reading import leaves_of

_ELDER: Final = """
    select elder.id, elder.origin, elder.next_entry, coalesce(shared.upto, 0), log.facts_upto
    from floor.log join floor.log as elder
        on elder.table_name = log.table_name and elder.id < log.id
    left join floor_facts.shared on shared.log = log.id
    where log.id = %s order by elder.id desc limit 1"""

_KEEP: Final = """
    insert into floor_facts.shared (log, elder, upto, segment) values (%s, %s, %s, %s)
    on conflict (log) do update set elder = excluded.elder, upto = excluded.upto,
        segment = excluded.segment"""


@dataclass(frozen=True, slots=True)
class Elder:
    """The older log of the same table: its number, its ``origin``, and how many entries it has;
    ``shared`` are those known to be the same in both. ``goes_on``: so far all have been."""

    number: int
    origin: str
    entries: int
    shared: int
    goes_on: bool


async def elder_of(connection: AsyncConnection, log: int) -> Elder | None:
    """That of the log of that number; None where its table has had no other key."""
    row = await (await connection.execute(_ELDER, [log])).fetchone()
    if row is None:
        return None
    number, origin, entries, shared, upto = row
    return Elder(number, origin, entries, shared, shared == upto)


async def compare(
    connection: AsyncConnection, origin: str, elder: Elder, upto: int
) -> tuple[int, bool]:
    """How many of the first ``upto`` entries both have, and whether that is all of them."""
    low, high = elder.shared, min(upto, elder.entries)
    if high > low and await _same(connection, origin, elder, high):
        low = high
    while high - low > 1:
        middle = (low + high) // 2
        if await _same(connection, origin, elder, middle):
            low = middle
        else:
            high = middle
    return low, low == upto


async def _same(connection: AsyncConnection, origin: str, elder: Elder, number: int) -> bool:
    """Whether the entry of that number is the same in both."""
    one, other = [
        await leaves_of(connection, each, number - 1, number) for each in (origin, elder.origin)
    ]
    return bool(one) and one == other


async def store_elder(
    connection: AsyncConnection, log: int, elder: Elder, shared: int, segments: Iterable[int]
) -> None:
    """Remember it; ``segments`` are the snapshots of the log that matter."""
    segment = max((one for one in segments if one <= shared), default=0)
    await connection.execute(_KEEP, [log, elder.number, shared, segment])
