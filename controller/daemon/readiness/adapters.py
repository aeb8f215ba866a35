"""Ports whose name is bound to a number that several adapters have: which is meant, is chance."""

from __future__ import annotations

import os
from collections.abc import Mapping

from controller.causes.ports import same_number
from drivers import adapters
from drivers.api import DeviceConfig


def shared_numbers(devices: Mapping[str, DeviceConfig]) -> dict[str, list[str]]:
    """What is wrong with each such device's port, and the next step, by the device's name. For a
    thread: the system is asked for all its ports."""
    found: dict[str, list[str]] = {}
    try:
        several = adapters.same_number(adapters.ports())
    except OSError:  # one was unplugged meanwhile
        return {}
    for name, device in devices.items():
        port = device.port or ""
        if not adapters.bound_by_number(port):
            continue
        for ports in several.values():
            here = [one for one in ports if os.path.realpath(one.path) == os.path.realpath(port)]
            if here:
                cause = same_number(name, port, ports, here[0].by_path)
                found[name] = [cause.what, cause.next_step]
    return found
