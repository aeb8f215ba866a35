"""Sessions whose program is stopped and not dead, as by SIGSTOP or a machine that was frozen.

One that is idle in a transaction the server ends by itself. One whose statements came in part, of
several that are sent together, it takes for busy and lets be for ever, with its locks. Whoever has
waited for a log's row in vain ends it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from psycopg import AsyncConnection
from psycopg.errors import LockNotAvailable

IDLE_S: Final = 5
"""A transaction waits for its program for so long."""

_END: Final = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = session_user
        and state = 'active' and wait_event = 'ClientRead'
        and state_change < clock_timestamp() - make_interval(secs => %s)
        and pid in (select pid from pg_locks
            where relation = 'floor.log'::regclass and granted and mode = 'RowShareLock')"""


@asynccontextmanager
async def ending_who_is_stopped(connection: AsyncConnection) -> AsyncIterator[None]:
    """Within the block a log's row is waited for. Where that is in vain, whoever is stopped and has
    any is ended: who asks again has it."""
    try:
        yield
    except LockNotAvailable:
        await connection.rollback()
        await connection.execute(_END, [IDLE_S])
        raise
