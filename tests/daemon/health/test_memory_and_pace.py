"""The watch over main memory, and what it reads of the kernel; a disk that is slow: when it is
told, when that is over, and what is told while it hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.daemon.commit_thread import waits_for_a_disk
from controller.daemon.health.findings import run_self_tests
from controller.daemon.health.memory import (
    LEAST_BYTES,
    LOW_BYTES,
    MOST_OWN_BYTES,
    MemoryWatch,
    ProcessMemory,
    read_memory,
)
from controller.daemon.health.pace import (
    LONG_S,
    QUIET_LOOKS,
    SLOW_S,
    TICK_S,
    WAITS,
    PaceWatch,
    Waiting,
)
from controller.daemon.health.watches import MIB, as_self_test
from controller.faults.catalogue import CATALOGUE
from controller.table.state.entering import ROW_LENGTH


class Disk:
    """Commits whose times the test sets."""

    def __init__(self) -> None:
        self.took_s = 0.0
        self.waits_s = 0.0
        self.watch = PaceWatch(lambda: self.took_s, lambda: self.waits_s)

    def looks(self, *took_s: float) -> list[bool | None]:
        """What each look said: there, over, or nothing."""
        return list(self._looks(took_s))

    def _looks(self, took_s: Iterable[float]) -> Iterable[bool | None]:
        for self.took_s in took_s:
            found = self.watch.findings()
            yield found[0].present if found else None


def test_one_hiccup_is_no_slow_disk() -> None:
    assert Disk().looks(0.01, SLOW_S, 0.01, 1.9, 0.01, 0.0) == [None] * 6


def test_a_disk_that_stays_slow_is_told_until_it_is_quick_again() -> None:
    disk = Disk()
    assert disk.looks(SLOW_S, SLOW_S) == [None, True]
    assert disk.looks(*[0.01] * (QUIET_LOOKS - 1)) == [None] * (QUIET_LOOKS - 1)
    assert disk.looks(0.45) == [True], "nearly as slow as before"
    assert disk.looks(*[0.01] * QUIET_LOOKS)[-1] is False


def test_a_long_wait_is_told_at_once() -> None:
    disk = Disk()
    assert disk.looks(LONG_S) == [True]
    disk.waits_s = 9.0
    [found] = disk.watch.findings()
    assert found.detail == "an entry took 9.0 s to be stored, expected less than 0.5"


def test_a_table_at_which_nothing_is_stored_tells_nothing() -> None:
    disk = Disk()
    assert disk.looks(LONG_S, *[0.0] * 20) == [True] + [None] * 20


def test_one_that_was_slow_before_the_start_is_over_once_it_is_seen_to_be_quick() -> None:
    assert Disk().looks(*[0.01] * QUIET_LOOKS)[-1] is False


class Clock:
    """A loop whose timers the test runs."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.age_s = 0.0
        self.shown: list[str] = []
        self.states: list[str] = []
        self.waiting = Waiting(self.loop, lambda: self.age_s, self.shown.append)
        self.waiting.state = self.states.append

    def look(self, age_s: float) -> None:
        self.age_s = age_s
        self.waiting.report_waiting()


def test_what_waits_is_told_on_the_keypad_and_to_the_service_manager(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Clock()
    with caplog.at_level("INFO"):
        for age_s in (0.0, 1.9, LONG_S, 3.0, 64.0, 0.0, 0.0):
            clock.look(age_s)
    clock.waiting.close()
    clock.loop.close()
    assert clock.shown == [WAITS] * 3, "a commit between two looks takes it away"
    said = "the journal's disk has not stored for {} s what was entered"
    assert clock.states == [said.format(2), said.format(3), said.format(64), ""]
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING", "INFO"]
    assert len(WAITS) <= ROW_LENGTH
    assert TICK_S < LONG_S


def test_a_thread_that_can_be_woken_waits_for_no_disk() -> None:
    assert not waits_for_a_disk(int(Path("/proc/thread-self").readlink().name))
    assert not waits_for_a_disk(0)


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


def test_this_machine_tells() -> None:
    memory = read_memory()
    assert MIB < memory.own < 1 << 40
    assert 0 <= memory.left < 1 << 50
