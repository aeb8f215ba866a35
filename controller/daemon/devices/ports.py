"""Whether the configured serial ports are free, asked once at a start."""

from __future__ import annotations

from collections.abc import Iterable

from controller.causes.ports import cause_of_error
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
