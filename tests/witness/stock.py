"""A stock witness as a process: ``litewitness`` of Debian's package torchwood, its key in an agent
of OpenSSH's; and other programs of that package."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from appliance.torchwood import PROGRAMS

PATIENCE_S: Final = 20.0
NAME: Final = "witness.example/w1"
NEEDS: Final = ("torchwood", "ssh-agent")
"""What a test marks that uses it."""


def program(name: str) -> str:
    """The path of ``litewitness``, ``witnessctl`` or ``spicy-torchwood``."""
    found = shutil.which(name) or str(PROGRAMS / name)
    assert Path(found).exists(), f"{name}: make torchwood"
    return found


def until(true: Callable[[], bool], what: str = "") -> None:
    """Wait until it is."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"never: {what or true}"
        threading.Event().wait(0.02)


def free_port() -> int:
    """One at which nobody answers: litewitness does not say which one it was given."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Litewitness:
    """A witness in ``folder`` that knows no log yet; it can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._agent = folder / "agent"
        self._log = folder / "log"
        self._port = free_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        key = folder / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        self._start("ssh-agent", "-D", "-a", self._agent)
        until(self._agent.exists)
        agent = {**os.environ, "SSH_AUTH_SOCK": str(self._agent)}
        subprocess.run(["ssh-add", "-q", key], check=True, env=agent)
        told = subprocess.run(
            ["ssh-keygen", "-l", "-f", f"{key}.pub"], check=True, capture_output=True, text=True
        )
        self._fingerprint = told.stdout.split()[1]
        self.witness: subprocess.Popen[bytes] | None = None

    def knows(self, origin: str, *vkeys: str) -> None:
        """It is given a log with its keys; before it starts."""
        self._control("add-log", "-origin", origin)
        for vkey in vkeys:
            self._control("add-key", "-origin", origin, "-key", vkey)

    def _control(self, *words: str) -> None:
        command = [program("witnessctl"), words[0], "-db", str(self._folder / "db"), *words[1:]]
        subprocess.run(command, check=True, capture_output=True)

    def start(self) -> None:
        """Have it answer at :attr:`url`, which stays."""
        self._log.unlink(missing_ok=True)
        self.witness = self._start(
            *(program("litewitness"), "-db", self._folder / "db", "-name", NAME),
            *("-key", self._fingerprint, "-ssh-agent", self._agent),
            *("-listen", f"127.0.0.1:{self._port}"),
        )
        until(self._answers, "it listens")  # what it logs it logs before it does
        said = self._log.read_text(encoding="utf-8")
        self.vkey = said.split("vkey=")[1].split()[0]

    def _answers(self) -> bool:
        assert self.witness is not None
        assert self.witness.poll() is None, self._log.read_text(encoding="utf-8")
        try:
            socket.create_connection(("127.0.0.1", self._port), 5).close()
        except OSError:
            return False
        return "vkey=" in self._log.read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def stop(self) -> None:
        """It answers no more."""
        if self.witness is not None:
            self._end(self.witness)
            self.witness = None

    def _start(self, *command: str | Path) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0
            )
        self._processes.append(process)
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
        self._processes.remove(process)

    def close(self) -> None:
        for process in reversed([*self._processes]):
            self._end(process)


@contextmanager
def litewitness(folder: Path) -> Iterator[Litewitness]:
    """A witness that is yet to be told of a log, and started."""
    made = Litewitness(folder)
    try:
        yield made
    finally:
        made.close()
