"""The daemon's memory, which has the key in it, is written nowhere and read by nobody."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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
@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGQUIT, signal.SIGSEGV])
def test_a_daemon_that_dies_leaves_no_core(number: signal.Signals, tmp_path: Path) -> None:
    """The kernel says of a process that has ended whether it made a core of it, wherever it put
    that; a plain process shows that it does here."""
    plain = subprocess.Popen([sys.executable, "-c", "input()"], cwd=tmp_path, stdin=subprocess.PIPE)
    with plain:
        plain.send_signal(number)
        assert how_it_ended(plain.pid) == os.CLD_DUMPED
    with running(Place(tmp_path), anew=True) as daemon:
        pid = daemon.process.pid
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
        (line,) = (line for line in limits if line.startswith("Max core file size"))
        assert line.split()[4:6] == ["0", "0"]
        daemon.process.send_signal(number)
        assert how_it_ended(pid) == os.CLD_KILLED
        assert daemon.ended()[0] == -number


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
