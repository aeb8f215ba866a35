"""Which device is which: every place that answered gets a name of the configuration, or none.

The rules:

- What the command line says comes first, then where the configuration has a device already and one
  of its kind still answers, then the kind, where one alone of it is left. Two of a kind are asked
  about or told; nothing is guessed.
- A serial port is named after its adapter's number. Where that number is missing, or several ports
  have it (one adapter with four ports, two adapters of one maker), the port is used by the system's
  link to its socket, ``/dev/serial/by-path``, or by the place that somebody has named; where there
  is neither it is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.commissioning.place import DevicePlace, can_be_bound
from controller.not_done import WRONG_USE, NotDone
from drivers.adapters import Port, is_one_adapter, same_number
from drivers.api import DeviceConfig
from drivers.probe import LINKS
from drivers.vocabulary import DISPLAY, JACKPOT, KINDS, PLAIN_KINDS, kind_on_the_wire, plain_name

Which = Callable[[str, Sequence[DevicePlace]], DevicePlace | None]
"""Asks a person which of several places has a device; None: nobody says."""


@dataclass(slots=True)
class Chosen:
    """A device of the proposal: where it was found, ``given`` in somebody's own words ("" for
    none), and how the configuration gets there: ``key`` is ``port`` or ``usb`` with its ``value``,
    ``adapter`` the number that its name is bound to, "" for none."""

    name: str
    kind: str
    place: DevicePlace
    given: str = ""
    key: str = ""
    value: str = ""
    adapter: str = ""


@dataclass(slots=True)
class DeviceChoice:
    """What was chosen, by name, and what a person has to see to, a sentence each."""

    devices: dict[str, Chosen] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def has(self, place: DevicePlace) -> bool:
        """Whether the place is some device's."""
        return any(one.place == place for one in self.devices.values())


def choose(
    places: Sequence[DevicePlace],
    known: Mapping[str, DeviceConfig],
    names: Mapping[str, str],
    told: Mapping[str, str],
    which: Which,
) -> DeviceChoice:
    """The choice. ``known`` are the devices that the configuration has so far, ``names`` what udev
    binds (name to number), ``told`` what the command line says (device to place). Raises
    ``NotDone`` (2) where that means several places, one twice, or one at which another kind of
    device answers."""
    choice = DeviceChoice()
    for name, given in told.items():
        place = _meant_place(choice, name, given, places)
        kind = _kind_told(name, place, known)
        choice.devices[name] = Chosen(name, kind, place, given)
    for name, device in known.items():
        if name not in choice.devices:
            _still_there(choice, device, places, names)
    for kind in KINDS.values():
        _by_kind(choice, kind, places, known, which)
    twice = same_number([place.at for place in places if not place.is_unit])
    for name, one in list(choice.devices.items()):
        if not _settled(choice, one, known.get(name), twice):
            del choice.devices[name]
    return choice


def _meant_place(
    choice: DeviceChoice, name: str, given: str, places: Sequence[DevicePlace]
) -> DevicePlace:
    fitting = [place for place in places if place.leads_from(given)]
    if len(fitting) > 1:
        which = ", ".join(place.port for place in fitting)
        raise NotDone(
            WRONG_USE, f"--device {name}={given}: expected one unit, and {which} are plugged in"
        )
    if choice.has(fitting[0]):
        raise NotDone(WRONG_USE, f"--device {name}={given}: that port is another --device already")
    return fitting[0]


def _kind_told(name: str, place: DevicePlace, known: Mapping[str, DeviceConfig]) -> str:
    if name in known:
        kind = known[name].kind
    elif name in PLAIN_KINDS:
        kind = name
    else:
        kind = DISPLAY if place.kind in (JACKPOT, "") else place.kind
    if place.kind and place.kind != kind_on_the_wire(kind):
        there = PLAIN_KINDS.get(place.kind, place.kind)
        raise NotDone(
            WRONG_USE,
            f"--device {name}={place.port}: expected a {plain_name(kind, name)} there, and a "
            f"{there} answers ({place.serial})",
        )
    return kind


