"""Blocks of 256 entries, by the node of the tree above each: what is stored is known by these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from psycopg import AsyncConnection

from controller.evidence.tree import merkle
from floor.protocol.packages import BLOCK, LEVEL

_HASHES: Final = """
    select hash from floor.block where log = %s and number < %s order by number"""


def block_hash(leaves: Sequence[bytes]) -> bytes:
    """The node above the leaves of a whole block."""
    stack = stack_behind([], leaves)
    return merkle.joined(value for _, value in stack)


def stack_of(hashes: Iterable[bytes]) -> list[tuple[int, bytes]]:
    """The frontier behind the blocks of those hashes."""
    stack: list[tuple[int, bytes]] = []
    for value in hashes:
        merkle.push(stack, value)
    return [(level + LEVEL, value) for level, value in stack]


def stack_behind(
    stack: Sequence[tuple[int, bytes]], leaves: Iterable[bytes]
) -> list[tuple[int, bytes]]:
    """The frontier behind those leaves, which come behind the frontier in ``stack``."""
    made = [*stack]
    for leaf in leaves:
        merkle.push(made, merkle.leaf_hash(leaf))
    return made


async def block_hashes(connection: AsyncConnection, log: int, entries: int) -> list[bytes]:
    """Those of the blocks that the first entries fill, in order; fewer where some are missing."""
    given = [log, entries // BLOCK]
    found = await connection.execute(_HASHES, given, binary=True)
    return [value for (value,) in await found.fetchall()]
