"""A collector's part at the store, as a process that is stopped while it has a log's row.

    python -m tests.floor.store.holder DSN HOW

HOW is ``between`` two statements, or ``within`` some that are sent together. It stops itself by
SIGSTOP as soon as it has the row.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from floor.store.store import FloorStore
from tests.floor.store.logs import ORIGIN, TABLE


async def hold(dsn: str, how: str) -> None:
    async with FloorStore.open(dsn, most=1) as store:
        if how == "between":
            async with store.log(ORIGIN, TABLE):
                os.kill(os.getpid(), signal.SIGSTOP)
        async with store.connection() as connection, connection.pipeline():
            await connection.execute("select from floor.log for update")
            os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    asyncio.run(hold(sys.argv[1], sys.argv[2]))
