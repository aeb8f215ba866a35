"""The mirror's checkpoint: moved behind the lock of its log's row, where its entries are stored.

The lock is a statement of its own. A statement sees what was committed when it began: one that
waited for the lock itself would not see the checkpoint that whoever had it has stored.
"""

from __future__ import annotations

from typing import Final

from psycopg import AsyncConnection

_LOCK: Final = "select from floor.log where origin = %s for update"

_MIRROR: Final = """
    with known as (
        select id, root from floor.log join floor.checkpoint on log = id and size = %(size)s
        where origin = %(origin)s and mirror_size <= %(size)s and next_entry >= %(size)s
            and root = %(root)s and role in ('pending', 'mirror') limit 1),
    kept as (
        insert into floor.checkpoint (log, role, size, root, text)
        select id, 'mirror', %(size)s, root, %(text)s from known
        on conflict (log, role, size) do update set text = excluded.text, taken_at = now()),
    gone as (
        delete from floor.checkpoint using known
        where log = id and role = 'mirror' and size < %(size)s)
    update floor.log set mirror_size = %(size)s from known where log.id = known.id
    returning log.id"""


async def mirrored(
    connection: AsyncConnection, origin: str, size: int, root: bytes, text: str
) -> bool:
    """Take the pending checkpoint of that size and root as the mirror's, which has cosigned it:
    ``text`` is all of it. False, and nothing is done, where no such one is known (the database was
    put back, and another came in its place), a later one was cosigned, or there are entries yet to
    come. Within a transaction, which is committed: all of it is one round trip."""
    given = {"origin": origin, "size": size, "root": root, "text": text}
    async with connection.pipeline():
        await connection.execute(_LOCK, [origin])
        moved = await connection.execute(_MIRROR, given)
        await connection.commit()
        return await moved.fetchone() is not None
