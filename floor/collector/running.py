"""``table-floor collector``: in the foreground, until SIGTERM. Logs go to standard error.

Beside the requests it compacts what is stored, every minute and whatever else it does, so that the
room of what was joined is used again for what comes that day. Any number of collectors may do it:
each log is behind its row."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from controller.not_done import NOT_WELL, NotDone
from floor.collector.application import CollectorApplication
from floor.collector.keys import cosigner_of
from floor.configuration import FloorSettings
from floor.facts.worker import deriving
from floor.store.compaction import compact
from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from web.listening import listening
from web.serving import serve

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


CONNECTIONS: Final = 8
"""To the database; a request that finds none free waits."""


def collect(settings: FloorSettings) -> None:
    """Run a collector until it is told to stop.

    Raises:
        NotDone: 2, a key or the tables' folder cannot be used; 1, the database or the address
            cannot, now.
    """
    mirror = cosigner_of(settings.mirror)
    witness = cosigner_of(settings.witness) if settings.witness else None

    async def serve_collector() -> None:
        async with FloorStore.open(settings.database, CONNECTIONS) as store:
            application = CollectorApplication(store, settings, mirror, witness)
            address = settings.collector.listen
            with listening(
                address.host, address.port, "[collector] listen", takes_all=True
            ) as listener:
                async with compacting(store), deriving(store, settings):
                    await serve(application.asgi, listener)

    try:
        asyncio.run(serve_collector())
    except StoreFails as error:
        raise NotDone(NOT_WELL, str(error)) from error
