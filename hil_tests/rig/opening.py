"""From a bench's file to a table on it: the one place that knows every kind of bench. And what the
report says of a table that is up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hil_tests.bench.description import BenchFile
from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import Setup
from hil_tests.benches.table.bench import TableBench
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.people.dealer import Dealer
from hil_tests.rig.report import FACTS, PRESENT

MakeDealer = Callable[..., Dealer]
"""The fixture ``table``: the dealer at a fresh table, set up as the arguments of ``Setup`` say."""
MakeBench = Callable[[Setup], Bench]
"""The fixture ``make_bench``."""


def open_bench(bench: BenchFile, setup: Setup, *, captured: bool = False) -> Bench:
    """A table so set up on that bench; a context manager. It has the devices that the bench has,
    and those that a scenario wants beside them (``needs_bench``). ``captured``: keep what goes over
    their lines, for the report."""
    has = {*bench.devices, *setup.kinds}
    devices = tuple(name for name in setup.devices if name in has)
    setup = replace(setup, devices=devices)
    usb = "jackpot" in bench.devices and bench.devices["jackpot"].line == "usb"
    match bench.machine["driver"]:
        case "process":
            return VirtualBench(setup, usb=usb, captured=captured)
        case "guest":
            return VmBench(setup, cold=bool(bench.machine.get("cold")), captured=captured)
        case "remote":
            return TableBench(bench, setup)
        case driver:
            raise NotImplementedError(f"machines of kind {driver!r}")


def met(config: pytest.Config, bench: Bench) -> None:
    """A table of the bench is up: note for the report what it is made of."""
    config.stash[PRESENT] = bench
    facts = config.stash.setdefault(FACTS, {})
    facts.update(bench.facts)
    state: dict[str, Any] = bench.control.status()
    program = state["program"]
    facts["program"] = " ".join(f"{key} {value}" for key, value in program.items())
    for name, told in state["devices"].items():
        facts[name] = f"serial {told['serial']}, firmware {told['firmware']}"
