"""Following one log: its entries are read, derived, and what they say is written.

The rules:

- One goes on from the last snapshot at which facts are written: what stands between it and there is
  derived again, and nothing of it is written twice.
- Who finds that somebody else has written begins again from what is written.
- An entry that cannot be played ends it: what was before it is written, with why it is no further.
- So does one whose facts no database takes (a text with a NUL, a number of twenty digits): what was
  derived together with it is halved until it alone is left. No log ends another's.
- So does a snapshot from which one should go on and that cannot be read, where the entries before
  it were removed by age: there is nothing else to derive from.
- A table that signs with another key is a new log, which has the same entries again from the first
  one on. What the older log of the table has, too, is told of that one. Two entries of the same
  number are the same where their lines are: each has the digest of all before it.
- What was counted from the last snapshot that both logs have is told of the newer one. The views
  leave out the rest (``floor_facts.logs``); rows are kept of both."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from psycopg import AsyncConnection, DataError

from controller.forms.json_values import WrongForm
from controller.journal.export import read_line
from controller.replay.journal_chain import Clock
from controller.table.snapshot import BadSnapshot
from drivers.printable import printable
from floor.facts.columns import AsLeft
from floor.facts.deriving import Deriver, Underivable
from floor.facts.kinds import Batch, StretchFact
from floor.facts.rows import FactsProgress, FactWriter, WrittenElsewhere, progress_of_facts
from floor.store.failing import StoreFails
from floor.store.reading import AlteredBundle, leaves_of
from floor.store.store import FloorStore

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


AT_ONCE: Final = 2048
"""Entries that are derived before they are written."""

FOLLOWED: Final = 0x66616374
"""The locks of who follows logs are this and the number of the log: "fact" in ASCII."""

_HALTED: Final = """
    insert into floor_facts.progress (log, halted) values (%s, %s)
    on conflict (log) do update set halted = excluded.halted"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LogName:
    """A log: its number in the database, its origin, and its table."""

    number: int
    origin: str
    table: str


async def own(session: AsyncConnection, log: int) -> bool:
    """Whether nobody else follows that log: from now on the one does who has the session, until
    that ends."""
    asked = await session.execute("select pg_try_advisory_lock(%s, %s)", [FOLLOWED, log])
    return await asked.fetchone() == (True,)


class Follower:
    """Derives the facts of one log; :meth:`step` as long as there is something to do."""

    def __init__(self, store: FloorStore, clock: Clock, log: LogName) -> None:
        self._store, self._clock, self._name = store, clock, log
        self._writer = FactWriter()
        self._deriver: Deriver | None = None
        self._progress: FactsProgress | None = None
        self._elder: Elder | None = None
        self._most = AT_ONCE
        self.halted = ""

    async def step(self, end: int) -> bool:
        """Derive and write some entries of ``[0, end)``; whether there are more.

        Raises:
            StoreFails, AlteredBundle: they cannot be read, or it cannot be written.
            WrittenElsewhere: somebody else has. Behind each it may be tried again with a new one.
        """
        try:
            more = await self._step(end)
        except (StoreFails, AlteredBundle, WrittenElsewhere) as error:
            if not isinstance(error.__cause__, DataError):
                raise
            why: Exception = error.__cause__
        except (ValueError, OverflowError) as error:  # half a character, a number without end
            why = error
        except Underivable as error:
            await self._halt(str(error))
            return False
        else:
            self._most = AT_ONCE if self._most in (1, AT_ONCE) else self._most // 2
            return more
        if self._most > 1:  # the one that is not taken is among these
            self._most //= 2
            self._deriver, self._writer = None, FactWriter()
            return True
        written = self._progress.upto if self._progress else 0
        words = " ".join(str(why).split())
        await self._halt(f"behind entry {written}: {type(why).__name__}: {words}")
        return False

    async def _halt(self, words: str) -> None:
        """Tell that nothing more can be written, and why."""
        self._stop_deriving(printable(words))
        async with self._store.connection() as connection:
            await connection.execute(_HALTED, [self._name.number, self.halted])

    def _stop_deriving(self, words: str) -> None:
        self.halted = words
        _log.error("%s (%s): no facts: %s", self._name.table, self._name.origin, words)

    async def _step(self, end: int) -> bool:
        if self._deriver is None or self._progress is None:
            self._deriver, self._progress = await self._resume()
        deriver, progress = self._deriver, self._progress
        upto = min(end, max(deriver.upto, progress.upto) + self._most)
        async with self._store.connection() as connection:
            while deriver.upto < upto and not self.halted:
                leaves = await leaves_of(connection, self._name.origin, deriver.upto, upto)
                if not leaves:
                    return False
                await asyncio.to_thread(self._derive, deriver, leaves)
            left = AsLeft(deriver.place, deriver.table, self.halted)
            taken = deriver.release_batch()
            self._progress = await self._writer.write(connection, progress, taken, left)
            await self._compare(connection, progress, taken)
        return deriver.upto < end and not self.halted

    async def _compare(
        self, connection: AsyncConnection, before: FactsProgress, batch: Batch
    ) -> None:
        """Compare what was derived with the older log of the table, as far as they go together."""
        elder = self._elder
        if elder is None or not elder.goes_on:
            return
        shared, goes_on = await compare(connection, self._name.origin, elder, batch.upto)
        self._elder = replace(elder, shared=shared, goes_on=goes_on)
        if shared:
            segments = (one.segment for one in batch.facts_of(StretchFact))
            known = [before.segment, batch.segment, *segments]
            await store_elder(connection, self._name.number, elder, shared, known)

    def _derive(self, deriver: Deriver, leaves: Sequence[bytes]) -> None:
        try:
            for leaf in leaves:
                deriver.play_entry(read_line(leaf))
        except Exception as error:  # a changed entry may hold anything
            self._stop_deriving(
                printable(str(error))
                if isinstance(error, Underivable)
                else f"behind entry {deriver.upto}: {error!r}"
            )

    async def _resume(self) -> tuple[Deriver, FactsProgress]:
        """Where the facts that are written were derived from."""
        async with self._store.connection() as connection:
            progress = await progress_of_facts(connection, self._name.number)
            self._elder = await elder_of(connection, self._name.number)
            if not progress.segment:
                return self._from_the_beginning(progress, "facts go on from no snapshot"), progress
            at = progress.segment
            (leaf, *_) = await leaves_of(connection, self._name.origin, at - 1, at) or [b""]
        try:
            return Deriver(self._clock, read_line(leaf), progress.carried), progress
        except (BadSnapshot, WrongForm, ValueError) as error:
            words = f"the snapshot, entry {at}, cannot be read ({error})"
        return self._from_the_beginning(progress, words), progress

    def _from_the_beginning(self, progress: FactsProgress, why: str) -> Deriver:
        """One that derives all anew, if all is there; raises Underivable."""
        if progress.begins:
            raise Underivable(
                f"the entries before {progress.begins} were removed by age, and {why}"
            )
        if progress.segment:
            _log.warning("%s: derived from the beginning: %s", self._name, why)
        return Deriver(self._clock)
