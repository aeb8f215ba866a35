"""Who reads a table's ports beside its controller, as far as whoever gives the command may see it.

The controller runs as a user who is not shown other users' processes, so it knows of a second
reader only by what it loses. Root is shown every process: ``ready`` and ``devices list`` look.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.causes.cause import Cause
from controller.causes.port_holders import beside_the_controller
from controller.causes.ports import read_by
from controller.json_values import JsonObject


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
