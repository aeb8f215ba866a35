"""From a bench's file to a table on it: the one place that knows every kind of bench."""

from __future__ import annotations

from dataclasses import replace

from hil_tests.bench import Bench, Setup
from hil_tests.rig.description import BenchFile
from hil_tests.table.bench import TableBench
from hil_tests.usb.bench import UsbBench
from hil_tests.virtual.bench import VirtualBench
from hil_tests.vm.bench import VmBench


def open_bench(bench: BenchFile, setup: Setup, *, captured: bool = False) -> Bench:
    """A table so set up on that bench; a context manager. It has the devices that the bench has,
    and those that a scenario wants beside them (``needs_bench``). ``captured``: keep what goes over
    their lines, for the report."""
    has = {*bench.devices, *setup.kinds}
    devices = tuple(name for name in setup.devices if name in has)
    setup = replace(setup, devices=devices)
    usb = "jackpot" in bench.devices and bench.devices["jackpot"].line == "usb"
    match bench.box["driver"]:
        case "process":
            return VirtualBench(setup, usb=usb, captured=captured)
        case "umockdev":
            return UsbBench(setup, captured=captured)
        case "guest":
            return VmBench(setup, cold=bench.box.get("cold", False), captured=captured)
        case "remote":
            return TableBench(bench, setup)
        case driver:
            raise NotImplementedError(f"boxes of kind {driver!r}")
