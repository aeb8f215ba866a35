"""The configuration file of a bench's table."""

from __future__ import annotations

import json
from collections.abc import Collection

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