def _still_there(
    choice: DeviceChoice,
    device: DeviceConfig,
    places: Sequence[DevicePlace],
    names: Mapping[str, str],
) -> None:
    """Note the device where the configuration has it, if it answers there or cannot be asked."""
    port = device.port or ""
    number = names.get(port.removeprefix(f"{LINKS}/")) if port.startswith(f"{LINKS}/") else None
    fitting = [
        place
        for place in places
        if (place.at.number == number if number else place.leads_from(port or device.usb or ""))
        and not choice.has(place)
        and place.kind in ("", kind_on_the_wire(device.kind))
    ]
    if len(fitting) == 1:
        choice.devices[device.name] = Chosen(device.name, device.kind, fitting[0])


def _by_kind(
    choice: DeviceChoice,
    kind: str,
    places: Sequence[DevicePlace],
    known: Mapping[str, DeviceConfig],
    which: Which,
) -> None:
    """Give a kind's name to the one that answers, where no other has it."""
    name = next((one.name for one in known.values() if one.kind == kind), kind)
    left = [place for place in places if place.kind == kind and not choice.has(place)]
    before = choice.devices.get(name)
    if before is not None and before.place.kind:
        choice.problems += [_not_used(kind, place, name) for place in left]
    elif len(left) == 1:
        choice.devices[name] = Chosen(name, kind, left[0], before.given if before else "")
    elif left:
        place = which(PLAIN_KINDS[kind], left)
        if place is None:
            said = " and ".join(f"{one.port} ({one.serial})" for one in left)
            choice.problems.append(
                f"{len(left)} devices are each a {PLAIN_KINDS[kind]}: {said}. Say which is the "
                f"table's: --device {name}=PORT"
            )
            return
        choice.devices[name] = Chosen(name, kind, place, place.port)
        left.remove(place)
        choice.problems += [_not_used(kind, place, name) for place in left]


def _not_used(kind: str, place: DevicePlace, name: str) -> str:
    more = (
        ". As a display, which only shows: --device NAME=" + place.port if kind == JACKPOT else ""
    )
    return (
        f"another {PLAIN_KINDS[kind]} answers at {place.port} ({place.serial}) and is not used: "
        f"take it off, or choose it with --device {name}={place.port}{more}"
    )


def _settled(
    choice: DeviceChoice, one: Chosen, before: DeviceConfig | None, twice: Mapping[str, list[Port]]
) -> bool:
    """Settle how the configuration gets to the device; False, with what to do, where it cannot."""
    place = one.place
    if place.is_unit:
        one.key, one.value = "usb", place.port
        if before is not None and before.usb and place.leads_from(before.usb) and not one.given:
            one.value = before.usb
        return True
    one.key = "port"
    links = f"{LINKS}/"
    port = before.port if before is not None and before.port else ""
    if port and not port.startswith(links) and place.leads_from(port) and not one.given:
        one.value = port
        return True
    why = _why_not_bound(place.at, twice)
    if not why:
        one.adapter = place.at.number
        one.value = port if port.startswith(links) else f"{links}{one.name}"
        return True
    if one.given:
        one.value = one.given
        if place.at.usb:
            choice.problems.append(
                f"{one.name} is used at {one.given} as it was said, for {why}: it must stay in "
                "that socket"
            )
        return True
    if port and place.leads_from(port) and place.at.number not in twice:
        one.value = port  # a name that somebody has bound otherwise
        return True
    if place.at.by_path:
        one.value = place.at.by_path
        choice.problems.append(
            f"{one.name} is used by its socket, {place.at.by_path}, for {why}: it must stay there"
        )
        return True
    choice.problems.append(
        f"{one.name} answers at {place.port}, and {why}, so no name can be bound to it: choose a "
        f"port of another adapter, or say by which name it is used: --device {one.name}=PORT"
    )
    return False


def _why_not_bound(at: Port, twice: Mapping[str, list[Port]]) -> str:
    if not at.number:
        return "its adapter has no serial number" if at.usb else "it is not on USB"
    if at.number in twice:
        others = ", ".join(one.path for one in twice[at.number] if one.path != at.path)
        if is_one_adapter(twice[at.number]):
            return f"its adapter has one serial number, {at.number}, for its other ports ({others})"
        return f"the adapter at {others} has the same serial number {at.number}"
    if not can_be_bound(at.number):
        return f"udev would take its adapter's number {at.number!r} as a pattern"
    return ""
