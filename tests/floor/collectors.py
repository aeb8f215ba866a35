"""A floor's collector as a process, and what a client of it does."""

from __future__ import annotations

import gzip
import http.client
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.evidence.tree.checkpoint import note_of
from controller.evidence.tree.cosignature import WitnessKey
from controller.witness.exchange import HttpAnswer, body_of
from floor.configuration import load_floor
from floor.main import for_tables, main
from floor.store.store import FloorStore
from hil_tests.bench.logged_program import LISTENS, LoggedProgram
from tests.floor.uploads import upload_of
from tests.witness.logs import Log
from tests.witness.stock import PATIENCE_S

CONFIGURATION: Final = """
database = "{database}"
currency = "SGD"
zone = "Asia/Singapore"
[mirror]
name = "floor.example/mirror"
[witness]
name = "floor.example/witness"
[collector]
listen = "127.0.0.1:0"
"""


class Floor:
    """A floor in ``folder`` over that database, initialized, whose collector does not run yet."""

    def __init__(self, folder: Path, database: str) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.configuration = folder / "floor.toml"
        self.configuration.write_text(CONFIGURATION.format(database=database), encoding="utf-8")
        self.tables = folder / "tables"
        self.tables.mkdir()
        assert self.run("init") == 0
        vkeys = for_tables(load_floor(self.configuration)).splitlines()
        mirror, witness = (line.split('"')[1] for line in vkeys if line.startswith("vkey"))
        self.mirror, self.witness = WitnessKey.of_vkey(mirror), WitnessKey.of_vkey(witness)

    def run(self, verb: str, *options: str) -> int:
        return main([verb, "--config", str(self.configuration), *options])

    def knows(self, log: Log, table: str) -> None:
        with (self.tables / f"{table}.vkey").open("a", encoding="ascii") as file:
            file.write(f"{log.vkey}\n")


class Collecting:
    """A collector that runs; ``logs`` are known to it."""

    def __init__(self, floor: Floor, program: LoggedProgram, logs: list[Log]) -> None:
        self.floor = floor
        self.program = program
        self.killed = False
        self.url = said(floor).split("answers at ")[1].split()[0]
        self.logs = logs

    @property
    def address(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        return str(parts.hostname), int(parts.port or 0)

    def kill(self) -> None:
        self.program.kill()
        self.killed = True

    def submit(self, log: Log, old: int, new: int, role: str = "mirror") -> HttpAnswer:
        return self.add_checkpoint(body_of(log.checkpoint(new), old, log.proof(old, new)), role)

    def add_checkpoint(self, body: bytes, role: str = "mirror") -> HttpAnswer:
        return sent(f"{self.url}/{role}/add-checkpoint", body)

    def upload(self, log: Log, start: int, size: int, packages: int | None = None) -> HttpAnswer:
        """The entries from there up to that size, or so many packages of them."""
        return self.add_entries(upload_of(log, start, size, packages))

    def add_entries(self, body: bytes) -> HttpAnswer:
        head = {"Content-Encoding": "gzip", "Content-Type": "application/octet-stream"}
        return sent(f"{self.url}/mirror/add-entries", gzip.compress(body), head)

    def begun(self, body: bytes, whole: int, *heads: str) -> socket.socket:
        """An upload with so many bytes to come, of which these are sent."""
        lines = (
            "POST /mirror/add-entries HTTP/1.1",
            "Host: floor",
            f"Content-Length: {whole}",
            *heads,
        )
        connection = socket.create_connection(self.address, PATIENCE_S)
        connection.sendall("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body)
        return connection

    def get(self, path: str) -> HttpAnswer:
        return sent(f"{self.url}{path}", None)

    def is_mirrored(self, answer: HttpAnswer, log: Log, size: int) -> bool:
        return cosigns(self.floor.mirror, answer, log, size)


async def entries_of(database: str, log: Log) -> list[bytes]:
    async with FloorStore.open(database, most=2) as store:
        return [leaf async for leaf in store.leaves(log.origin, 0, 1 << 40)]


def cosigns(key: WitnessKey, answer: HttpAnswer, log: Log, size: int) -> bool:
    lines = answer.body.decode().splitlines()
    note = note_of(log.checkpoint(size))
    return answer.status == 200 and key.newest_of(lines, note) is not None


def sent(url: str, body: bytes | None, headers: Mapping[str, str] | None = None) -> HttpAnswer:
    """POST of a body, GET without one."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE_S)
    try:
        verb = "GET" if body is None else "POST"
        connection.request(verb, parts.path, body, dict(headers or {}))
        response = connection.getresponse()
        kind = (response.getheader("Content-Type") or "").partition(";")[0]
        return HttpAnswer(response.status, kind, response.read())
    finally:
        connection.close()


@contextmanager
def collecting(floor: Floor, logs: Sequence[Log] = ()) -> Iterator[Collecting]:
    command = ("floor.main", "collector", "--config", str(floor.configuration))
    program = LoggedProgram(command, floor.folder / "collector.log")
    program.log.unlink(missing_ok=True)
    program.start()
    try:
        program.until_said(LISTENS)
        made = Collecting(floor, program, [*logs])
        yield made
        if not made.killed:
            assert program.stop() == 0, said(floor)
        assert "Traceback" not in said(floor)
    finally:
        program.kill()


def said(floor: Floor) -> str:
    return (floor.folder / "collector.log").read_text(encoding="utf-8")
