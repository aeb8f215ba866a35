"""A libusb context of its own for each search and each open unit, and the end of what it found.

libusb otherwise learns of plugging and unplugging by kernel messages only: a service shut off from
those (a network namespace of its own is enough) would list a unit that is gone for ever and never
find the new one, and even with them a unit just unplugged stays listed for a moment. So every
search has a context of its own and looks at the bus afresh.

pyusb gives a device back to libusb when Python drops the object. One that an exception's traceback
holds is dropped when its handler ends, which is behind the context's end; libusb then works in
memory that is free again, and now and then the process dies of it (SIGSEGV). What a context has
found is therefore given back before it ends, whoever holds it still.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import libusb_package
import usb.backend.libusb1
import usb.core

from drivers.api import DriverError

_loading = threading.Lock()
_first: list[Any] = []


class _Context:
    """pyusb's backend, which remembers what it has listed. Handles are the caller's to close."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self._listed: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def enumerate_devices(self) -> Iterator[Any]:
        """As pyusb's."""
        devices = self._backend.enumerate_devices()
        self._listed.append(devices)
        for device in devices:
            self._listed.append(device)
            yield device

    def end(self) -> None:
        """Give everything back, then the context. Dropping the objects later does nothing."""
        for listed in reversed(self._listed):
            listed.finalize()
        self._backend.finalize()


@contextlib.contextmanager
def libusb_context() -> Iterator[Any]:
    """A backend for ``usb.core.find`` with a context of its own, which ends with the block; devices
    found by it must have been disposed of by then.

    Raises:
        DriverError: there is no libusb, or it does not start.
    """
    with _loading:
        if not _first:
            backend = libusb_package.get_libusb1_backend() or usb.backend.libusb1.get_backend()
            if backend is None:
                raise DriverError(
                    "USB cannot be used: libusb is missing, or may not start (a service needs "
                    "the address family AF_NETLINK)"
                )
            backend.finalize()  # pyusb's own context, for the life of the process: not wanted
            _first.append(backend)
    loaded = _first[0]
    try:
        context = _Context(type(loaded)(loaded.lib))
    except usb.core.USBError as error:
        raise DriverError(f"USB cannot be used: libusb does not start: {error}") from error
    try:
        yield context
    finally:
        context.end()
