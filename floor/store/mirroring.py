"""The mirror's checkpoint: moved in one statement, where its entries are stored."""

from __future__ import annotations

from typing import Final

from psycopg import AsyncConnection

_MIRROR: Final = """
    with row as (
        select id from floor.log
        where origin = %(origin)s and mirror_size <= %(size)s and next_entry >= %(size)s
        for update),
    known as (
        select id, root from row join floor.checkpoint on log = id and size = %(size)s
        where root = %(root)s and role in ('pending', 'mirror') limit 1),
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
    come."""
    given = {"origin": origin, "size": size, "root": root, "text": text}
    return await (await connection.execute(_MIRROR, given)).fetchone() is not None
