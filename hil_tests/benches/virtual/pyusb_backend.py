"""A backend for pyusb whose bus is a folder (``usb_bus``), in libusb's place.

pyusb itself is the real one: finding, descriptors, claiming, transfers. Errors are those that its
libusb backend raises: ``USBTimeoutError`` and ``USBError`` with libusb's code and the errno that
goes with it. :func:`installed` puts it where pyusb's users look for a libusb.
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import sys
from array import array
from collections.abc import Iterator
from ctypes import Structure
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NoReturn
from unittest.mock import patch

import libusb_package
import usb.backend
import usb.backend.libusb1
import usb.core
from usb._objfinalizer import AutoFinalizedObject

from drivers.carriers import usb_context
from hil_tests.benches.virtual.usb_bus import BusUnit, OpenUnit, check, units_on
from simulators.usb.packets import (
    SUCCESS,
    ConfigurationStatus,
    Control,
    GetConfiguration,
    Interrupt,
)

IN: Final = 0x80
FULL_SPEED: Final = 2
CODES: Final = {
    errno.EIO: (-1, "Input/Output Error"),
    errno.EACCES: (-3, "Access denied (insufficient permissions)"),
    errno.ENODEV: (-4, "No such device (it may have been disconnected)"),
    errno.EBUSY: (-6, "Resource busy"),
    errno.ETIMEDOUT: (-7, "Operation timed out"),
    errno.EOVERFLOW: (-8, "Overflow"),
    errno.EPIPE: (-9, "Pipe error"),
}
"""libusb's code and words for the errno that pyusb's libusb backend gives with it."""

Layout = tuple[str, type[Structure]]
"""Of a descriptor: as it is packed, and what names its fields."""

DEVICE: Final[Layout] = ("<BBHBBBBHHHBBBB", usb.backend.libusb1._libusb_device_descriptor)
CONFIGURATION: Final[Layout] = ("<BBHBBBBB", usb.backend.libusb1._libusb_config_descriptor)
INTERFACE: Final[Layout] = ("<BBBBBBBBB", usb.backend.libusb1._libusb_interface_descriptor)
ENDPOINT: Final[Layout] = ("<BBBBHB", usb.backend.libusb1._libusb_endpoint_descriptor)


@contextlib.contextmanager
def _libusbs_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if isinstance(error, usb.core.USBError):
            raise
        code, words = CODES[error.errno or errno.EIO]
        kind = usb.core.USBTimeoutError if error.errno == errno.ETIMEDOUT else usb.core.USBError
        raise kind(words, code, error.errno) from error


def _parsed(layout: Layout, data: bytes) -> SimpleNamespace:
    names = [field[0] for field in layout[1]._fields_]
    return SimpleNamespace(
        **dict(zip(names, struct.unpack_from(layout[0], data), strict=False)),
        extra_descriptors=b"",
        **({"bRefresh": 0, "bSynchAddress": 0} if layout is ENDPOINT else {}),
    )


def _parts(data: bytes, kind: int) -> list[bytes]:
    found = []
    while data:
        part, data = data[: data[0]], data[data[0] :]
        if part[1] == kind:
            found.append(part)
    return found


def _dies_of(what: str) -> NoReturn:
    """As a process may in which libusb works in memory of a context that has ended."""
    print(f"libusb's context has ended, and {what}", file=sys.stderr)
    os.abort()


class Listed(AutoFinalizedObject):  # type: ignore[misc]
    """A unit as a backend has listed it."""

    def __init__(self, backend: FolderBackend, unit: BusUnit) -> None:
        self.backend, self.unit = backend, unit

    def _finalize_object(self) -> None:
        if self.backend.ended:
            _dies_of("a unit is given back")


class Listing(AutoFinalizedObject):  # type: ignore[misc]
    """What a backend has listed."""

    def __init__(self, backend: FolderBackend) -> None:
        self.backend = backend
        self._units = units_on(backend.lib)

    def __iter__(self) -> Iterator[Listed]:
        return (Listed(self.backend, unit) for unit in self._units)

    def _finalize_object(self) -> None:
        if self.backend.ended:
            _dies_of("a list of units is given back")


class FolderBackend(usb.backend.IBackend):  # type: ignore[misc]
    """pyusb's backend; ``lib`` is the folder, in libusb's place. It is as strict as that: all that
    is open must be closed, and all that was listed be given back, before it is finalized."""

    def __init__(self, lib: Path) -> None:
        super().__init__()
        self.lib = lib
        self.ended = False
        self._open: set[OpenUnit] = set()

    def _finalize_object(self) -> None:
        self.ended = True
        if self._open:
            _dies_of("a unit is open")

    def enumerate_devices(self) -> Listing:
        """All units."""
        return Listing(self)

    def get_parent(self, dev: Listed) -> None:
        """No hubs."""

    def get_device_descriptor(self, dev: Listed) -> SimpleNamespace:
        """The device's, with its place on the bus."""
        found = _parsed(DEVICE, dev.unit.device)
        found.bus, found.address = 1, dev.unit.plugging % 127 + 1
        found.speed, found.port_number, found.port_numbers = FULL_SPEED, 1, (1,)
        return found

    def get_configuration_descriptor(self, dev: Listed, config: int) -> SimpleNamespace:
        """The only one there is."""
        if config:
            raise IndexError(f"Invalid configuration index {config}")
        return _parsed(CONFIGURATION, dev.unit.configuration)

    def get_interface_descriptor(
        self, dev: Listed, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        """The interface of that index."""
        if alt:
            raise IndexError(f"Invalid alternate setting index {alt}")
        return _parsed(INTERFACE, _parts(dev.unit.configuration, 4)[intf])

    def get_endpoint_descriptor(
        self, dev: Listed, ep: int, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        """The endpoint of that index."""
        return _parsed(ENDPOINT, _parts(dev.unit.configuration, 5)[ep])

    @_libusbs_errors()
    def open_device(self, dev: Listed) -> OpenUnit:
        """A connection of its own."""
        unit = OpenUnit(dev.unit)
        self._open.add(unit)
        return unit

    def close_device(self, dev_handle: OpenUnit) -> None:
        """Close it, whatever has become of the unit."""
        if self.ended:
            _dies_of("a unit is closed")
        self._open.remove(dev_handle)
        dev_handle.close()

    @_libusbs_errors()
    def set_configuration(self, dev_handle: OpenUnit, config_value: int) -> None:
        """SET_CONFIGURATION."""
        check(dev_handle.configure(config_value).status)

    @_libusbs_errors()
    def get_configuration(self, dev_handle: OpenUnit) -> int:
        """The active one."""
        answer = dev_handle.answer_to(GetConfiguration())
        assert isinstance(answer, ConfigurationStatus)
        return answer.configuration

    def set_interface_altsetting(self, dev_handle: OpenUnit, intf: int, altsetting: int) -> None:
        """There is one: nothing to set."""

    @_libusbs_errors()
    def claim_interface(self, dev_handle: OpenUnit, intf: int) -> None:
        """Take it."""
        dev_handle.claim()

    @_libusbs_errors()
    def release_interface(self, dev_handle: OpenUnit, intf: int) -> None:
        """Let it go."""
        dev_handle.release()

    @_libusbs_errors()
    def intr_write(
        self, dev_handle: OpenUnit, ep: int, intf: int, data: array[int], timeout: int
    ) -> int:
        """One packet out."""
        dev_handle.transfer(Interrupt(ep, SUCCESS, len(data), data.tobytes()), timeout)
        return len(data)

    @_libusbs_errors()
    def intr_read(
        self, dev_handle: OpenUnit, ep: int, intf: int, buff: array[int], timeout: int
    ) -> int:
        """One packet in."""
        packet = dev_handle.read_packet(ep, timeout)
        if len(packet) > len(buff):
            raise OSError(errno.EOVERFLOW, "more than there is room for")
        buff[: len(packet)] = array("B", packet)
        return len(packet)

    @_libusbs_errors()
    def ctrl_transfer(
        self,
        dev_handle: OpenUnit,
        bmRequestType: int,  # noqa: N803 - pyusb's names
        bRequest: int,  # noqa: N803
        wValue: int,  # noqa: N803
        wIndex: int,  # noqa: N803
        data: array[int],
        timeout: int,
    ) -> int:
        """A control transfer, either way."""
        outward = b"" if bmRequestType & IN else data.tobytes()
        numbers = (bmRequestType & IN, bRequest, bmRequestType, 0, wValue, wIndex, len(data))
        answer = dev_handle.transfer(Control(*numbers, outward), timeout)
        if not bmRequestType & IN:
            return len(data)
        data[: len(answer.data)] = array("B", answer.data)
        return len(answer.data)

    @_libusbs_errors()
    def clear_halt(self, dev_handle: OpenUnit, ep: int) -> None:
        """CLEAR_FEATURE(ENDPOINT_HALT)."""
        dev_handle.clear_halt(ep)

    @_libusbs_errors()
    def reset_device(self, dev_handle: OpenUnit) -> None:
        """A reset of its port."""
        dev_handle.reset()

    def is_kernel_driver_active(self, dev_handle: OpenUnit, intf: int) -> bool:
        """No kernel, no driver of it."""
        return False


@contextlib.contextmanager
def installed(folder: Path) -> Iterator[None]:
    """In libusb's place until the block ends, for all that ask pyusb or libusb-package for it."""

    def backend(*_: Any, **__: Any) -> FolderBackend:
        return FolderBackend(folder)

    with (
        patch.object(libusb_package, "get_libusb1_backend", backend),
        patch.object(usb.backend.libusb1, "get_backend", backend),
        patch.object(usb_context, "_first", []),  # what it has loaded before is another bus
    ):
        yield
