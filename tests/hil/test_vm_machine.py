"""QEMU as a process: whatever goes wrong at its start, none is left."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from hil_tests.benches.vm import machine
from hil_tests.benches.vm.machine import Machine, Parts


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started: each a program that stays, in QEMU's place."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        processes.append(popen(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(machine, "_command", lambda *_: ["sleep", "600"])
    monkeypatch.setattr(subprocess, "Popen", start)
    return processes


@pytest.mark.parametrize("error", [TimeoutError("it does not wake"), KeyboardInterrupt()])
def test_a_machine_that_does_not_wake_is_killed(
    error: BaseException,
    started: list[subprocess.Popen[bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def does_not_wake(*_: object) -> None:
        raise error

    monkeypatch.setattr(Machine, "_connect", does_not_wake)
    parts = Parts(*[tmp_path / "part"] * 5)
    with pytest.raises(type(error)):
        Machine(parts, tmp_path)
    [qemu] = started
    assert qemu.returncode == -9
