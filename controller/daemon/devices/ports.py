"""The ports of devices: whether the serial ones are free, asked once at a start, and what is wrong
with a line."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from controller.causes.ports import DeviceLine, cause_of_error, cause_of_link
from drivers.api import DeviceConfig, DriverError, PortBusyError
from drivers.carriers.serial_port import close_port, open_port


def check_ports(devices: Iterable[DeviceConfig]) -> None:
    """Fail at once if another process holds a port: two controllers would compete for it.

    Raises:
        PortBusyError: that of the device that the message names.
    """
    for device in devices:
        if device.port is None:
            continue
        try:
            close_port(open_port(device.port, device.baud))
        except PortBusyError as error:
            why = cause_of_error(error, device.port)
            raise PortBusyError(f"devices.{device.name}: {why}", error.errno) from error
        except DriverError:
            continue  # a missing device is no reason not to open the table for the rest


def line_trouble(line: DeviceLine, lines: Collection[DeviceLine]) -> dict[str, str]:
    """What is wrong with one of the ``lines``, as a status has it; empty where nothing is.

    The cause in words is the ``reason`` of a link that is down and the ``trouble`` of one that is
    up; beside it stands the ``next_step``."""
    cause = cause_of_link(line, lines)
    if cause is None:
        return {}
    what = "reason" if line.down else "trouble"
    return {what: cause.what, "next_step": cause.next_step}
