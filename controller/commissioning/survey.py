"""What is plugged in, and who answers: serial ports and USB units, asked all at once; and a test of
each device that was found, by itself.

The rules:

- A serial port on USB is asked, and one that somebody named. Others (the board's own, which may be
  the machine's console) are listed and left alone.
- Nobody is asked at a port that the running controller has: it says itself who is there. A device
  with another maker's driver is not asked either, it speaks another language.
- A port that another program has open, beside the controller or without it, is not asked: each of
  the two would take what the other one waits for.
- What cannot be told is said with what to do about it; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.causes.ports import cause_of_error, read_by
from controller.causes.who_may import daemon, myself
from controller.commissioning.choice import Chosen
from controller.commissioning.machine_tests import TestOutcome, as_told, outcome, own_test
from controller.commissioning.place import DevicePlace
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.places import port_refused
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.control.client import ControlClient, NoController
from controller.table.showing.status_fields import status_of
from drivers.adapters import Port
from drivers.api import DeviceConfig, DriverError, PortBusyError
from drivers.probe import LINKS

MOST_AT_ONCE: Final = 16
TABLE_LINK: Final = "table-link"
CONTROLLER: Final = "the running controller"


@dataclass(frozen=True, slots=True)
class Running:
    """What a running controller says: its devices as it was started with them, and their states."""

    state: str
    digest: str
    devices: Mapping[str, DeviceConfig]
    links: Mapping[str, Mapping[str, object]]


def running_at(socket: Path) -> Running | None:
    """What the controller there says; None where none answers."""
    try:
        with ControlClient(socket) as client:
            answer = client.status()
    except NoController:
        return None
    status, told = status_of(answer), answer.get("configuration")
    where = told if isinstance(told, dict) else {}
    devices: Mapping[str, DeviceConfig] = {}
    with suppress(BadConfiguration):
        devices = load_configuration(Path(str(where.get("path") or ""))).devices
    digest = str(where.get("digest") or "")
    return Running(str(status.get("state", "")), digest, devices, status.get("devices", {}))


def survey_places(
    machine: ThisMachine,
    known: Mapping[str, DeviceConfig],
    names: Mapping[str, str],
    named: Sequence[str],
    baud: int,
    running: Running | None,
) -> list[DevicePlace]:
    """Every place, asked. ``known`` are the configuration's devices so far, ``names`` what udev
    binds (name to number), ``named`` ports that somebody has named; ``baud`` is the speed where the
    configuration gives none."""
    places = machine.places()
    plugged = {place.at.number for place in places}
    for given in (*named, *(one.port or one.usb or "" for one in known.values())):
        bound = names.get(given.removeprefix(f"{LINKS}/"))
        if given and bound not in plugged and not any(one.leads_from(given) for one in places):
            about = "given by its path" if given in named else "as configured"
            places.append(DevicePlace(Port(given, description=about)))
    readers = machine.readers([place.port for place in places if not place.is_unit])

    def ask_place(place: DevicePlace) -> DevicePlace:
        place = _left_alone(place, known, named, running)
        if others := readers.get(place.port):
            who = place.held_by or " and ".join(map(str, others))
            return replace(place, held_by=who, trouble=str(read_by(place.port, others)))
        if place.trouble or place.held_by:
            return place
        speeds = [one.baud for one in known.values() if place.leads_from(one.port or one.usb or "")]
        return _probed(machine, place, speeds[0] if speeds else baud)

    with ThreadPoolExecutor(MOST_AT_ONCE, "setup") as pool:
        return list(pool.map(ask_place, places))


def _left_alone(
    place: DevicePlace,
    known: Mapping[str, DeviceConfig],
    named: Sequence[str],
    running: Running | None,
) -> DevicePlace:
    """The place, with why it is not asked if it is not."""
    for name, device in running.devices.items() if running else ():
        if place.leads_from(device.port or device.usb or ""):
            assert running
            link = running.links.get(name, {})
            serial = str(link.get("serial") or "")
            if place.is_unit and serial and not place.port.endswith(f":{serial}"):
                continue  # of several units that its configuration permits it has another one
            if link.get("link") != "up":
                down = ": ".join(str(link[key]) for key in ("reason", "next_step") if link.get(key))
                why = f"{CONTROLLER} has it as {name}, and its link is down: "
                return replace(
                    place, held_by=CONTROLLER, trouble=why + (down or "look at its plug")
                )
            kind, firmware = (str(link.get(key) or "") for key in ("kind", "firmware"))
            return replace(place, held_by=CONTROLLER, kind=kind, serial=serial, firmware=firmware)
    of_config = [one for one in known.values() if place.leads_from(one.port or one.usb or "")]
    for device in of_config:
        if device.driver != TABLE_LINK:
            why = f"not asked: it speaks to the driver {device.driver} ({device.name})"
            return replace(place, trouble=why)
    wanted = of_config or any(place.leads_from(given) for given in named)
    if not (place.at.usb or wanted):
        why = f"not on USB, so not asked: --port {place.port} asks there, too"
        return replace(place, trouble=why)
    return place


def _probed(machine: ThisMachine, place: DevicePlace, baud: int) -> DevicePlace:
    try:
        report = machine.probe_port(place.port, baud)
    except PortBusyError as error:
        said = cause_of_error(error, place.port)
        return replace(place, held_by="another process", trouble=str(said))
    except (DriverError, ValueError) as error:
        return replace(place, trouble=str(cause_of_error(error, place.port)))
    who = report.identity
    firmware = ".".join(map(str, who.firmware))
    return replace(place, kind=who.kind, serial=who.serial, firmware=firmware)


def device_tests(
    machine: ThisMachine, chosen: Mapping[str, Chosen], known: Mapping[str, DeviceConfig]
) -> list[TestOutcome]:
    """A test of each device, all at once; ``known`` are the proposed configuration's."""

    def test(name: str) -> TestOutcome:
        one = chosen.get(name)
        driver = known[name].driver
        if one is None or not one.place.kind:
            if driver != TABLE_LINK:
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
    """Whether the daemon's user may open every port that is there; None where that user asks."""
    user = daemon()
    if user.uid == myself().uid:
        return None
    ports = [Path(one.port) for one in devices.values() if one.port is not None]
    wrong = [str(no) for port in ports if (no := port_refused(port, user)) is not None]
    said = "; ".join(wrong) or f"user {user.name} may open every port that is there"
    return outcome("rights", said, ok=not wrong)
