"""A log whose row is locked: what is said of it is written whole, or not at all.

The rules:

- Entries are stored behind ``next_entry`` and nowhere else, whoever sends them: that makes each of
  them stored once.
- The frontier is made of the leaves that are stored, and has to be the one that was proven.
- While a block that was altered is sent again (:mod:`floor.store.repair`), ``next_entry`` and
  ``frontier`` are those in the hole; behind it they are again where the log had been.
- What is written is sent together with the row at the end (:meth:`LockedLog.write`), and committed
  with it: a round trip to the database costs more than most of what it does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, Literal, LiteralString

from psycopg import AsyncConnection

from controller.evidence.tree import merkle
from floor.protocol.packages import BLOCK, LEVEL, Frontier
from floor.store.bundles import UNDATED, believed, packed, pieces
from floor.store.log_row import UPDATE, LogRow, frontier_of, hashes_of, locked_row
from floor.store.partitions import has_partition, make_partition, may_open

Role = Literal["mirror", "witness"]
Params = Sequence[object] | Mapping[str, object]
KEPT_TAKEN: Final = 16
"""So many of the checkpoints that a role took last are known: those of the mirror may be uploaded
to, and one that comes again, late, contradicts nothing."""

MOST_REFUSALS: Final = 1000
"""Of one log and status: who has its key could fill the disk with forks. Old checkpoints, which
come again without it, leave the forks their room."""


_BUNDLE: Final = """
    with kept as (
        insert into floor.bundle (log, day, first, entries, lines)
        values (%(log)s, %(day)s, %(first)s, %(entries)s, %(lines)s))
    insert into floor.span as old (log, day, first, until)
    values (%(log)s, %(day)s, %(first)s, %(until)s)
    on conflict (log, day) do update
        set first = least(old.first, excluded.first), until = greatest(old.until, excluded.until)"""

_BLOCK: Final = """
    insert into floor.block (log, number, hash) values (%s, %s, %s)
    on conflict (log, number) do update set hash = excluded.hash"""

_CHECKPOINT: Final = """
    insert into floor.checkpoint (log, role, size, root, text) values (%s, %s, %s, %s, %s)
    on conflict (log, role, size) do update
        set root = excluded.root, text = excluded.text, taken_at = now()"""

_KEEP_LAST: Final = """
    delete from floor.checkpoint where log = %(log)s and role = %(role)s and size < (
        select min(size) from (
            select size from floor.checkpoint where log = %(log)s and role = %(role)s
            order by size desc limit %(most)s) as kept)"""

_PENDING: Final = """
    select root, text from floor.checkpoint
    where log = %s and size = %s and role in ('pending', 'mirror')
    order by role desc limit 1"""

_REFUSED: Final = """
    insert into floor.refusal as old (log, role, status, digest, words, text)
    select %(log)s, %(role)s, %(status)s, %(digest)s, %(words)s, %(text)s
    where (select count(*) from floor.refusal
            where log = %(log)s and status = %(status)s) < %(most)s or exists (
        select from floor.refusal
        where log = %(log)s and status = %(status)s and digest = %(digest)s)
    on conflict (log, status, digest) do update set times = old.times + 1, last_at = now()"""


async def locked(connection: AsyncConnection, origin: str, table: str) -> LockedLog:
    """The log of that origin, at that table; its row is made at first. Within a transaction."""
    return LockedLog(connection, await locked_row(connection, origin, table), table)


class LockedLog:
    """One log, and the transaction that holds its row; :attr:`connection` is for what else is to
    be written with it."""

    def __init__(self, connection: AsyncConnection, row: LogRow, table: str) -> None:
        self.connection = connection
        self._due: list[tuple[LiteralString, Params]] = []
        self._found = row
        self._row = replace(row, table_name=table)
        self.frontier = frontier_of(row.next_entry, row.frontier)

    @property
    def id(self) -> int:
        """Its number in the database."""
        return self._row.id

    @property
    def next_entry(self) -> int:
        """The number of the entry that is wanted next."""
        return self._row.next_entry

    @property
    def mirrored(self) -> int:
        """The size of the checkpoint that the mirror has cosigned."""
        return self._row.mirror_size

    def standing(self, role: Role) -> tuple[int, bytes]:
        """Size and root of the newest checkpoint that the role has taken; an empty tree's first."""
        row = self._row
        if role == "witness":
            return row.witness_size, row.witness_root
        return row.pending_size, row.pending_root

    async def stand(self, role: Role, size: int, root: bytes, text: str) -> None:
        """The role has taken a checkpoint; ``text`` is all of it, signed."""
        if role == "witness":
            self._keep_checkpoint("witness", size, root, text, most=KEPT_TAKEN)
            self._row = replace(self._row, witness_size=size, witness_root=root)
        else:
            self._keep_checkpoint("pending", size, root, text, most=KEPT_TAKEN)
            self._row = replace(self._row, pending_size=size, pending_root=root)

    async def pending(self, size: int) -> tuple[bytes, str] | None:
        """Root and text of a checkpoint of that size, to which entries may be uploaded: one of the
        last that were taken, or the mirror's own."""
        await self._send()
        found = await self.connection.execute(_PENDING, [self.id, size], binary=True)
        return await found.fetchone()

    async def append(self, leaves: Sequence[bytes], frontier: Frontier, day: date) -> None:
        """Store leaves behind :attr:`next_entry`; ``frontier`` is that behind them, as it was
        proven, ``day`` the gaming day of the first.

        Raises ValueError where they lead to another frontier, or one of them is no line.
        """
        stack, first = [*self.frontier], self.next_entry
        blocks = _pushed(stack, first, leaves)
        if stack != [*frontier]:
            raise ValueError("the leaves are not those that were proven")
        day = believed(day, self._row.today)
        if leaves and day != UNDATED and not await self._opened(day):
            day = UNDATED
        for at, part in pieces(first, leaves):
            self._bundle(day, at, part)
        for number, value in blocks:
            self._due.append((_BLOCK, [self.id, number, value]))
        self._move(first + len(leaves), stack)

    async def _opened(self, day: date) -> bool:
        """Whether bundles of the day have a partition; it is made where it may be."""
        if await has_partition(self.connection, "bundle", day):
            return True
        row = self._row
        if not await may_open(self.connection, row.id, row.next_entry, day, row.today):
            return False
        await make_partition(self.connection, "bundle", day)
        return True

    async def refused(self, role: Role, status: int, words: str, text: str) -> None:
        """Keep what was refused, as evidence: the same text once, with the number of times."""
        digest = hashlib.sha256(text.encode()).digest()
        given: dict[str, object] = {"log": self.id, "role": role, "status": status}
        given |= {"digest": digest, "words": words, "text": text, "most": MOST_REFUSALS}
        self._due.append((_REFUSED, given))

    @property
    def is_filling(self) -> bool:
        """Whether a block is being sent again."""
        return self._row.hole_end is not None

    def put_back(self, first: int, frontier: Frontier, end: int) -> None:
        """Have the entries ``[first, end)`` sent again; ``frontier`` is that before them."""
        row = replace(self._row, next_entry=first, frontier=hashes_of(frontier))
        row = replace(row, compacted=min(row.compacted, first // BLOCK))
        if end < self._row.next_entry:
            ahead = self._row.next_entry, self._row.frontier
            row = replace(row, hole_end=end, ahead_entry=ahead[0], ahead_frontier=ahead[1])
        self._row, self.frontier = row, [*frontier]

    async def write(self) -> None:
        """Write the row, where it is another than it was found, and commit all."""
        if self._row != self._found:
            given = {name: getattr(self._row, name) for name in LogRow.__slots__}
            self._due.append((UPDATE, given))
        async with self.connection.pipeline():
            await self._send()
            # Connection.commit() waits for answers before all that is long has been sent (psycopg
            # 3.3), and so for ever; the pipeline's end sends it first.
            await self.connection.execute("commit")

    async def _send(self) -> None:
        due, self._due = self._due, []
        for statement, given in due:
            await self.connection.execute(statement, given)

    def _keep_checkpoint(self, role: str, size: int, root: bytes, text: str, *, most: int) -> None:
        self._due += [
            (_CHECKPOINT, [self.id, role, size, root, text]),
            (_KEEP_LAST, {"log": self.id, "role": role, "most": most}),
        ]

    def _bundle(self, day: date, first: int, leaves: Sequence[bytes]) -> None:
        given: dict[str, object] = {"log": self.id, "day": day, "first": first}
        given |= {"until": first + len(leaves)}
        given |= {"entries": len(leaves), "lines": packed(leaves)}
        self._due.append((_BUNDLE, given))

    def _move(self, next_entry: int, frontier: Frontier) -> None:
        """The next entry is that one; behind a hole that is filled, the one ahead of it."""
        row = replace(self._row, next_entry=next_entry, frontier=hashes_of(frontier))
        if row.hole_end == next_entry:
            assert row.ahead_entry is not None
            assert row.ahead_frontier is not None
            row = replace(row, next_entry=row.ahead_entry, frontier=row.ahead_frontier)
            row = replace(row, hole_end=None, ahead_entry=None, ahead_frontier=None)
        self._row = row
        self.frontier = frontier_of(row.next_entry, row.frontier)


def _pushed(
    stack: list[tuple[int, bytes]], first: int, leaves: Sequence[bytes]
) -> list[tuple[int, bytes]]:
    """Put the leaves behind the frontier; returns the blocks that came to be complete, each its
    number and hash."""
    blocks = []
    for at, leaf in enumerate(leaves, first + 1):
        made = merkle.push(stack, merkle.leaf_hash(leaf))
        blocks += [(at // BLOCK - 1, value) for level, value in made if level == LEVEL]
    return blocks
