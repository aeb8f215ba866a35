"""The medium of the journal ails in mid-round, with a multiplier drawn and not paid.

Nothing acknowledged is lost, nothing is told or paid twice, the multiplier stays what it was; those
at the table are told why they wait, and the table comes back by itself where the medium does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from controller.control.client import ControlClient, NoController
from controller.daemon.health.pace import WAITS
from hil_tests.bench.interface import Json
from hil_tests.bench.setup import Setup
from hil_tests.benches.vm.base import STATE
from hil_tests.benches.vm.health import Health
from hil_tests.benches.vm.machine_bench import vm_of
from hil_tests.rig.opening import MakeBench
from hil_tests.tables.strategy import POWER_FAILURE, TableStrategy

STOPS = r"^CRITICAL controller.daemon.app: the table stops: the journal cannot be written: "
SPIN_MS = 500
KEYS = "." * 20
"""Pages of what is owed: they change nothing."""

LONG_S = 300.0
"""On an emulated machine that has to start the service anew, with half a minute's rest."""

STATE_DISK = "/dev/disk/by-id/virtio-state"
OTHERS = f"{STATE}/somebody-elses"
"""A file of somebody else at the medium."""

pytestmark = pytest.mark.needs_bench("medium")


@pytest.fixture
def rig(make_bench: MakeBench) -> Iterator[TableStrategy]:
    """A table whose meter shows, on a machine of its own."""
    with make_bench(Setup(spin_ms=SPIN_MS)) as bench:
        strategy = TableStrategy(bench)
        strategy.reach("showing")
        yield strategy
        disk_of(strategy).is_well()


def disk_of(rig: TableStrategy) -> Health:
    """How well the journal's disk is, whose server is outside the machine: its kernel meets it as
    it would meet a real one's failure."""
    return vm_of(rig.bench).machine.disk.health


@contextmanager
def paying(rig: TableStrategy) -> Iterator[None]:
    """The dealer says that the box is paid, and is answered by the end."""
    socket = vm_of(rig.bench).socket
    with ThreadPoolExecutor(1) as at_the_table, ControlClient(socket, LONG_S) as client:
        answer = at_the_table.submit(client.dealer, "done")
        yield
        assert answer.result(LONG_S)


def keypad_says(rig: TableStrategy, words: str) -> None:
    rig.bench.devices["keypad"].wait_for(
        lambda look: look["rows"][1] == words, 60.0, f"{words} on the keypad"
    )


def all_served(rig: TableStrategy) -> bool:
    return all(device.look()["served"] for device in rig.bench.devices.values())


def entered(rig: TableStrategy, command: str) -> None:
    """Given to a controller that cannot store it: nobody is told that it was done."""
    with pytest.raises(NoController):
        rig.bench.control.dealer(command)
    rig.bench.hang_up()


def logs_of_its_end(rig: TableStrategy) -> Callable[[str], str]:
    """The process may end from now on; what is returned waits until its log has such a line."""
    bench = vm_of(rig.bench)
    bench.expects(STOPS)
    machine = bench.machine
    since = machine.cursor()
    return lambda line: machine.wait_for_log(line, since, LONG_S)


def state_where(rig: TableStrategy, predicate: Callable[[Json], object]) -> Json:
    """The first committed state for which that holds; a medium that is slow takes its time."""
    with rig.bench.connect() as watcher:
        return next(filter(predicate, watcher.watch(quiet_s=LONG_S)))


def is_slow(state: Json) -> bool:
    return "disk-slow" in state["conditions"]


def test_a_slow_medium_is_told_and_played_on(rig: TableStrategy) -> None:
    disk_of(rig).slows(1.0)
    rig.reach("deciding")
    assert "everything that is entered waits for it" in state_where(rig, is_slow)["prompt"]
    rig.play_out()
    assert is_slow(rig.dealer.status)
    assert vm_of(rig.bench).machine.service_property("NRestarts") == "0"


