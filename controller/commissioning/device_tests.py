"""Devices tested without a person: those that were found, each by itself and all at once; and one
of a running table, which has it test itself, between rounds.

Each test is ``name``, ``ok``, and ``what`` in plain words, which say what to do where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from controller.causes.who_may import daemon, myself
from controller.commissioning.choice import Chosen
from controller.commissioning.machine_tests import SUPPORT, TestOutcome, as_told, outcome, own_test
from controller.commissioning.survey import CONTROLLER, MOST_AT_ONCE
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.places import port_refused
from controller.control.answers import SelfTestOutcome
from controller.forms.json_values import JsonObject
from drivers.api import DeviceConfig, DriverError
from drivers.link_counters import DEGRADING_FROM, MEANINGS, TROUBLE, few

OF_PORT = frozenset(("down", "line_open_failed", "line_lost"))
"""Counters of a link that was interrupted: that it is up again is another test."""
LOOK = "look at its plug, supply and port"
CABLE = "exchange the cable, then the adapter"


def device_tests(
    machine: ThisMachine, chosen: Mapping[str, Chosen], known: Mapping[str, DeviceConfig]
) -> list[TestOutcome]:
    """A test of each device, all at once; ``known`` are the proposed configuration's."""

    def test(name: str) -> TestOutcome:
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


def _tested(machine: ThisMachine, name: str, one: Chosen, baud: int) -> TestOutcome:
    try:
        report = machine.self_test(one.place.port, baud)
    except (DriverError, ValueError) as error:
        return outcome(name, str(error), ok=False)
    told = own_test(as_told(name, report))
    return outcome(name, f"self-test {told['what']}", ok=told["ok"])


def port_rights(devices: Mapping[str, DeviceConfig]) -> TestOutcome | None:
    """Whether the daemon's user may open every port that is there; None where whoever asks is that
    user, and has opened them."""
    user = daemon()
    if user.uid == myself().uid:
        return None
    ports = [Path(one.port) for one in devices.values() if one.port is not None]
    wrong = [str(no) for port in ports if (no := port_refused(port, user)) is not None]
    said = "; ".join(wrong) or f"user {user.name} may open every port that is there"
    return outcome("rights", said, ok=not wrong)


def tests_of(
    device: JsonObject, since: str, minute: Mapping[str, int], result: SelfTestOutcome
) -> Iterator[TestOutcome]:
    """All tests of a device of a running table, without a person: its link, identity, own
    self-test and faults, whether it works and takes its commands, its line. ``device`` is as its
    status has it, ``since`` how long ago its link changed, in words, ``minute`` what its line has
    counted within that time."""
    up = device.get("link") == "up"
    reason = f" ({device['reason']})" if device.get("reason") else ""
    look = "" if up else f"{reason}: {device.get('next_step') or LOOK}"
    yield {"name": "link", "ok": up, "what": f"{device.get('link')} since {since}{look}"}
    who = f"{device.get('kind')} {device.get('serial')}, firmware {device.get('firmware')}"
    yield {"name": "identity", "ok": bool(device.get("serial")), "what": who}
    yield own_test(result)
    stopped = str(device.get("stopped") or "")
    state = f"it {stopped}: put that right" if stopped else "nothing keeps it from working"
    yield {"name": "state", "ok": not stopped, "what": state}
    faults = str(device.get("faults") or "")
    told = f"it reports {faults}: put that right, or {SUPPORT}" if faults else "it reports none"
    yield {"name": "faults", "ok": not faults, "what": told}
    refused = device.get("refused")
    because = f"{refused}: put its state right" if stopped else f"{refused}: switch it off and on"
    said = because if refused else "it has taken its last one"
    yield {"name": "commands", "ok": not refused, "what": said}
    bad = {name: count for name, count in minute.items() if name in TROUBLE - OF_PORT and count}
    counted = "; ".join(f"{count} {MEANINGS[name]}" for name, count in bad.items())
    good = few(bad)
    advice = (
        f"fewer than {DEGRADING_FROM} are no fault" if good else device.get("next_step") or CABLE
    )
    clean = "nothing sent again, nothing damaged within the last minute"
    said = f"within the last minute {counted}: {advice}" if bad else clean
    yield {"name": "line", "ok": good, "what": said}
