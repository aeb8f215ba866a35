"""The controller's key on an installed machine: out of its file, out of cores, and useless with the
disk in another machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from hil_tests.bench.controller_process import DidNotStart
from hil_tests.bench.setup import Setup, configuration_text
from hil_tests.benches.vm.base import STATE, UNIT, base
from hil_tests.benches.vm.controller_machine import SOCKET, ControllerMachine
from hil_tests.benches.vm.guest import Guest
from hil_tests.benches.vm.machine_bench import vm_of
from hil_tests.rig.opening import MakeBench

PAGE = "/root/page.txt"
CORES = "/root/cores"
COLLECTOR = f"#!/bin/sh\ncat > {CORES}/$1\n"
CREDENTIALS = 243
"""Exit status of a service to which systemd could not hand its credentials."""

pytestmark = pytest.mark.needs_bench("kernel")


def key(guest: Guest) -> dict[str, Any]:
    """The key that the running controller signs with, and where it is kept."""
    told: dict[str, Any] = json.loads(guest.run_command("tablectl", "journal", "key", "--json"))
    return told


def install(guest: Guest, *options: str) -> dict[str, Any]:
    """Install the key, and have it all on the disk."""
    done = guest.run_command(
        "tablectl", "journal", "key", "--install", *options, "--json", within_s=120
    )
    guest.run_command("sync")
    told: dict[str, Any] = json.loads(done)
    return told


def files(guest: Guest, folder: str) -> set[str]:
    """The names in a folder of the machine."""
    return set(guest.run_command("ls", "-A", folder).split())


def test_a_key_is_taken_over_and_is_in_no_core(make_bench: MakeBench) -> None:
    """A collector of cores gets one of any program, whatever its limit; of the controller none."""
    with make_bench(Setup()) as made:
        bench = vm_of(made)
        guest = bench.machine.guest
        before = key(guest)
        assert (before["kept"], "key" in files(guest, STATE)) == ("file", True)
        bench.stop_controller()
        assert install(guest, "--export", PAGE)["fingerprint"] == before["fingerprint"]
        assert not {"key", "key.new"} & files(guest, STATE)
        bench.start_controller()
        assert bench.control.status()["held"] is None
        assert key(guest) == {**before, "kept": "credential"}

        guest.run_command("mkdir", CORES)
        guest.write_file("/root/collector", COLLECTOR.encode(), 0o755)
        guest.run_command("tee", "/proc/sys/kernel/core_pattern", text="|/root/collector %e")
        guest.tried("sh", "-c", "ulimit -c 0; kill -ABRT $$")
        bench.hang_up()
        cursor, process = bench.machine.cursor(), bench.machine.service_property("MainPID")
        peeping = ("runuser", "-u", "table-controller", "--", "cat", f"/proc/{process}/environ")
        assert "Permission denied" in guest.tried(*peeping)["err"]
        guest.run_command("systemctl", "kill", "--signal=ABRT", UNIT)
        bench.machine.wait_for_log("systemd.*: Started table-controller", cursor, 180)
        assert files(guest, CORES) == {"sh"}
        assert key(guest) == {**before, "kept": "credential"}


@contextmanager
def machine() -> Iterator[ControllerMachine]:
    """A machine without devices and without power."""
    setup = Setup()
    config = configuration_text(
        setup, usb=("jackpot",), ports="/dev/table/", state=STATE, socket=SOCKET
    )
    made = ControllerMachine(base(), config)
    try:
        yield made
    finally:
        made.close()


def test_the_disk_in_another_machine_gives_no_key() -> None:
    """With the TPM2 of its own machine the key is there after a power cut, and the chip has counted
    none; with another one the service does not start, and the page from the safe helps."""
    with machine() as box:
        box.power_on(cold=True, tpm="ours")
        box.start()
        before = key(box.guest)
        box.stop()
        assert "TPM2" in install(box.guest, "--export", PAGE)["bound_to"]
        box.start()
        installed = {**before, "kept": "credential"}
        assert key(box.guest) == installed

        box.power_cut("with its own chip")
        box.power_on(cold=True, tpm="ours")
        box.start()
        assert key(box.guest) == installed
        assert "heads-doubted" not in box.guest.run_command("tablectl", "status", "--json")
        chip = box.guest.run_command("tpm2_getcap", "properties-variable")
        [count] = [line for line in chip.splitlines() if "TPM2_PT_LOCKOUT_COUNTER" in line]
        assert int(count.split()[1], 16) == 0

        box.power_cut("in another machine")
        box.power_on(cold=True, tpm="another")
        with pytest.raises(DidNotStart) as refused:
            box.start()
        assert refused.value.status == CREDENTIALS
        assert "key" not in files(box.guest, STATE)
        done = box.guest.tried("tablectl", "journal", "key", "--install")
        assert (done["status"], "another machine's" in done["err"]) == (1, True)
        assert install(box.guest, "--from", PAGE)["fingerprint"] == before["fingerprint"]
        box.start()
        assert key(box.guest) == installed
