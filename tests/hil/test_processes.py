"""Processes that are forked for the rig: what they are given, how they end, and with whom; what is
done to a device is a step of the report."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest

from hil_tests.bench import processes
from hil_tests.bench.simulated_device import SimulatedDevice
from hil_tests.bench.steps import STEPS
from tests.witness.stock import until


def test_acts_are_noted_with_the_devices_name(tmp_path: Path) -> None:
    STEPS.begin_scenario()
    with SimulatedDevice.start("keypad", tmp_path / "keypad") as device:
        device.name = "keypad"
        device.look()
        device.do("power", on=False)
        device.do("power", on=True)
    assert [entered.what for entered in STEPS.done] == [
        "keypad: power on False",
        "keypad: power on True",
    ]
    assert not any(entered.failed for entered in STEPS.done)


STARTER = """
import sys
from pathlib import Path
from hil_tests.postgresql import Cluster
cluster = Cluster(Path(sys.argv[1]) / "c", syncs=False)
cluster.start()
print((cluster.data / "postmaster.pid").read_text().split()[0], flush=True)
sys.stdin.read()
"""


@pytest.mark.needs("postgresql")
def test_a_server_ends_with_whoever_started_it_however_that_ends() -> None:
    with tempfile.TemporaryDirectory(prefix="pg") as name:
        Path(name).chmod(0o755)
        starter = subprocess.Popen(
            [sys.executable, "-c", STARTER, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert starter.stdout is not None
        server = Path("/proc", starter.stdout.readline().strip())
        assert server.exists()
        starter.kill()
        starter.communicate()
        until(lambda: not server.exists(), "the server ends")


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
