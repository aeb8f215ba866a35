"""A house's floor in a folder: PostgreSQL, keys, configuration, and collectors; and a table's
journal that is sent there. However it is left, no process and no file of it is.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import psycopg

from controller.evidence.tree.checkpoint import name_of, vkey_of
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from floor.configuration import load_floor
from floor.store.compaction import compact
from floor.store.store import FloorStore, Watermark
from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import LISTENS, LoggedProgram, free_port
from hil_tests.postgresql import Cluster

MIRROR: Final = "floor"
"""What the status calls the floor's mirror."""

FLOOR: Final = """
[floor]
url = "{url}"
vkey = "{vkey}"
"""


class SentJournal:
    """The journal of the table whose configuration is ``configuration`` and lies in ``state``, sent
    to the house at ``url`` once :attr:`process` runs. The house knows it as ``table``.

    The journal's key is made here, where there is none.
    """

    def __init__(
        self, configuration: Path, state: Path, house: House, table: str, url: str = ""
    ) -> None:
        state.mkdir(exist_ok=True)
        key = ControllerKey(state / "key").public
        self.state = state
        self.table = table
        self.origin, self.vkey = name_of(key), vkey_of(key)
        with configuration.open("a", encoding="utf-8") as file:
            file.write(FLOOR.format(url=url or house.url, vkey=house.vkey))
        house.knows(table, self.vkey)
        command = ("controller.witness.main", "--config", str(configuration))
        self.process = LoggedProgram(command, configuration.with_name("witness.log"))

    def export(self) -> Iterator[bytes]:
        """The journal as it is exported, entry by entry."""
        with JournalReader(self.state) as reader:
            for line in lines(reader):
                yield line.encode("ascii")


def cosigned(status: Json) -> int:
    """How many entries the floor has cosigned, by the table's status."""
    told = {one["name"]: one for one in status["journal"]["witnesses"]}
    return int(told[MIRROR]["size"] or 0)


DATABASE: Final = "floor"
CONFIGURATION: Final = """\
database = "{database}"
tables = "tables"
currency = "SGD"
zone = "Asia/Singapore"
[mirror]
name = "floor.example/mirror"
[witness]
name = "floor.example/witness"
[collector]
listen = "127.0.0.1:{collector}"
[page]
listen = "127.0.0.1:{page}"
"""


class Collector(LoggedProgram):
    """A collector that listens at ``port``."""

    def __init__(self, configuration: Path, port: int) -> None:
        command = ("floor.main", "collector", "--config", str(configuration))
        super().__init__(command, configuration.with_suffix(".log"))
        self.port = port

    def serve(self) -> None:
        """Start it; returns when it answers. What its start takes is not counted."""
        self.log.unlink(missing_ok=True)
        self.start()
        self.until_said(LISTENS)
        self.cpu_s -= self.used_s() - self.cpu_s  # a start is no work


class House:
    """A floor whose collectors run, so many of them, over a database of its own."""

    def __init__(self, collectors: int = 1) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="floor-"))
        self.folder.chmod(0o711)  # PostgreSQL may run as another user
        self.tables = self.folder / "tables"
        self.collectors: list[Collector] = []
        self._pages: list[LoggedProgram] = []
        try:
            self.cluster = Cluster(self.folder / "postgresql", syncs=False)
            self.cluster.start()
            self._page_port = free_port()
            self._make_database(collectors)
        except BaseException:
            self.close()
            raise

    def _make_database(self, collectors: int) -> None:
        with psycopg.connect(self.cluster.dsn(), autocommit=True) as connection:
            connection.execute(f"create database {DATABASE}")
        self.tables.mkdir()
        for number in range(1, collectors + 1):
            port, path = free_port(), self.folder / f"floor-{number}.toml"
            told = CONFIGURATION.format(database=self.dsn, collector=port, page=self._page_port)
            path.write_text(told, encoding="utf-8")
            self.collectors.append(Collector(path, port))
        self.configuration = self.folder / "floor-1.toml"
        told = self.program("init").run_to_end()
        self.vkey = str(tomllib.loads(told)["floor"]["vkey"])
        for collector in self.collectors:
            collector.serve()

    def program(self, verb: str) -> LoggedProgram:
        """A verb of ``table-floor``, not started."""
        command = ("floor.main", verb, "--config", str(self.configuration))
        return LoggedProgram(command, self.folder / f"{verb}.log")

    @property
    def dsn(self) -> str:
        """How libpq reaches the floor's database."""
        return self.cluster.dsn(DATABASE)

    @property
    def url(self) -> str:
        """The mirror's prefix at the first collector."""
        return prefix(self.collectors[0].port)

    def knows(self, table: str, vkey: str) -> None:
        """Have the house name a table by the key of its journal."""
        file = self.tables / f"{table}.vkey"
        file.write_text(f"{vkey}\n", encoding="ascii")

    @property
    def today(self) -> date:
        """The gaming day that it is now."""
        day = load_floor(self.configuration).day_of(datetime.now(UTC).isoformat())
        assert day is not None
        return day

    @property
    def figures_url(self) -> str:
        """The first collector's figures, for Prometheus."""
        return f"http://127.0.0.1:{self.collectors[0].port}/metrics"

    def start_page(self) -> str:
        """Have the page for people answer; its address."""
        page = self.program("page")
        self._pages.append(page)
        page.start()
        page.until_said(LISTENS)
        return f"http://127.0.0.1:{self._page_port}/"

    def lives(self) -> bool:
        """Its collectors and its page run.

        Raises:
            ChildProcessError: one has ended by itself.
        """
        return all(program.lives() for program in (*self.collectors, *self._pages))

    # ---- what is stored -----------------------------------------------------------------------

    def rows_of(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the database."""
        with psycopg.connect(self.dsn) as connection:
            return connection.execute(statement.encode(), values or None).fetchall()

    def watermarks(self) -> list[Watermark]:
        """How far each log is mirrored."""

        async def read_watermarks() -> list[Watermark]:
            async with FloorStore.open(self.dsn, most=1) as store:
                return await store.watermarks()

        return asyncio.run(read_watermarks())

    def differs(self, origin: str, export: Iterator[bytes], size: int) -> str:
        """Compare what is stored of a log with its export, entry by entry; what is not as it is
        there, "" where all of ``size`` entries is."""

        async def compare() -> str:
            at = 0
            async with FloorStore.open(self.dsn, most=1) as store:
                async for leaf in store.leaves(origin, 0, 1 << 62):
                    if at == size or leaf != next(export, None):
                        return f"entry {at + 1} of {size} is another one, or one too many"
                    at += 1
            return "" if at == size else f"{at} entries of {size} are stored"

        return asyncio.run(compare())

    def compact(self) -> None:
        """Join the bundles of every whole block, which a collector does now and then."""

        async def join() -> None:
            async with FloorStore.open(self.dsn, most=1) as store:
                await compact(store)

        asyncio.run(join())

    # ---- beginning and end --------------------------------------------------------------------

    def close(self) -> None:
        """End everything; nothing is left."""
        with ExitStack() as undo:
            undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            if hasattr(self, "cluster"):
                undo.callback(self.cluster.close)
            for program in (*self.collectors, *self._pages):
                undo.callback(program.kill)


def prefix(port: int) -> str:
    """The mirror's prefix at a port of this machine."""
    return f"http://127.0.0.1:{port}/mirror"
