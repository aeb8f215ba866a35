"""Where a log stands, read without its lock: most of what is asked again needs no more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from psycopg import AsyncConnection
from psycopg.rows import class_row

from controller.evidence.tree.merkle import EMPTY
from floor.store.locked_log import Role

_NEWEST: Final = {
    "mirror": "pending_size as size, pending_root as root",
    "witness": "witness_size as size, witness_root as root",
}

_STANDING: Final = """
    select {newest}, array(
        select role from floor.checkpoint where log = id and size = %s and root = %s) as taken_as
    from floor.log where origin = %s"""

_AGAIN: Final = """
    update floor.checkpoint set text = %s, taken_at = now() from floor.log
    where log = id and origin = %s and role = 'witness' and size = %s and root = %s"""


@dataclass(frozen=True, slots=True)
class RoleStanding:
    """Size and root of the newest checkpoint that a role has taken; ``taken_as`` says as what the
    one that was asked for is known: ``pending``, ``mirror``, ``witness``."""

    size: int = 0
    root: bytes = EMPTY
    taken_as: list[str] = field(default_factory=list)


async def standing_of(
    connection: AsyncConnection, origin: str, role: Role, size: int, root: bytes
) -> RoleStanding:
    """How the role stands with that log, and whether a checkpoint of that size and root is one of
    those that were taken last."""
    async with connection.cursor(row_factory=class_row(RoleStanding), binary=True) as cursor:
        asked = _STANDING.format(newest=_NEWEST[role]).encode()
        found = await (await cursor.execute(asked, [size, root, origin])).fetchone()
    return found or RoleStanding()


async def cosigned_again(
    connection: AsyncConnection, origin: str, size: int, root: bytes, text: str
) -> bool:
    """The witness has cosigned again a checkpoint that it knows; False: it knows none such."""
    return (await connection.execute(_AGAIN, [text, origin, size, root])).rowcount == 1
