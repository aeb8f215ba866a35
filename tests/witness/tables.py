"""A table with witnesses: the daemon and the process between, each as a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from controller.control.client import ControlClient
from controller.evidence.tree.checkpoint import name_of, vkey_of
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from controller.table.events.of_people import AttemptRefused
from tests.daemon.journaling.aged import awake, outside
from tests.daemon.process import Place, line
from tests.witness.stock import PATIENCE_S, until

AT_ONCE = 1500
"""Entries that are signed over at once."""
ATTEMPT = AttemptRefused(user="u", uid=1, pid=2, what="dealer: open", why="", count=1)

WITNESS = """
[[witness]]
name = "{name}"
url = "{url}"
vkey = "{vkey}"
required = {required}
"""


FLOOR = """
[floor]
url = "{url}"
vkey = "{vkey}"
"""


class Table(Place):
    """A table in ``folder`` whose key is there before its first start, for a witness to know."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.state.mkdir(exist_ok=True)
        key = ControllerKey(self.state / "key").public
        self.origin, self.vkey = name_of(key), vkey_of(key)

    def add(self, name: str, url: str, vkey: str, *, required: bool = False) -> None:
        """Have the configuration name a witness."""
        with self.configuration.open("a", encoding="utf-8") as file:
            told = "true" if required else "false"
            file.write(WITNESS.format(name=name, url=url, vkey=vkey, required=told))

    def add_floor(self, url: str, vkey: str) -> None:
        """Have the configuration name a floor's mirror."""
        with self.configuration.open("a", encoding="utf-8") as file:
            file.write(FLOOR.format(url=url, vkey=vkey))

    @contextmanager
    def plugged(self) -> Iterator[Table]:
        """Its devices' ports have lines."""
        with line(self.shoe), line(self.folder / "shoe-jackpot"):
            yield self

    def fill(self, count: int, why: str = "not in the group") -> None:
        """Have the journal of a table that is stopped get so many entries more, all signed over: a
        tree that is far behind takes its time. ``why`` is in each."""

        async def live(many: int) -> None:
            async with awake(self, outside(datetime.now(UTC))) as runtime:
                for _ in range(many):
                    runtime.owner.submit(replace(ATTEMPT, why=why))
                await runtime.owner.settled()
            if (last := runtime.sealing.last()) is not None:
                last.join(PATIENCE_S)

        for done in range(0, count, AT_ONCE):
            asyncio.run(live(min(AT_ONCE, count - done)))

    def exported(self) -> list[bytes]:
        """Every line of the journal's export."""
        with JournalReader(self.state) as reader:
            return [line.encode("ascii") for line in lines(reader)]

    def status(self) -> Any:
        with ControlClient(self.socket) as client:
            return client.status()

    def witness(self, name: str = "w1") -> Mapping[str, Any]:
        """What the status says of it."""
        told = {one["name"]: one for one in self.status()["journal"]["witnesses"]}
        return dict(told[name])

    def until_cosigned(self, name: str = "w1") -> int:
        """Wait until the witness has cosigned the newest checkpoint; for how many entries."""
        until(lambda: self.witness(name)["size"] == self.newest(), f"{name} cosigns")
        return self.newest()

    def newest(self) -> int:
        with ControlClient(self.socket) as client:
            return client.checkpoint()["size"]

    def until_held(self, fault: str) -> str:
        """Wait until the table is held for that; why."""
        until(lambda: (self.status()["held"] or {}).get("fault") == fault, f"held for {fault}")
        return str(self.status()["held"]["reason"])


@contextmanager
def process(table: Place, *, killed: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """The process that speaks to witnesses; its log is beside the configuration. ``killed``: the
    test kills it."""
    with (table.folder / "witness.log").open("ab") as log:
        running = subprocess.Popen(
            [sys.executable, "-m", "controller.witness.main", "--config", table.configuration],
            stdin=subprocess.DEVNULL,
            stderr=log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            process_group=0,
        )
    try:
        yield running
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE_S) == (-signal.SIGKILL if killed else 0)
    finally:
        running.kill()
        running.wait()
