"""The self-tests of the devices that were found: each by itself, all at once.

A device that a running controller has is not tested here: it is asked of that one, between rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from controller.causes.who_may import daemon, myself
from controller.commissioning.choice import Chosen
from controller.commissioning.outcome import Test, as_told, outcome, own_test
from controller.commissioning.survey import CONTROLLER, MOST_AT_ONCE
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.places import port_refused
from drivers.api import DeviceConfig, DriverError


def device_tests(
    machine: ThisMachine, chosen: Mapping[str, Chosen], known: Mapping[str, DeviceConfig]
) -> list[Test]:
    """A test of each device, all at once; ``known`` are the proposed configuration's."""

    def test(name: str) -> Test:
        one = chosen.get(name)
        driver = known[name].driver
        if one is None or not one.place.kind:
            if driver != "table-link":
                return outcome(name, f"not tested: its driver is {driver}; 'tablectl ready' says")
            trouble = one.place.trouble if one else "it was not found: is it plugged in and on?"
            return outcome(name, trouble, ok=False)
        if one.place.held_by == CONTROLLER:
            return outcome(
                name, f"{CONTROLLER} has it; between rounds: tablectl devices test {name}"
            )
        return _tested(machine, name, one, known[name].baud)

    with ThreadPoolExecutor(MOST_AT_ONCE, "setup") as pool:
        return list(pool.map(test, known))


def _tested(machine: ThisMachine, name: str, one: Chosen, baud: int) -> Test:
    try:
        report = machine.self_test(one.place.port, baud)
    except (DriverError, ValueError) as error:
        return outcome(name, str(error), ok=False)
    told = own_test(as_told(name, report))
    return outcome(name, f"self-test {told['what']}", ok=told["ok"])


def port_rights(devices: Mapping[str, DeviceConfig]) -> Test | None:
    """Whether the daemon's user may open every port that is there; None where whoever asks is that
    user, and has opened them."""
    user = daemon()
    if user.uid == myself().uid:
        return None
    ports = [Path(one.port) for one in devices.values() if one.port is not None]
    wrong = [str(no) for port in ports if (no := port_refused(port, user)) is not None]
    said = "; ".join(wrong) or f"user {user.name} may open every port that is there"
    return outcome("rights", said, ok=not wrong)
