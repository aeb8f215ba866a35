"""Who has serial ports open beside their controller.

The controller locks its ports, so whoever has one open and not locked is another. Who has the other
end of a pseudo-terminal is its device. Root is shown every process; another user only his own, and
learns from an empty answer nothing. The controller is such a user, so it knows of a second reader
only by what it loses; ``ready`` and ``devices list`` look (:func:`readers`).
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

from controller.causes.cause import Cause
from controller.causes.holders import PROC, Holder, lockers, number_of, other_processes, program_of
from controller.causes.ports import read_by
from controller.forms.json_values import JsonObject
from controller.regular_files import read_whole

_MASTERS: Final = frozenset({"/dev/ptmx", "/dev/pts/ptmx"})
_INDEX: Final = re.compile(r"^tty-index:\s*(\d+)", re.MULTILINE)


def beside_the_controller(ports: Collection[str]) -> dict[str, list[Holder]]:
    """The other processes that have each of these ports open, without the ports that no other
    has."""
    leads_to = {port: os.path.realpath(port) for port in ports}
    wanted = set(leads_to.values())
    found: dict[str, list[int]] = {}
    for pid in other_processes():
        places = dict(_open_places(pid))
        for place in wanted & places.keys() - _other_ends(pid, places):
            found.setdefault(place, []).append(pid)
    told: dict[str, list[Holder]] = {}
    for port, place in leads_to.items():
        if place in found and (pids := set(found[place]).difference(_locked(port))):
            told[port] = [Holder(pid, program_of(pid)) for pid in sorted(pids)]
    return told


def _locked(port: str) -> Collection[int]:
    with contextlib.suppress(OSError):
        return lockers([number_of(Path(port).stat())])
    return ()


def _open_places(pid: int) -> Iterator[tuple[str, str]]:
    """Where a process' descriptors lead, and their numbers: read, not followed, which might
    hang."""
    with contextlib.suppress(OSError):
        for descriptor in (PROC / str(pid) / "fd").iterdir():
            with contextlib.suppress(OSError):
                place = str(descriptor.readlink())
                yield (
                    (f"{place} {descriptor.name}" if place in _MASTERS else place),
                    descriptor.name,
                )


def _other_ends(pid: int, places: Mapping[str, str]) -> set[str]:
    """The pseudo-terminals whose other end the process has (``tty-index``, proc(5))."""
    found = set()
    for place, descriptor in places.items():
        if place.partition(" ")[0] in _MASTERS:
            with contextlib.suppress(OSError):
                told = read_whole(PROC / str(pid) / "fdinfo" / descriptor).decode(
                    "ascii", "replace"
                )
                found |= {f"/dev/pts/{number}" for number in _INDEX.findall(told)}
    return found


def readers(devices: Mapping[str, JsonObject]) -> dict[str, Cause]:
    """Who they are, by the name of the device; ``devices`` as the status has them."""
    ports = {name: str(device.get("port") or "") for name, device in devices.items()}
    found = beside_the_controller([port for port in ports.values() if port.startswith("/")])
    return {name: read_by(port, found[port]) for name, port in ports.items() if port in found}


def named(devices: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    """The devices, each with its readers as its ``trouble`` where it has any."""
    found = readers(devices)
    return {
        name: {**device, "trouble": found[name].what, "next_step": found[name].next_step}
        if name in found
        else device
        for name, device in devices.items()
    }
