"""The serial ports of this machine with their adapters, and the links that the system gives them.

An adapter has one serial number in its plug, however many ports it has, and some makers give all of
theirs the same. A name that is bound to a number (``/dev/table/shoe``, ``/dev/serial/by-id``) leads
to one of several ports that have it, whichever was plugged in last. A link of
``/dev/serial/by-path`` is bound to the socket of the USB bus and to the port's place in its
adapter; it cannot be mistaken, and does not follow an adapter that is plugged in elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

SYSTEM: Final = Path("/dev/serial")
BY_ID: Final = "by-id"
BY_PATH: Final = "by-path"


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port. ``usb`` is vendor and product, "" where it is not on USB; ``number`` the
    serial number of its adapter, ``socket`` where on the bus that is; ``by_id`` and ``by_path`` the
    system's links to it, "" for none."""

    path: str
    usb: str = ""
    number: str = ""
    socket: str = ""
    by_id: str = ""
    by_path: str = ""
    description: str = ""


def ports() -> list[Port]:
    """All of them, none opened."""
    by_id, by_path = links(BY_ID), links(BY_PATH)
    return [
        Port(
            info.device,
            "" if info.vid is None else f"{info.vid:04x}:{info.pid:04x}",
            info.serial_number or "",
            (info.location or "").partition(":")[0],
            by_id.get(os.path.realpath(info.device), ""),
            by_path.get(os.path.realpath(info.device), ""),
            info.description or "",
        )
        for info in sorted(list_ports.comports())
    ]


def links(folder: str) -> dict[str, str]:
    """The system's links of that kind, by the port that each leads to."""
    if not (SYSTEM / folder).is_dir():
        return {}
    return {os.path.realpath(link): str(link) for link in sorted((SYSTEM / folder).iterdir())}


def same_number(found: Sequence[Port]) -> Mapping[str, list[Port]]:
    """The ports whose adapters have one number, by that number, where there are several."""
    by_number: dict[str, list[Port]] = {}
    for port in found:
        if port.number:
            by_number.setdefault(port.number, []).append(port)
    return {number: several for number, several in by_number.items() if len(several) > 1}


def is_one_adapter(several: Sequence[Port]) -> bool:
    """Whether these are ports of one adapter: they are at one place on the bus."""
    return len({port.socket for port in several}) == 1 and bool(several[0].socket)


def bound_by_number(path: str) -> bool:
    """Whether a port's name is one that is bound to its adapter's number."""
    return path.startswith(("/dev/table/", f"{SYSTEM / BY_ID}/"))
