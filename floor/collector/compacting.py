"""Compaction beside collecting: every minute, whatever else the collector does.

Soon, so that the room of what was joined is used again for what comes that day. Any number of
collectors may do it: each log is behind its row.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from floor.store.compaction import compact
from floor.store.failing import StoreFails
from floor.store.store import FloorStore

EVERY_S: Final = 60.0

_log = logging.getLogger(__name__)


@asynccontextmanager
async def compacting(store: FloorStore) -> AsyncIterator[None]:
    """Compact what can be, again and again, as long as the block lasts."""
    task = asyncio.create_task(_compact_on(store))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _compact_on(store: FloorStore) -> None:
    while True:
        try:
            await compact(store)
        except StoreFails as error:
            _log.warning("not compacted: %s", error)
        await asyncio.sleep(EVERY_S)
