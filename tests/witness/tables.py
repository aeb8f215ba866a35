"""A table with witnesses: the daemon and the process between, each as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.control.client import ControlClient
from controller.evidence.tree.checkpoint import name_of, vkey_of
from controller.journal.keys import ControllerKey
from tests.daemon.process import Place
from tests.witness.stock import PATIENCE_S, until

WITNESS = """
[[witness]]
name = "{name}"
url = "{url}"
vkey = "{vkey}"
required = {required}
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
def process(table: Place) -> Iterator[subprocess.Popen[bytes]]:
    """The process that speaks to witnesses; its log is beside the configuration."""
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
        assert running.wait(PATIENCE_S) == 0
    finally:
        running.kill()
        running.wait()
