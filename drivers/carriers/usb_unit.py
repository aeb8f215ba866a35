"""Finding and opening a USB unit, blocking; every failure in plain words.

The unit is found by vendor and product, and by its serial number where one is configured: that does
not change with the socket it is plugged into. Configuration 1, interface 0 of class 0xFF, subclass
0x50, protocol 0x01, interrupt IN 0x81 and interrupt OUT 0x01, packets of 64 bytes (protocol section
2). What has the numbers and not that interface is somebody else's device, and is left alone.
"""

from __future__ import annotations

import contextlib
import errno
from typing import Any

import usb.core
import usb.util

from drivers.api import DriverError, OtherUnitError, PortBusyError
from drivers.carriers.usb_context import PYUSB_ERRORS, Context, libusb_context
from drivers.printable import printable
from drivers.registry import parse_usb

CONFIGURATION = 1
INTERFACE = 0
ENDPOINT_IN = 0x81
ENDPOINT_OUT = 0x01
PACKET_BYTES = 64
INTERFACE_CLASS = (0xFF, 0x50, 0x01)


class UsbUnit:
    """An open and claimed unit. Reading and writing may happen in two threads; closing must not."""

    def __init__(self, device: Any, context: contextlib.ExitStack) -> None:
        self._device = device
        self._context = context

    def read_packet(self, timeout_s: float) -> bytes:
        """One packet. ``usb.core.USBTimeoutError`` when none came; ``USBError`` otherwise."""
        data = self._device.read(ENDPOINT_IN, PACKET_BYTES, round(timeout_s * 1000))
        return bytes(data)

    def write(self, packet: bytes, timeout_s: float) -> None:
        """Send one packet; errors as for :meth:`read`."""
        self._device.write(ENDPOINT_OUT, packet, round(timeout_s * 1000))

    def clear_halts(self) -> None:
        """After a stall: both endpoints."""
        self._device.clear_halt(ENDPOINT_IN)
        self._device.clear_halt(ENDPOINT_OUT)

    def close(self) -> None:
        """Release it; a unit that is gone does not mind."""
        self._device = None
        self._context.close()


def open_unit(wanted: str) -> UsbUnit:
    """Open the one unit that ``VENDOR:PRODUCT[:SERIAL]`` means, else :class:`DriverError`."""
    with contextlib.ExitStack() as context:
        device = _open(context.enter_context(libusb_context()), wanted)
        return UsbUnit(device, context.pop_all())


def _open(libusb: Context, wanted: str) -> Any:
    vendor, product, serial = parse_usb(wanted)
    found = _matching(libusb, vendor, product, serial, wanted)
    if not found and _all(libusb, vendor, product, ours=False):
        raise OtherUnitError(
            f"no USB unit {wanted} is plugged in, only a device with its numbers that is none "
            "(another interface): take that out"
        )
    if not found:
        raise DriverError(f"no USB unit {wanted} is plugged in", errno.ENODEV)
    device, *others = found
    if others:
        raise OtherUnitError(
            f"{len(found)} USB units are {wanted}: add the serial number to the configuration"
        )
    try:
        if _active_configuration(device) != CONFIGURATION:
            device.set_configuration(CONFIGURATION)
        with contextlib.suppress(usb.core.USBError, NotImplementedError):
            if device.is_kernel_driver_active(INTERFACE):
                device.detach_kernel_driver(INTERFACE)
        usb.util.claim_interface(device, INTERFACE)
    except PYUSB_ERRORS as error:
        raise explain(wanted, error) from error
    return device


def list_units(vendor: int, product: int) -> list[str]:
    """Every unit of that vendor and product as ``VENDOR:PRODUCT:SERIAL``, as far as it tells."""
    units = []
    with libusb_context() as libusb:
        for device in _all(libusb, vendor, product):
            serial = None
            with contextlib.suppress(*PYUSB_ERRORS):
                serial = device.serial_number
            name = f"{vendor:04x}:{product:04x}"
            units.append(f"{name}:{printable(serial)}" if serial else name)
    return units


def explain(wanted: str, error: BaseException) -> DriverError:
    """What went wrong with the unit, for a person."""
    number = getattr(error, "errno", None)
    if number == errno.EBUSY:
        return PortBusyError(
            f"USB unit {wanted} is in use by another process, and only one may speak to a device",
            number,
        )
    if number in (errno.EACCES, errno.EPERM):
        return DriverError(f"USB unit {wanted} may not be opened by this user", number)
    if number in (errno.ENODEV, errno.ENOENT):
        return DriverError(f"USB unit {wanted} was unplugged", number)
    return DriverError(f"USB unit {wanted} cannot be used: {error}", number)


def _matching(
    libusb: Context, vendor: int, product: int, serial: str | None, wanted: str
) -> list[Any]:
    devices = _all(libusb, vendor, product)
    if serial is None:
        return devices
    found, others, doubt = [], [], None
    for device in devices:
        try:
            told = device.serial_number
            matches = told == serial
            others.append(printable(str(told)))
        except PYUSB_ERRORS as error:
            # Also a unit just unplugged, which is still listed for a moment. pyusb turns a unit
            # that may not be opened into a ValueError about languages.
            matches, doubt = False, error
        if matches:
            found.append(device)
        else:
            _let_go(device)
    if not found and doubt is not None:
        raise DriverError(
            f"USB unit {wanted}: a unit of that kind does not tell its serial number; is it just "
            "being plugged, or may this user not open it (udev rule)?"
        ) from doubt
    if not found and others:
        only = ", ".join(sorted(others))
        raise OtherUnitError(f"no USB unit {wanted} is plugged in, only {only}")
    return found


def _all(libusb: Context, vendor: int, product: int, *, ours: bool = True) -> list[Any]:
    """The devices with these numbers that are units of the protocol, or those that are none."""
    try:
        found = libusb.find_devices(vendor, product)
    except usb.core.USBError as error:
        raise explain(f"{vendor:04x}:{product:04x}", error) from error
    return [device for device in found if _is_unit(device) == ours]


def _is_unit(device: Any) -> bool:
    """Whether it has the interface and the endpoints; true of one that cannot be asked any more,
    which opening it will find out."""
    try:
        configuration = usb.util.find_descriptor(device, bConfigurationValue=CONFIGURATION)
        if configuration is None:
            return False
        interface = configuration[(INTERFACE, 0)]
        endpoints = {endpoint.bEndpointAddress for endpoint in interface}
    except (IndexError, KeyError):
        return False
    except PYUSB_ERRORS:
        return True
    said = (
        interface.bInterfaceClass,
        interface.bInterfaceSubClass,
        interface.bInterfaceProtocol,
    )
    return said == INTERFACE_CLASS and {ENDPOINT_IN, ENDPOINT_OUT} <= endpoints


def _active_configuration(device: Any) -> int | None:
    try:
        value = device.get_active_configuration().bConfigurationValue
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
        return None  # pyusb's own: not configured
    return int(value)


def _let_go(device: Any) -> None:
    """Close one that is not wanted, for others to use, while the context of another goes on."""
    with contextlib.suppress(*PYUSB_ERRORS):
        usb.util.dispose_resources(device)
