"""The units of the night: when they come, and what they must agree on."""

from __future__ import annotations

import re
import subprocess

import pytest

from controller.configuration.model import STATE_DIRECTORY
from controller.journal.reader import ARCHIVE
from controller.upkeep.night_report import USUAL
from tests.systemd.test_units import UNITS, settings

SERVICE = UNITS / "table-controller-nightly.service"
TIMER = UNITS / "table-controller-nightly.timer"


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
