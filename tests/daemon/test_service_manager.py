"""What the service manager is told: nothing waits for it, and the watchdog is fed while commits get
on or wait for what a new process would wait for, too."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from controller.daemon.service_manager import Notifier, ServiceManager

RESTS = """
import threading
from controller.daemon.service_manager import Notifier
from controller.daemon.service_manager import Life

threading.Thread(target=threading.Event().wait, daemon=True).start()


class Told(Notifier):
    def send(self, *lines):
        print("resting", flush=True)


Life(Told()).rest("it has failed")
print("ended")
"""


def test_a_stop_is_taken_though_another_thread_may_take_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RESTS],
        env={**os.environ, "WATCHDOG_USEC": "300000000"},
        stdout=subprocess.PIPE,
        encoding="ascii",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "resting\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == "ended\n"
    assert process.returncode == 0


MORE_THAN_IT_HOLDS = 10_000


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A service manager's socket."""
    path = tmp_path / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", os.fspath(path))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(os.fspath(path))
        yield manager


def test_states_are_lines_of_one_datagram(manager: socket.socket) -> None:
    Notifier().send("READY=1", "STATUS=idle")
    assert manager.recv(4096) == b"READY=1\nSTATUS=idle"


def test_a_manager_that_does_not_read_is_not_waited_for(manager: socket.socket) -> None:
    notifier = Notifier()

    sent: list[bool] = []

    def tell() -> None:
        sent.extend(notifier.send(f"WATCHDOG={number}") for number in range(MORE_THAN_IT_HOLDS))

    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    telling.join(60)
    assert not telling.is_alive()
    assert sent[0]
    assert not sent[-1], "whoever sends knows that it was not taken"
    assert manager.recv(4096) == b"WATCHDOG=0"
    assert notifier.send("READY=1")


def test_without_a_manager_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "half")
    notifier = Notifier()
    assert notifier.send("READY=1"), "there is nobody to say it to again"
    assert notifier.watchdog_s == 0.0


class Commits:
    """A committer whose oldest draft waits for so long, perhaps for a disk or another program."""

    def __init__(self, age_s: float, held: str, *, disk: bool) -> None:
        self._age_s, self._held, self._disk = age_s, held, disk

    def age_s(self) -> float:
        return self._age_s

    def in_the_disk(self) -> bool:
        return self._disk

    def journal_holder(self) -> str:
        return self._held


class Told(Notifier):
    """What a service manager is told; its watchdog has a period of three seconds."""

    told: ClassVar[list[str]] = []

    def __init__(self) -> None:
        super().__init__()
        self.watchdog_s = 3.0
        self.told.clear()

    def send(self, *states: str) -> bool:
        self.told.extend(states)
        return True


@pytest.mark.parametrize(
    ("age_s", "disk", "held", "fed"),
    [
        (0.1, False, "", True),
        (2.0, False, "", False),
        (2.0, True, "", True),
        (2.0, False, "process 12 holds it", True),
    ],
)
async def test_the_watchdog_is_not_fed_while_a_commit_hangs(
    age_s: float, disk: bool, held: str, fed: bool
) -> None:
    stopping = asyncio.Event()
    commits = Commits(age_s, held, disk=disk)
    loop = asyncio.get_running_loop()
    ServiceManager(Told(), loop, "T1", commits, stopping).is_ready()  # type: ignore[arg-type]
    assert ("WATCHDOG=1" in Told.told) == fed
    stopping.set()
