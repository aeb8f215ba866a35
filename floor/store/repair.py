"""Entries that were altered in the database are had again from their table.

The rules:

- The watermark is put back to where they begin: the table is told so with its next upload, and
  sends from there. A proof comes with what it sends.
- Good entries behind an altered block stay. Once it is filled the log goes on from where it was.
- One place of a log is sent again at a time; the next check tells the next one.
- Where nothing is left to begin from, all is sent again, also what was removed by age.
- What was found is kept as it was (``floor.altered``).
"""

from __future__ import annotations

from typing import Final

from floor.store.blocks import block_hashes, stack_of
from floor.store.checking import AlteredEntries
from floor.store.locked_log import LockedLog
from floor.store.reading import bundles_of
from floor.store.store import FloorStore

_TAKE_AWAY: Final = """
    with gone as (
        delete from floor.bundle where log = %s and day = %s and first = %s
        returning log, day, first, entries, lines)
    insert into floor.altered (log, day, first, entries, lines) select * from gone"""

_BEGIN: Final = "update floor.log set begins = %s where id = %s and begins > %s"


async def send_again(store: FloorStore, table: str, found: AlteredEntries) -> bool:
    """Put the watermark of the log, which stands at that table, back to what was found; False:
    another place of it is being sent again."""
    async with store.log(found.origin, table) as log:
        if log.is_filling or log.next_entry < found.end:
            return False
        await _take_away(log, found)
        await log.connection.execute(_BEGIN, [found.first, log.id, found.first])
        hashes = await block_hashes(log.connection, log.id, found.first)
        log.put_back(found.first, stack_of(hashes), found.end)
    return True


async def _take_away(log: LockedLog, found: AlteredEntries) -> None:
    at, connection = found.first, log.connection
    while rows := await bundles_of(connection, found.origin, at, found.end):
        for row in rows:
            await connection.execute(_TAKE_AWAY, [row.log, row.day, row.first], prepare=False)
        at = rows[-1].first + rows[-1].entries
