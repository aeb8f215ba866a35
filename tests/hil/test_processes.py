"""Processes that are forked for the rig: what they are given, how they end, and with whom."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from hil_tests.bench import processes

BEGUN_ELSEWHERE = """
import os, subprocess, sys
from hil_tests.bench import processes
processes.start_server()
reading, writing = os.pipe()
streams = (subprocess.DEVNULL, writing, 2)
keypad = ["simulators", "keypad", "--link", sys.argv[1]]
started = processes.start(keypad, streams=streams, environment=os.environ)
print(type(started).__name__, started.pid, flush=True)
sys.stdin.read()
"""


def test_what_the_server_is_to_import_is_there() -> None:
    """What is not it passes over without a word, and whatever is forked takes longer."""
    import_module(processes.PRELOADED)
    gc.unfreeze()


@pytest.mark.parametrize("number", [signal.SIGKILL, None], ids=["killed", "ended"])
def test_what_was_forked_ends_with_the_rig_however_that_ends(
    number: signal.Signals | None, tmp_path: Path
) -> None:
    rig = subprocess.Popen(
        [sys.executable, "-c", BEGUN_ELSEWHERE, str(tmp_path / "keypad")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=processes.ROOT,
    )
    with rig:
        assert rig.stdout
        kind, pid = rig.stdout.readline().split()
        assert kind == "_Forked"
        gone = os.pidfd_open(int(pid))
        if number is not None:
            rig.send_signal(number)
        else:
            assert rig.stdin
            rig.stdin.close()
    try:
        assert processes.readable(gone, 10.0)
    finally:
        os.close(gone)


def test_a_program_with_other_variables_of_python_is_started_anew(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with said.open("wb") as file:
        started = processes.start(
            ["controller.cli.main", "--help"],
            streams=(subprocess.DEVNULL, file.fileno(), file.fileno()),
            environment=os.environ | {"PYTHONVERBOSE": "1"},
        )
    assert started.wait(20.0) == 0
    assert "# cleanup" in said.read_text(encoding="utf-8")
