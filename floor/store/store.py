"""The floor's store: PostgreSQL, by a pool of connections.

The rules:

- What is done within ``async with store.log(...)`` is stored whole when that block has ended
  without an exception, and not at all otherwise. An answer that promises it waits for that end.
- Each of its sessions waits for the disk at a commit, whatever the server does by default, and lets
  go of a lock when its program is stopped (:mod:`~floor.store.failing`): a collector that hangs
  holds up nobody.
- Whatever fails is :class:`~floor.store.failing.StoreFails`; then nobody knows whether it was
  stored, and the next :meth:`FloorStore.log` tells.
"""

from __future__ import annotations

import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege
from psycopg.rows import class_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from floor.store.failing import (
    IDLE_S,
    StoreBusy,
    StoreFails,
    ending_who_is_stopped,
    failures_in_words,
)
from floor.store.locked_log import LockedLog, Role, locked
from floor.store.mirroring import mirrored
from floor.store.progress import LogProgress, TableProgress, progress_of, tables_of
from floor.store.reading import leaves_of
from floor.store.schema import PAGE, check_schema
from floor.store.standing import RoleStanding, cosigned_again, standing_of

LOCK_S: Final = 8
"""More than a session that idles keeps a lock."""
STATEMENT_S: Final = 60
GONE_S: Final = 15
CONNECT_S: Final = 5
RECONNECT_S: Final = 2
"""The pool tries for so long by itself, at longer and longer intervals; whoever asks next has it
try at once. So a database that is back is found soon, however long it was away."""

# A server that is gone without a word, as its machine is: else a statement waits for hours.
_GONE: Final = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": GONE_S // 3,
    "keepalives_interval": GONE_S // 3,
    "keepalives_count": 2,
    "tcp_user_timeout": GONE_S * 1000,
}

_SESSION: Final = f"""
    set synchronous_commit = on;
    set idle_in_transaction_session_timeout = '{IDLE_S}s';
    set lock_timeout = '{LOCK_S}s';
    set statement_timeout = '{STATEMENT_S}s'"""

# Likewise of whoever has a session's locks: the server would keep them for two hours.
_HEARD: Final = f"""
    set tcp_keepalives_idle = {GONE_S // 3};
    set tcp_keepalives_interval = {GONE_S // 3};
    set tcp_keepalives_count = 2"""

