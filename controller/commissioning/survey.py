"""What is plugged in, and who answers: serial ports and USB units, asked all at once.

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.causes.holders import Holder
from controller.causes.ports import cause_of_error, read_by
from controller.commissioning.place import DevicePlace
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.forms.json_values import JsonObject
from controller.table.showing.status_fields import Status
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
    path: str
    digest: str
    devices: Mapping[str, DeviceConfig]
    links: Mapping[str, Mapping[str, object]]

    @classmethod
    def from_answer(cls, answer: JsonObject, status: Status) -> Running:
        """What its ``answer`` tells; ``status`` is the same, checked."""
        told = answer.get("configuration")
        where = told if isinstance(told, dict) else {}
        path, digest = str(where.get("path") or ""), str(where.get("digest") or "")
        try:
            devices = dict(load_configuration(Path(path)).devices)
        except BadConfiguration:
            devices = {}
        return cls(str(status.get("state", "")), path, digest, devices, status.get("devices", {}))


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
    asked = [
        _with_readers(_left_alone(place, known, named, running), readers.get(place.port))
        for place in places
    ]

    def ask_place(place: DevicePlace) -> DevicePlace:
        if place.trouble or place.held_by:
            return place
        speeds = [one.baud for one in known.values() if place.leads_from(one.port or one.usb or "")]
        return _probed(machine, place, speeds[0] if speeds else baud)

    with ThreadPoolExecutor(MOST_AT_ONCE, "setup") as pool:
        return list(pool.map(ask_place, asked))


def _with_readers(place: DevicePlace, readers: Sequence[Holder] | None) -> DevicePlace:
    if not readers:
        return place
    who = place.held_by or " and ".join(map(str, readers))
    return replace(place, held_by=who, trouble=str(read_by(place.port, readers)))


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
