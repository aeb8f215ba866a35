"""Configuration files: of a bench's table, and the smallest one."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from hil_tests.bench.setup import Setup

USB_UNIT = "1209:0001"


def configuration_text(
    setup: Setup,
    usb: Collection[str] = (),
    ports: str = "",
    state: str = "state",
    socket: str = "control.sock",
) -> str:
    """The TOML of a table so set up, whose ports, state and socket lie beside the file unless told
    otherwise; devices in ``usb`` are found by vendor and product instead."""
    unit = f"{USB_UNIT}:{setup.unit_serial}" if setup.unit_serial else USB_UNIT
    lines = [
        "[table]",
        f"id = {json.dumps(setup.table)}",
        f"rules = {json.dumps(setup.rules)}",
        f"decks = {setup.decks}",
        f"boxes = {setup.boxes}",
        f"min = {setup.limits[0]}\nmax = {setup.limits[1]}",
        *(f"{name} = {most}" for name, most in setup.box_limits.items()),
        *_side_limits(setup),
        f"increment = {setup.increment:g}",
        *(
            f"[devices.{name}]\n"
            + (f"kind = {json.dumps(setup.kinds[name])}\n" if name in setup.kinds else "")
            + (f"usb = {json.dumps(unit)}" if name in usb else f"port = {json.dumps(ports + name)}")
            for name in setup.devices
        ),
        f"[state]\ndirectory = {json.dumps(state)}",
        f"[control]\nsocket = {json.dumps(socket)}",
    ]
    if setup.weights:
        weights = ", ".join(f"{value} = {share}" for value, share in setup.weights.items())
        lines.append(f"[multiplier]\nweights = {{ {weights} }}\nspin_ms = {setup.spin_ms}")
    return "\n".join(lines) + "\n"


def _side_limits(setup: Setup) -> list[str]:
    if setup.side_limits is None:
        return []
    return [f"side_min = {setup.side_limits[0]}", f"side_max = {setup.side_limits[1]}"]


def least_configuration(
    links: Mapping[str, Path],
    state: Path,
    socket: Path,
    *,
    table: str = "T1",
    rules: str = "mbs-pontoon-pandemonium-v5",
    people: str = "root",
    spin_ms: int = 4000,
    more: str = "",
) -> str:
    """The TOML of a table with serial devices at these ``links``, and of little that has a default;
    ``people``: the group of dealers and of supervisors; ``more`` goes to ``[state]``."""
    devices = "".join(f'[devices.{name}]\nport = "{link}"\n' for name, link in links.items())
    return f"""\
[table]
id = "{table}"
rules = "{rules}"
decks = 8
boxes = 7
min = 10
max = 5000
side_min = 1
side_max = 500
increment = 1
{devices}[multiplier]
weights = {{ 100 = 4, 50 = 8, 25 = 20, 20 = 20, 10 = 24, 5 = 12, 3 = 7, 2 = 5 }}
spin_ms = {spin_ms}
[state]
directory = "{state}"
{more}[control]
socket = "{socket}"
dealers = "{people}"
supervisors = "{people}"
"""
