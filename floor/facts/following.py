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
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from psycopg import AsyncConnection, DataError

from controller.forms.json_values import WrongForm
from controller.journal.export import read_line
from controller.replay.shifts.clock import Clock
from controller.table.snapshot.codec import BadSnapshot
from drivers.printable import printable
from floor.facts.columns import AsLeft
from floor.facts.deriving import Deriver, Underivable
from floor.facts.elders import Elder, compare, elder_of, keep
from floor.facts.kinds import Batch, StretchFact
from floor.facts.rows import FactsProgress, FactWriter, WrittenElsewhere, progress_of_facts
from floor.store.failing import StoreFails
from floor.store.reading import AlteredBundle, leaves_of
from floor.store.store import FloorStore

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
        self._end(printable(words))
        async with self._store.connection() as connection:
            await connection.execute(_HALTED, [self._name.number, self.halted])

    def _end(self, words: str) -> None:
        self.halted = words
        _log.error("%s (%s): no facts: %s", self._name.table, self._name.origin, words)

    async def _step(self, end: int) -> bool:
        if self._deriver is None or self._progress is None:
            self._deriver, self._progress = await self._begun()
        deriver, progress = self._deriver, self._progress
        upto = min(end, max(deriver.upto, progress.upto) + self._most)
        async with self._store.connection() as connection:
            while deriver.upto < upto and not self.halted:
                leaves = await leaves_of(connection, self._name.origin, deriver.upto, upto)
                if not leaves:
                    return False
                await asyncio.to_thread(self._derive, deriver, leaves)
            left = AsLeft(deriver.place, deriver.table, self.halted)
            taken = deriver.taken()
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
            segments = (one.segment for one in batch.of(StretchFact))
            known = [before.segment, batch.segment, *segments]
            await keep(connection, self._name.number, elder, shared, known)

    def _derive(self, deriver: Deriver, leaves: Sequence[bytes]) -> None:
        try:
            for leaf in leaves:
                deriver.take(read_line(leaf))
        except Exception as error:  # a changed entry may hold anything
            self._end(
                printable(str(error))
                if isinstance(error, Underivable)
                else f"behind entry {deriver.upto}: {error!r}"
            )

    async def _begun(self) -> tuple[Deriver, FactsProgress]:
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
