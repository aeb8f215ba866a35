"""What the service manager is told: nothing waits for it, and the watchdog is fed while commits get
on or wait for what a new process would wait for, too. The process' memory, which has the key in it,
is written nowhere and read by nobody."""

from __future__ import annotations

import asyncio
import os
import resource
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
from hil_tests.bench.processes import ROOT
from tests.daemon.process import Place, running

NOBODY = 65534
WATCHED = """
import ctypes, os, sys
from controller.daemon.main import PR_SET_DUMPABLE, keep_memory_private
if os.geteuid() == 0:
    os.setresuid({nobody}, {nobody}, {nobody})
ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1)  # as a service's user is, which was one from its start
{keep}
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _cores_permitted() -> Iterator[None]:
    """Children may write cores as far as this machine lets them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


@pytest.mark.needs("cores")
def test_a_daemon_that_dies_leaves_no_core(tmp_path: Path) -> None:
    """The kernel says of a process that has ended whether it made a core of it, wherever it put
    that; a plain process shows that it does here."""
    plain = subprocess.Popen([sys.executable, "-c", "input()"], cwd=tmp_path, stdin=subprocess.PIPE)
    with plain:
        plain.send_signal(signal.SIGQUIT)
        assert how_it_ended(plain.pid) == os.CLD_DUMPED
    with running(Place(tmp_path), anew=True) as daemon:
        pid = daemon.process.pid
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
        (line,) = (line for line in limits if line.startswith("Max core file size"))
        assert line.split()[4:6] == ["0", "0"]
        daemon.process.send_signal(signal.SIGQUIT)
        assert how_it_ended(pid) == os.CLD_KILLED
        assert daemon.ended()[0] == -signal.SIGQUIT


def how_it_ended(pid: int) -> int:
    """``CLD_KILLED``, or ``CLD_DUMPED`` where a core was made; the process is still to be waited
    for."""
    told = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert told is not None
    return told.si_code


@pytest.mark.parametrize("kept", [False, True])
def test_a_process_of_the_same_user_cannot_look_into_it(kept: bool) -> None:
    keep = "keep_memory_private()" if kept else ""
    code = WATCHED.format(nobody=NOBODY, keep=keep)
    watched = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "SECRET": "in its memory"},
    )
    with watched:
        assert watched.stdout is not None
        assert watched.stdout.readline() == b"ready\n"
        done = subprocess.run(
            ["cat", f"/proc/{watched.pid}/environ"],
            capture_output=True,
            text=True,
            check=False,
            user=NOBODY if os.geteuid() == 0 else None,
        )
    assert ("in its memory" in done.stdout) is not kept
    assert ("Permission denied" in done.stderr) is kept


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
