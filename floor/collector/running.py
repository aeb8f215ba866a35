"""``table-floor collector``: in the foreground, until SIGTERM. Logs go to standard error."""

from __future__ import annotations

import asyncio
from typing import Final

from controller.not_done import NOT_WELL, NotDone
from floor.collector.application import CollectorApplication
from floor.collector.compacting import compacting
from floor.collector.keys import cosigner_of
from floor.configuration import FloorSettings
from floor.facts.worker import deriving
from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from web.listening import listening
from web.serving import serve

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

    async def run() -> None:
        async with FloorStore.open(settings.database, CONNECTIONS) as store:
            application = CollectorApplication(store, settings, mirror, witness)
            address = settings.collector.listen
            with listening(
                address.host, address.port, "[collector] listen", takes_all=True
            ) as listener:
                async with compacting(store), deriving(store, settings):
                    await serve(application.asgi, listener)

    try:
        asyncio.run(run())
    except StoreFails as error:
        raise NotDone(NOT_WELL, str(error)) from error
