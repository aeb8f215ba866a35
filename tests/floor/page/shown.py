"""A page over a database in which journals of real tables are, with the facts of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floor.configuration import FloorSettings, load_floor
from floor.page.application import PageApplication
from floor.page.asking import PageQuestions
from floor.page.watching import TABLE
from floor.store.store import FloorStore
from tests.floor.collectors import CONFIGURATION
from tests.floor.facts.kept import follow, leaves_of, upload
from tests.web.served import Answered, get, served


def settings(folder: Path, database: str, more: str = "") -> FloorSettings:
    """Those of a house without a table's key."""
    path = folder / "floor.toml"
    path.write_text(CONFIGURATION.format(database=database) + more, encoding="utf-8")
    (folder / "tables").mkdir(exist_ok=True)
    return load_floor(path)


async def keep(database: str, journals: Mapping[str, Path], key: str = "origin") -> None:
    """Store journals as those of these tables and that key, and derive their facts."""
    async with FloorStore.open(database, most=2) as store:
        for table, place in journals.items():
            leaves = leaves_of(place)
            await follow(store, await upload(store, table, leaves, key), len(leaves))


def floor_of(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The floor's state out of its parts, as the page's script makes it."""
    tables = [part for name, part in sorted(parts.items()) if name.startswith(TABLE)]
    return {"tables": tables, **{key: parts[key] for key in ("refusals", "approved", "lost")}}


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that answers at ``port``."""

    port: int
    application: PageApplication

    async def get(self, path: str, **headers: str) -> Answered:
        return await get(self.port, path, **headers)

    async def json(self, path: str) -> Any:
        answer = await self.get(path)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)


@asynccontextmanager
async def shown(configured: FloorSettings) -> AsyncIterator[Shown]:
    """A page as its program has it, looked for once a tenth of a second."""
    async with FloorStore.open(configured.database, most=3, reads_only=True) as store:
        application = PageApplication(PageQuestions(store), configured)
        watching = asyncio.create_task(application.watch.watch_forever())
        try:
            async with served(application.asgi, application.watch.latest.end_updates) as port:
                yield Shown(port, application)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