def test_a_medium_that_stalls_for_eight_seconds_is_waited_for(rig: TableStrategy) -> None:
    """Longer than the period in which the watchdog wants to hear of what was entered."""
    machine = vm_of(rig.bench).machine
    disk_of(rig).slows(8.0)
    with paying(rig):
        keypad_says(rig, WAITS)
        assert all_served(rig)
    disk_of(rig).is_well()
    rig.phase = "deciding"
    assert state_where(rig, is_slow)
    assert machine.service_property("NRestarts") == "0"
    rig.play_out()


def test_a_medium_that_hangs_is_waited_for(rig: TableStrategy) -> None:
    """For a minute, six periods of the watchdog; who asks is told why he is told nothing."""
    machine = vm_of(rig.bench).machine
    since = machine.cursor()
    disk_of(rig).hangs()
    with paying(rig):
        keypad_says(rig, WAITS)
        with pytest.raises(NoController, match="the journal's disk has not stored for"):
            rig.bench.control.status()
        rig.bench.hang_up()
        assert "the journal's disk has not stored for" in machine.service_property("StatusText")
        machine.wait_for_log("has not stored for [67][0-9] s", since, LONG_S)
        assert all_served(rig)
        disk_of(rig).is_well()
    rig.phase = "deciding"
    assert machine.service_property("NRestarts") == "0"
    rig.play_out()


def test_a_medium_that_turns_read_only_ends_the_process(rig: TableStrategy) -> None:
    """With the next entry. Mounted anew, the table goes on with the round."""
    machine, logged = vm_of(rig.bench).machine, logs_of_its_end(rig)
    # The kernel lets nothing be written any more, as after an error of the disk (ext4(5)).
    machine.guest.tried("mount", "-o", "remount,errors=remount-ro,abort", STATE)
    machine.guest.tried("touch", OTHERS)  # whoever writes next finds its log aborted
    entered(rig, "done")
    logged(f"{STOPS[1:]}.*its file system is read-only")
    logged("table-controller: .*its file system is read-only")
    assert machine.service_property("ActiveState") == "activating"
    machine.guest.run_command("systemctl", "stop", "table-controller", within_s=LONG_S)
    # As docs/media.md has a technician do it: checked, mounted.
    machine.guest.run_command("umount", STATE)
    machine.guest.run_command("sh", "-c", 'e2fsck -fy "$0" || [ $? = 1 ]', STATE_DISK)
    machine.guest.run_command("mount", STATE)
    rig.bench.start_controller()
    assert not rig.recover()
    rig.play_out()


def test_a_medium_that_fills_at_once_lets_the_round_be_finished(rig: TableStrategy) -> None:
    """By the room that is kept; then play is held until there is room."""
    guest, logged = vm_of(rig.bench).machine.guest, logs_of_its_end(rig)
    user = ("runuser", "-u", "table-controller", "--")  # what ext4 reserves for root stays
    guest.tried(*user, "sh", "-c", 'cat /dev/zero > "$0"; sync', OTHERS, within_s=300)
    rig.bench.devices["keypad"].do("key", keys=KEYS)  # each is stored, as far as there is room
    rig.bench.hang_up()
    logged(f"{STOPS[1:]}.*its disk is full")
    logged("that were kept for this round are given up")
    logged("systemd.*: Started table-controller")
    assert not rig.recover()
    rig.reach("dealers_hand")
    rig.dealer.dealers_hand()
    assert rig.dealer.status["held"]["faults"] == ["disk-full-soon"]
    guest.run_command("rm", OTHERS)
    assert state_where(rig, lambda state: not state["held"])
    rig.phase = "settled"
    rig.play_out()


def test_a_medium_that_dies_is_well_after_a_power_cut(rig: TableStrategy) -> None:
    """The service is tried again all the time, and does not give up."""
    machine, logged = vm_of(rig.bench).machine, logs_of_its_end(rig)
    disk_of(rig).fails()
    entered(rig, "done")
    logged(f"{STOPS[1:]}.*could not be committed")
    logged("table-controller: .*(its disk fails|is read-only)")
    assert machine.service_property("ActiveState") == "activating"
    disk_of(rig).is_well()
    rig.bench.reboot()
    assert rig.recover() == {POWER_FAILURE}
    rig.play_out()
