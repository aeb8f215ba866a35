"""The units of the night: what systemd says of them, and what they must agree on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from controller.configuration.reading import STATE_DIRECTORY
from controller.journal.line import ARCHIVE
from controller.upkeep.night_report import USUAL
from tests.systemd.test_units import UNITS, analyze, settings

SERVICE = UNITS / "table-controller-nightly.service"
TIMER = UNITS / "table-controller-nightly.timer"
EXPOSURE_LIMIT = 10  # tenths


def rendered(directory: Path) -> Path:
    """The units with a program that exists on this machine."""
    unit = directory / SERVICE.name
    text, count = re.subn(
        r"(?m)^ExecStart=\S+ ", lambda _: f"ExecStart={sys.executable} ", SERVICE.read_text()
    )
    assert count == 1
    unit.write_text(text)
    (directory / TIMER.name).write_text(TIMER.read_text())
    return unit


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("name", [SERVICE.name, TIMER.name])
def test_systemd_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    rendered(tmp_path)
    done = analyze("verify", str(tmp_path / name))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.needs("systemd-analyze")
def test_the_sandbox_stays_closed(tmp_path: Path) -> None:
    done = analyze(
        "security", "--offline=true", f"--threshold={EXPOSURE_LIMIT}", str(rendered(tmp_path))
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.needs("systemd-analyze")
def test_it_comes_once_a_night() -> None:
    (when,) = re.findall(r"(?m)^OnCalendar=(.+)$", TIMER.read_text())
    done = subprocess.run(
        ["systemd-analyze", "calendar", when], capture_output=True, text=True, check=True
    )
    assert "05:00:00" in done.stdout


def test_it_writes_the_report_that_everybody_reads() -> None:
    words = settings(SERVICE)["ExecStart"][0].split()
    assert words[1] == "nightly"
    assert words[words.index("--report") + 1] == str(USUAL)
    assert f"/var/lib/{settings(SERVICE)['StateDirectory'][0]}" == str(USUAL.parent)
    assert settings(SERVICE)["StateDirectoryMode"] == ["0755"]


def test_it_can_write_no_journal_and_reaches_neither_key_nor_controller() -> None:
    unit = settings(SERVICE)
    (writable,) = unit["ReadWritePaths"]
    assert f"-{STATE_DIRECTORY}/{ARCHIVE}" in writable.split()
    assert STATE_DIRECTORY not in [path.lstrip("-") for path in writable.split()]
    hidden = unit["InaccessiblePaths"][0].split()
    assert {f"-{STATE_DIRECTORY}/key", "-/run/credentials", "-/run/table-controller"} == {*hidden}
    assert unit["RestrictAddressFamilies"] == ["none"]
    refused = unit["SystemCallFilter"][-1]
    assert refused.startswith("~")
    assert {"kill", "tgkill", "pidfd_send_signal"} <= {*refused[1:].split()}


def test_play_never_waits_for_it() -> None:
    unit = settings(SERVICE)
    assert unit["CPUQuota"] == ["20%"]
    assert unit["IOSchedulingClass"] == unit["CPUSchedulingPolicy"] == ["idle"]
    assert {"MemoryHigh", "MemoryMax"} <= unit.keys()
