"""The watch over main memory, and what it reads of the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.daemon.health.findings import run_self_tests
from controller.daemon.health.memory import (
    LEAST_BYTES,
    LOW_BYTES,
    MOST_OWN_BYTES,
    MemoryWatch,
    ProcessMemory,
    read_memory,
)
from controller.daemon.health.watches import MIB, as_self_test
from controller.faults.catalogue import CATALOGUE


class Machine:
    """A machine whose memory the test sets."""

    def __init__(self) -> None:
        self.memory: ProcessMemory | Exception = ProcessMemory(50 * MIB, 1000 * MIB)
        self.watch = MemoryWatch(self._read)

    def _read(self) -> ProcessMemory:
        if isinstance(self.memory, Exception):
            raise self.memory
        return self.memory

    def finds(self, left: int, own: int = 50 * MIB) -> dict[str, str]:
        self.memory = ProcessMemory(own, left)
        return {found.fault: found.detail for found in self.watch.findings() if found.present}


def test_memory_is_seen_running_low_before_it_does_harm() -> None:
    machine = Machine()
    assert machine.finds(LOW_BYTES) == {}
    low = "127 MiB are left on this machine; the controller itself takes 50 MiB"
    assert machine.finds(LOW_BYTES - 1) == {"memory-low": low}
    assert machine.finds(LEAST_BYTES).keys() == {"memory-low"}
    assert machine.finds(LEAST_BYTES - 1).keys() == {"memory-low", "memory-full-soon"}
    assert machine.finds(LEAST_BYTES + MIB).keys() == {"memory-low", "memory-full-soon"}
    assert machine.finds(LEAST_BYTES * 2).keys() == {"memory-low"}
    assert machine.finds(LOW_BYTES + MIB).keys() == {"memory-low"}
    assert machine.finds(LOW_BYTES * 2) == {}


def test_a_program_that_grows_is_said_while_there_is_plenty_left() -> None:
    machine = Machine()
    assert machine.finds(1 << 40, MOST_OWN_BYTES) == {}
    assert machine.finds(1 << 40, MOST_OWN_BYTES + 1).keys() == {"memory-low"}
    assert machine.finds(1 << 40, MOST_OWN_BYTES - MIB).keys() == {"memory-low"}
    assert machine.finds(1 << 40, MOST_OWN_BYTES // 2) == {}


@pytest.mark.parametrize("error", [OSError(13, "no"), ValueError("no"), KeyError("MemAvailable:")])
def test_a_machine_that_does_not_say_is_said(error: Exception) -> None:
    machine = Machine()
    machine.memory = error
    [found] = [found for found in machine.watch.findings() if found.present]
    assert found.fault == "memory-unknown"
    assert type(error).__name__ in found.detail
    assert machine.finds(1 << 40) == {}


def test_a_machine_that_does_not_say_ends_nothing() -> None:
    machine = Machine()
    machine.finds(LEAST_BYTES - 1)
    machine.memory = OSError(5, "no")
    assert [found.fault for found in machine.watch.findings()] == ["memory-unknown"]
    standing = {"memory-full-soon": "10 MiB are left"}
    told = run_self_tests([as_self_test("main memory", machine.watch)], standing)
    assert [(one.fault, one.present) for one in told] == [("memory-unknown", True)]
    assert machine.finds(LEAST_BYTES - 1).keys() == {"memory-low", "memory-full-soon"}


def test_what_is_held_goes_on_by_itself() -> None:
    assert set(MemoryWatch.faults) <= CATALOGUE.keys()
    held = CATALOGUE["memory-full-soon"]
    assert (held.severity.name, held.clears.name) == ("BETWEEN", "ITSELF")
    assert CATALOGUE["memory-low"].severity.name == "NOTICE"


# ---- the kernel's files ---------------------------------------------------------------------


class Kernel:
    """The files of a machine with 900 MiB available and two control groups around the process."""

    def __init__(self, folder: Path) -> None:
        self.proc, self.groups = folder / "proc", folder / "cgroup"
        (self.proc / "self").mkdir(parents=True)
        self.group = self.groups / "system.slice/table.service"
        self.group.mkdir(parents=True)
        (self.proc / "meminfo").write_text(
            f"MemTotal: 1000000 kB\nMemFree: 1 kB\nMemAvailable: {900 * 1024} kB\nHugePages: 0\n"
        )
        (self.proc / "self/statm").write_text("9000 1024 700 3 0 8000 0\n")
        (self.proc / "self/cgroup").write_text("0::/system.slice/table.service\n")

    def limit(self, group: Path, most: str, current: int) -> None:
        (group / "memory.max").write_text(f"{most}\n")
        (group / "memory.current").write_text(f"{current}\n")
        (group / "memory.stat").write_text(f"anon 5\nactive_file {MIB}\ninactive_file {MIB}\n")

    def left(self) -> int:
        return read_memory(self.proc, self.groups).left // MIB


def test_the_tightest_limit_counts(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path)
    assert kernel.left() == 900
    kernel.limit(kernel.group, "max", 80 * MIB)
    assert kernel.left() == 900
    kernel.limit(kernel.group, str(200 * MIB), 80 * MIB)
    assert kernel.left() == 122  # what files it could give back is not taken
    kernel.limit(kernel.group.parent, str(100 * MIB), 95 * MIB)
    assert kernel.left() == 7
    kernel.limit(kernel.group.parent, str(100 * MIB), 110 * MIB)
    assert kernel.left() == 0


def test_groups_of_the_older_kind_are_not_asked(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path)
    kernel.limit(kernel.group, str(100 * MIB), 95 * MIB)
    (kernel.proc / "self/cgroup").write_text("4:memory:/system.slice/table.service\n")
    assert kernel.left() == 900


def test_what_the_kernel_does_not_tell_is_an_error(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path)
    (kernel.proc / "meminfo").write_text("MemTotal: 1000000 kB\n")
    with pytest.raises(LookupError):
        kernel.left()
    (kernel.proc / "meminfo").unlink()
    with pytest.raises(OSError, match="No such file"):
        kernel.left()


def test_this_machine_tells(tmp_path: Path) -> None:
    memory = read_memory()
    assert MIB < memory.own < 1 << 40
    assert 0 <= memory.left < 1 << 50
