"""A separate libusb context for each search and each open unit, and the release of what it found.

libusb otherwise learns of plugging and unplugging by kernel messages only: a service shut off from
those (a network namespace of its own is enough) would list a unit that is gone for ever and never
find the new one, and even with them a unit just unplugged stays listed for a moment. So every
search has a context of its own and looks at the bus afresh.

pyusb gives a device back to libusb when Python drops the object. One that an exception's traceback
holds is dropped when its handler ends, which is behind the context's end; libusb then works in
memory that is free again, and now and then the process dies of it (SIGSEGV). What a context has
found is therefore given back before it ends, even while something still holds it.

pyusb would also give everything back when the interpreter ends, while a thread is still blocked in
libusb because its unit hangs. That is left to the kernel.
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

PYUSB_ERRORS = (usb.core.USBError, ValueError, NotImplementedError)
"""What pyusb raises when a device does not do what was asked of it; its own checks are ValueErrors,
and NotImplementedError is libusb's for what this system cannot do."""

_loading = threading.Lock()
_first: list[Any] = []


class Context:
    """A libusb context, and all that was found in it."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self._owned: list[Any] = []
        self._own(backend)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def find_devices(self, vendor: int, product: int) -> list[Any]:
        """The devices with these numbers (``usb.core.Device``), valid until the context ends.

        Raises:
            usb.core.USBError: the bus cannot be read.
        """
        found = usb.core.find(find_all=True, backend=self, idVendor=vendor, idProduct=product)
        return [self._own(device) for device in found]

    def enumerate_devices(self) -> Iterator[Any]:
        """As pyusb's backend, which asks this."""
        for device in self._own(self._backend.enumerate_devices()):
            yield self._own(device)

    def release_devices(self) -> None:
        """Close what is open and give everything back; dropping the objects later does nothing."""
        while self._owned:
            with contextlib.suppress(*PYUSB_ERRORS):  # a unit that is gone does not mind
                self._owned.pop().finalize()

    def _own(self, thing: Any) -> Any:
        thing._finalizer.atexit = False
        self._owned.append(thing)
        return thing


@contextlib.contextmanager
def libusb_context() -> Iterator[Context]:
    """A context that ends with the block.

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
        context = Context(type(loaded)(loaded.lib))
    except usb.core.USBError as error:
        raise DriverError(f"USB cannot be used: libusb does not start: {error}") from error
    try:
        yield context
    finally:
        context.release_devices()
