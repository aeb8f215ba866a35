"""A collector's part at the store, as a process: it appends to logs that others append to as well,
and prints what it would have answered.

    python -m tests.floor.store.appender DSN SEED LOGS ENTRIES

Each line is ``ORIGIN NEXT_ENTRY``, printed when the transaction has ended well. It ends when all
logs have so many entries, whoever stored them.
"""

from __future__ import annotations

import asyncio
import sys
from random import Random

from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from tests.floor.store.logs import TABLE, pending, send

MOST = 60
"""Entries at a time: a few rounds, and now and then the end of a block."""


def origins(count: int) -> list[str]:
    return [f"table-controller/{number:016x}" for number in range(count)]


async def append(store: FloorStore, origin: str, entries: int, chance: Random) -> bool:
    async with store.log(origin, TABLE) as log:
        end = min(entries, log.next_entry + chance.randrange(MOST))
        await send(log, end)
        checkpoint = await pending(log)
    await store.mirror(origin, *checkpoint)
    print(origin, end, flush=True)
    return end < entries


async def append_all(dsn: str, seed: int, logs: int, entries: int) -> None:
    chance = Random(seed)
    due = origins(logs)
    while due:
        try:
            async with FloorStore.open(dsn, most=2) as store:
                while due:
                    origin = chance.choice(due)
                    if not await append(store, origin, entries, chance):
                        due.remove(origin)
        except StoreFails as error:
            print(error, file=sys.stderr, flush=True)


if __name__ == "__main__":
    given = sys.argv
    asyncio.run(append_all(given[1], int(given[2]), int(given[3]), int(given[4])))
