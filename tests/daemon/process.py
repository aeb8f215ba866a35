"""The daemon as a process, told by its service manager's socket how it is."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hil_tests.bench.processes import start
from hil_tests.bench.setup import least_configuration

PATIENCE_S = 20.0
RULES = "rws-pontoon-pandemonium-v4"


class Place:
    """A folder with a configuration; ``shoe``, ``state`` and ``socket`` may be another's;
    ``copied``: with a second copy of its journal."""

    def __init__(
        self,
        folder: Path,
        *,
        shoe: Path | None = None,
        state: Path | None = None,
        control: Path | None = None,
        copied: bool = False,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.shoe = shoe or folder / "shoe"
        self.state = state or folder / "state"
        self.socket = control or folder / "control.sock"
        self.copy = folder / "copy"
        self.configuration = folder / "table.toml"
        links = {"shoe": self.shoe, "jackpot": Path(f"{self.shoe}-jackpot")}
        text = least_configuration(links, self.state, self.socket, rules=RULES)
        if copied:
            text = text.replace("[control]", f'copy = "{self.copy}"\n[control]')
        self.configuration.write_text(text, encoding="utf-8")


class Daemon:
    """A running daemon; ``told`` is what it has said to its service manager so far. ``anew``: with
    an interpreter of its own, which can start itself again, and as a child of this process."""

    def __init__(
        self,
        place: Place,
        environment: dict[str, str] | None = None,
        program: str = "controller.daemon.main",
        *,
        anew: bool = False,
    ) -> None:
        notify = place.folder / "notify"
        notify.unlink(missing_ok=True)
        self.told: list[str] = []
        self._notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notified.bind(os.fspath(notify))
        self._log = place.folder / "log"
        with self._log.open("wb") as log:
            self.process = start(
                [program, "--config", os.fspath(place.configuration)],
                streams=(subprocess.DEVNULL, log.fileno(), log.fileno()),
                environment={
                    **os.environ,
                    "NOTIFY_SOCKET": os.fspath(notify),
                    **(environment or {}),
                },
                anew=anew,
            )
        self.over = False

    def until(self, state: str, times: int = 1) -> None:
        """Read what it says until it has said this so many times; one that has ended never will."""
        while sum(line.startswith(state) for line in self.told) < times:
            self.process.has_ended(PATIENCE_S, besides=self._notified.fileno())
            assert select.select([self._notified], [], [], 0)[0], self.told
            self.told += self._notified.recv(4096).decode().splitlines()

    def hear(self) -> None:
        """Read what it has said so far."""
        while select.select([self._notified], [], [], 0)[0]:
            self.told += self._notified.recv(4096).decode().splitlines()

    def ended(self) -> tuple[int, str]:
        """Its exit status and what it logged, once it has ended."""
        try:
            while not self.process.has_ended(PATIENCE_S, besides=self._notified.fileno()):
                assert select.select([self._notified], [], [], 0)[0], "it does not end"
                self.hear()
            status = self.process.wait(PATIENCE_S)
        finally:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.over = True
        self.hear()
        self._notified.close()
        return status, self._log.read_text(encoding="utf-8")

    def stop(self) -> tuple[int, str]:
        """SIGTERM, and its end."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()


def refused(place: Place) -> tuple[int, str]:
    """Exit status and log of a start that does not come to its end."""
    return Daemon(place).ended()


@contextmanager
def running(
    place: Place,
    environment: dict[str, str] | None = None,
    program: str = "controller.daemon.main",
    *,
    anew: bool = False,
) -> Iterator[Daemon]:
    """A daemon that is ready; stopped in the end unless the test has ended it."""
    daemon = Daemon(place, environment, program, anew=anew)
    try:
        daemon.until("READY=1")
        yield daemon
    finally:
        if not daemon.over:
            daemon.stop()


@contextmanager
def line(link: Path) -> Iterator[int]:
    """A serial line at which nobody answers; its descriptor."""
    device, port = os.openpty()
    tty.setraw(port)
    link.symlink_to(os.ttyname(port))
    try:
        yield port
    finally:
        os.close(device)
        os.close(port)
