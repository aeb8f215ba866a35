"""Which drivers there are: entry points of the group ``table_controller.drivers``.

An entry point's name is what ``driver = "..."`` says in the configuration; it names a function of
the shape :data:`drivers.api.OpenLink`. Nothing is imported but the driver asked for. Table Link is
known without an entry point too, so that a checkout works before it is installed.
"""

from __future__ import annotations

import asyncio
import re
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from drivers.api import DeviceConfig, DeviceLink, DeviceListener, DriverError, OpenLink

GROUP = "table_controller.drivers"
OWN = EntryPoint("table-link", "drivers.table_link.driver:open_link", GROUP)
USB_FORM = re.compile(r"(?P<vendor>[0-9A-Fa-f]{4}):(?P<product>[0-9A-Fa-f]{4})(?::(?P<serial>.+))?")


def known_drivers() -> dict[str, EntryPoint]:
    """Every driver installed, by name; none is loaded."""
    return {point.name: point for point in entry_points(group=GROUP)} | {OWN.name: OWN}


def is_known(name: str) -> bool:
    """Whether there is a driver called ``name``. Ours is not looked for among those installed:
    that reads every package's metadata, a second of a start on a slow machine."""
    return name == OWN.name or name in known_drivers()


def load_driver(name: str) -> OpenLink:
    """The driver called ``name``; :class:`DriverError` says which there are, or what it lacks."""
    if not is_known(name):
        known = ", ".join(sorted(known_drivers()))
        raise DriverError(f'there is no driver "{name}"; installed: {known}')
    point = OWN if name == OWN.name else known_drivers()[name]
    try:
        driver = point.load()
    except Exception as error:  # a vendor's module may fail in any way it likes
        raise DriverError(f'the driver "{name}" ({point.value}): {error!r}') from error
    if not callable(driver):
        raise DriverError(f'the driver "{name}" ({point.value}) is not a function')
    return cast("OpenLink", driver)


def open_device(
    config: DeviceConfig,
    loop: asyncio.AbstractEventLoop,
    listener: DeviceListener,
    resume: tuple[int, int] = (0, 0),
) -> DeviceLink:
    """The link of a configured device, by the driver that its configuration names."""
    check_config(config)
    return load_driver(config.driver)(config, loop, listener, resume)


def check_config(config: DeviceConfig) -> None:
    """Raise :class:`DriverError` unless the device's configuration can be right."""
    where = f"devices.{config.name}"
    if (config.port is None) == (config.usb is None):
        raise DriverError(f"{where}: give either port (serial) or usb, one of them")
    if config.port is not None and not config.port:
        raise DriverError(f"{where}: port is empty")
    if config.usb is not None:
        try:
            parse_usb(config.usb)
        except ValueError as error:
            raise DriverError(f"{where}: {error}") from error
    if config.baud <= 0:
        raise DriverError(f"{where}: baud is {config.baud}, a speed such as 115200 is needed")


def parse_usb(text: str) -> tuple[int, int, str | None]:
    """``VENDOR:PRODUCT[:SERIAL]``, the first two hexadecimal; ``ValueError`` if it is not that."""
    match = USB_FORM.fullmatch(text)
    if match is None:
        raise ValueError(
            f'usb is "{text}": write VENDOR:PRODUCT or VENDOR:PRODUCT:SERIAL, such as 1209:0001'
        )
    return int(match["vendor"], 16), int(match["product"], 16), match["serial"]
