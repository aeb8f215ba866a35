"""What a machine has complained of is known in the end, whatever its power did in between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from hil_tests.benches.vm import machine_bench
from hil_tests.benches.vm.machine_bench import VmBench


class Machine(SimpleNamespace):
    """A machine as a bench knows it; ``log`` is that since its last start."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder=folder, powered=True, failed=False, log="INFO well\n")

    def logged(self) -> str:
        return str(self.log)

    def complaint(self) -> str:
        return next((line for line in self.log.splitlines() if line.startswith("ERROR")), "")

    def wait_for_cut(self, _: float) -> bool:
        return bool(self.failed)

    def power_cut(self, _: str) -> None:
        self.powered, self.log = False, ""

    def close(self) -> None:
        """Nothing is left anyway."""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[VmBench, Machine]]:
    """A bench and its machine."""
    machine = Machine(tmp_path)
    monkeypatch.setattr(machine_bench, "base", lambda: None)
    monkeypatch.setattr(machine_bench, "ControllerMachine", lambda *_: machine)
    made = VmBench()
    yield made, machine
    made.close()


def test_a_machine_that_is_well_has_no_complaints(opened: tuple[VmBench, Machine]) -> None:
    made, _ = opened
    assert made.complaints() == ""
    made.power_cut()
    assert made.complaints() == ""


def test_what_came_before_a_cut_is_complained_of_after_it(opened: tuple[VmBench, Machine]) -> None:
    made, machine = opened
    machine.log += "ERROR before the cut\nINFO more\n"
    made.power_cut()
    before = "['ERROR before the cut']\nINFO well\nERROR before the cut\nINFO more"
    assert made.complaints() == before
    log = "INFO well\nTraceback (most recent call last):\n  its stack\n"
    machine.powered, machine.log = True, log
    assert made.complaints() == f"{before}\n['Traceback (most recent call last):']\n{log.strip()}"


def test_a_complaint_behind_which_the_power_failed_is_told_alone(
    opened: tuple[VmBench, Machine],
) -> None:
    made, machine = opened
    machine.log += "ERROR before the cut\nINFO more\n"
    machine.failed = True
    made.power_cut()
    told = "ERROR before the cut (its power failed: no lines behind it)"
    assert made.complaints() == told
