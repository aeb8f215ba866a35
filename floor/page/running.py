"""``table-floor page``: in the foreground, until SIGTERM. Logs go to standard error."""

from __future__ import annotations

import asyncio
import os
from typing import Final

from controller.not_done import NOT_WELL, NotDone
from floor.configuration import FloorSettings
from floor.page.application import PageApplication
from floor.page.asking import PageQuestions
from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from web.listening import listening
from web.serving import serve

CONNECTIONS: Final = 4


def show_page(settings: FloorSettings) -> None:
    """Serve the page until told to stop.

    Raises:
        NotDone: 1, the database or the address cannot be used, now.
    """
    # A round's page tells times as the machine that shows them has it: here, as the house has it.
    os.environ["TZ"] = settings.zone.key

    async def run() -> None:
        async with FloorStore.open(settings.database, CONNECTIONS, reads_only=True) as store:
            application = PageApplication(PageQuestions(store), settings)
            address = settings.page.listen
            with listening(address.host, address.port, "[page] listen") as listener:
                async with asyncio.TaskGroup() as tasks:  # if one fails so does the program
                    watching = tasks.create_task(application.watch.run())
                    await serve(application.asgi, listener, application.watch.latest.end_updates)
                    watching.cancel()

    try:
        asyncio.run(run())
    except StoreFails as error:
        raise NotDone(NOT_WELL, str(error)) from error