_READS: Final = f"set role {PAGE}; set default_transaction_read_only = on"


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far a log is mirrored: entries ``[begins, next_entry)`` are stored, those before were
    removed by age; the mirror has cosigned ``mirror_size``; ``stored_at`` is when one was stored
    last."""

    origin: str
    table_name: str
    begins: int
    next_entry: int
    mirror_size: int
    stored_at: datetime | None


_WATERMARKS: Final = """
    select origin, table_name, begins, next_entry, mirror_size, stored_at from floor.log"""

_TEXT: Final = """
    select text from floor.checkpoint join floor.log on log.id = checkpoint.log
    where origin = %s and role = %s order by size desc limit 1"""


class FloorStore:
    """The store over a pool that is open; :meth:`open` makes it."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection]) -> None:
        self._pool = pool
        self._in_use = 0

    @classmethod
    @asynccontextmanager
    async def open(
        cls, dsn: str, most: int, *, reads_only: bool = False
    ) -> AsyncIterator[FloorStore]:
        """The store in that database, by at most so many connections; one that only reads does so
        in a role of its own.

        Raises:
            StoreFails: it does not answer, or has not the schema of this program.
        """
        with failures_in_words():  # a pool would tell only that it waited
            async with await AsyncConnection.connect(dsn, connect_timeout=CONNECT_S) as connection:
                await check_schema(connection)
                if reads_only:
                    await _read_only(connection)
        pool = AsyncConnectionPool(
            dsn,
            min_size=1,
            max_size=most,
            kwargs=_GONE,
            open=False,
            timeout=CONNECT_S,
            reconnect_timeout=RECONNECT_S,
            configure=_configure_reader if reads_only else _configure,
            check=_check,
        )
        with failures_in_words():
            await pool.open()
        try:
            yield cls(pool)
        finally:
            await pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection]:
        """A connection, in a transaction that ends with the block.

        Raises:
            StoreBusy: none was free for :data:`CONNECT_S`. StoreFails.
        """
        taken = 0
        try:
            with failures_in_words():
                async with self._pool.connection() as connection:
                    taken = 1
                    self._in_use += taken
                    yield connection
        except StoreFails as error:
            waited = isinstance(error.__cause__, PoolTimeout)
            if waited and self._in_use == self._pool.max_size:
                raise StoreBusy(self._in_use, self._pool.timeout) from error.__cause__
            raise
        finally:
            self._in_use -= taken

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one statement alone: a transaction by itself, without two more."""
        async with self.connection() as connection:
            await connection.set_autocommit(True)
            try:
                yield connection
            finally:
                await connection.set_autocommit(False)

    @asynccontextmanager
    async def log(self, origin: str, table: str) -> AsyncIterator[LockedLog]:
        """The log of that origin, which stands at that table: nobody else has it meanwhile."""
        async with self.connection() as connection:
            async with ending_who_is_stopped(connection):
                log = await locked(connection, origin, table)
            yield log
            await log.write()

    async def progress(self, origin: str, size: int) -> LogProgress | None:
        """How far a log is, and its checkpoint of that size (:mod:`floor.store.progress`); None:
        nothing of it was ever taken."""
        async with self._alone() as connection:
            return await progress_of(connection, origin, size)

    async def standing(self, origin: str, role: Role, size: int, root: bytes) -> RoleStanding:
        """How the role stands with a log (:func:`floor.store.standing.standing_of`)."""
        async with self._alone() as connection:
            return await standing_of(connection, origin, role, size, root)

    async def cosigned_again(self, origin: str, size: int, root: bytes, text: str) -> bool:
        """The witness has cosigned once more what it has taken
        (:func:`floor.store.standing.cosigned_again`)."""
        async with self._alone() as connection:
            return await cosigned_again(connection, origin, size, root, text)

    async def mirror(self, origin: str, size: int, root: bytes, text: str) -> bool:
        """The mirror has cosigned a checkpoint whose entries are stored
        (:func:`floor.store.mirroring.mirrored`)."""
        async with self.connection() as connection, ending_who_is_stopped(connection):
            return await mirrored(connection, origin, size, root, text)

    async def tables(self) -> list[TableProgress]:
        """How far the newest log of each table is."""
        async with self._alone() as connection:
            return await tables_of(connection)

    async def watermarks(self) -> list[Watermark]:
        """Those of all logs, by table."""
        async with self._alone() as connection:
            cursor = connection.cursor(row_factory=class_row(Watermark))
            return await (await cursor.execute(_WATERMARKS + " order by 2, 1")).fetchall()

    async def watermark(self, origin: str) -> Watermark | None:
        """That of one log; None: there is none of that origin."""
        async with self._alone() as connection:
            cursor = connection.cursor(row_factory=class_row(Watermark))
            return await (
                await cursor.execute(_WATERMARKS + " where origin = %s", [origin])
            ).fetchone()

    async def cosigned(self, origin: str, role: Role) -> str | None:
        """The newest checkpoint of a log that the role has cosigned; None: there is none."""
        async with self._alone() as connection:
            row = await (await connection.execute(_TEXT, [origin, role])).fetchone()
            return row[0] if row is not None else None

    async def leaves(self, origin: str, first: int, end: int) -> AsyncIterator[bytes]:
        """The entries ``[first, end)`` of a log, in order, each once; fewer where they are not
        stored.

        Raises:
            AlteredBundle: one is missing among them, or cannot be unpacked.
        """
        at = first
        while at < end:
            async with self.connection() as connection:
                found = await leaves_of(connection, origin, at, end)
            if not found:
                return
            for leaf in found:
                yield leaf
            at += len(found)


@asynccontextmanager
async def lasting_session(dsn: str, idle_s: int = 0) -> AsyncIterator[AsyncConnection]:
    """A session for locks that somebody has as long as it lasts. It ends within some
    :data:`GONE_S`, at either end, where the other one is gone without a word, and where nothing is
    asked in it for ``idle_s`` seconds; 0: it may idle."""
    with failures_in_words():
        made = AsyncConnection.connect(make_conninfo(dsn, **_GONE), autocommit=True)
        async with await made as connection:
            await connection.execute(f"{_HEARD}; set idle_session_timeout = '{idle_s}s'".encode())
            yield connection


async def _check(connection: AsyncConnection) -> None:
    """See that a connection is there: on one that idles something comes only when it ends."""
    idle = select.poll()
    idle.register(connection.fileno())
    if any(event & ~select.POLLOUT for _, event in idle.poll(0)):
        await AsyncConnectionPool.check_connection(connection)


async def _configure(connection: AsyncConnection) -> None:
    await connection.execute(_SESSION)
    await connection.commit()


async def _read_only(connection: AsyncConnection) -> None:
    try:
        await connection.execute(_READS)
    except InsufficientPrivilege as error:  # another user's floor in this cluster made the role
        raise StoreFails(
            f"the floor's database: {connection.info.user} may not read as {PAGE}: have its"
            f" administrator do 'grant {PAGE} to \"{connection.info.user}\"'"
        ) from error


async def _configure_reader(connection: AsyncConnection) -> None:
    await connection.execute(_READS)
    await _configure(connection)
