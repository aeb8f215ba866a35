"""A place where a device may be plugged in, and who answers there; and the names of serial ports,
the rules for udev that ``setup`` writes and reads again.

The rules of the file ``99-table-controller.rules``:

- A line for each name, which it binds to the serial number in the adapter's USB plug. A file made
  by hand, or by an earlier installation, is read by the same form; a line of another form is left
  as it is, and a name keeps the form of its line.
- What is not of one table stands in files that are installed: ``60-table-controller.rules``,
  and ``99-table-ports.rules``, which is read behind this one and gives the named ports their
  rights.
- A port that is used by its path, or by another link of the system's, has a line that gives it the
  same rights and no name.
- A number is bound to one name: a line that would give its adapter a second one is taken out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from controller.forms.json_values import JsonObject
from drivers.adapters import Port
from drivers.registry import USB_FORM

RULES: Final = Path("/etc/udev/rules.d/99-table-controller.rules")

_LINE: Final = re.compile(
    r'(?P<head>\s*[^#\s].*ATTRS\{serial\}==")(?P<serial>[^"]*)'
    r'(?P<middle>".*SYMLINK\+?="table/)(?P<name>[^"]+)(?P<tail>".*)'
)
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:+@/# -]+")
"""Numbers that udev does not take as a pattern."""

_HEAD: Final = """\
# /etc/udev/rules.d/99-table-controller.rules
#
# The ports of this table, by the serial numbers in the USB plugs of their adapters. A port's own
# number (ttyUSB0, ttyUSB1) changes with the order of plugging; these names under /dev/table stay.
# Written by 'tablectl setup', which also changes it when an adapter was exchanged. Two adapters
# with the same number, or with none, cannot be told apart: 'setup' uses their sockets instead.
"""


def read_names(text: str) -> dict[str, str]:
    """The serial number that each name is bound to; of several lines the last counts."""
    found = filter(None, map(_LINE.fullmatch, text.splitlines()))
    return {line["name"]: line["serial"] for line in found}


def can_be_bound(serial: str) -> bool:
    """Whether udev can tell the adapter by this number."""
    return bool(_PLAIN.fullmatch(serial))


def bound(text: str, wanted: Mapping[str, str]) -> str:
    """The file's ``text`` ("" for none) with every wanted name bound to its serial number."""
    lines: list[str] = []
    behind = None
    missing = dict(wanted)
    for line in text.splitlines() if text else _HEAD.splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        name = found["name"]
        if name in wanted:
            missing.pop(name, None)
            lines.append(found["head"] + wanted[name] + found["middle"] + name + found["tail"])
        elif found["serial"] not in wanted.values():
            lines.append(line)
        behind = len(lines)
    new = [_line(name, serial) for name, serial in missing.items()]
    where = len(lines) if behind is None else behind
    return "".join(f"{line}\n" for line in [*lines[:where], *new, *lines[where:]])


def guarded(text: str, ports: Collection[str]) -> str:
    """The file's ``text`` with a line for every port that is given by its path."""
    lines = text.splitlines() if text else _HEAD.splitlines()
    new = [line for port in ports if (line := _guard(port)) not in lines]
    return "".join(f"{line}\n" for line in [*lines, *new]) if new else text


def can_be_guarded(port: str) -> bool:
    """Whether udev can tell the port by its path."""
    name = port.removeprefix("/dev/")
    return name != port and bool(_PLAIN.fullmatch(name))


def _guard(port: str) -> str:
    name = port.removeprefix("/dev/")
    key = "SYMLINK" if "/" in name else "KERNEL"
    return f'SUBSYSTEM=="tty", {key}=="{name}", ENV{{TABLE_PORT}}="1"'


def _line(name: str, serial: str) -> str:
    return (
        f'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{{serial}}=="{serial}", '
        f'SYMLINK+="table/{name}", ENV{{TABLE_PORT}}="1"'
    )


@dataclass(frozen=True, slots=True)
class DevicePlace:
    """A serial port, or a USB unit by its vendor and product, and who answers there: ``kind``,
    ``serial`` and ``firmware``, "" where none does; then ``trouble`` says why, and what to do.
    ``held_by`` is the one who has it open."""

    at: Port
    kind: str = ""
    serial: str = ""
    firmware: str = ""
    trouble: str = ""
    held_by: str = ""

    @property
    def port(self) -> str:
        """How it is named to whoever opens it."""
        return self.at.path

    @property
    def is_unit(self) -> bool:
        """Whether it is used through USB itself."""
        return USB_FORM.fullmatch(self.port) is not None

    def leads_from(self, given: str) -> bool:
        """Whether a port's path, or ``VENDOR:PRODUCT[:SERIAL]``, means this one."""
        if not given:
            return False
        if self.is_unit or USB_FORM.fullmatch(given):
            return self.port == given or self.port.startswith(f"{given}:")
        return os.path.realpath(self.port) == os.path.realpath(given)

    def as_json(self) -> JsonObject:
        """As ``setup --json`` lists it."""
        told = asdict(self)
        at = told.pop("at")
        port, usb, adapter = (at.pop(name) for name in ("path", "usb", "number"))
        return {"port": port, "usb": usb, "adapter": adapter, **at, **told}
