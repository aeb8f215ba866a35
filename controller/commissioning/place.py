"""A place where a device may be plugged in, and who answers there."""

from __future__ import annotations

import os
from dataclasses import dataclass

from drivers.registry import USB_FORM


@dataclass(frozen=True, slots=True)
class Place:
    """A serial port or a USB unit, and who answers there.

    ``usb`` is vendor and product, "" where it is not on USB; ``adapter`` the serial number of a
    port's adapter and ``socket`` where on the bus that is; ``by_id`` and ``by_path`` are links of
    the system's to the port. ``kind``, ``serial`` and
    ``firmware`` are the device's, "" where none answers; then ``trouble`` says why, and what to do.
    ``held_by`` is the one who has it open.
    """

    port: str
    usb: str = ""
    adapter: str = ""
    socket: str = ""
    by_id: str = ""
    by_path: str = ""
    description: str = ""
    kind: str = ""
    serial: str = ""
    firmware: str = ""
    trouble: str = ""
    held_by: str = ""

    @property
    def is_unit(self) -> bool:
        """Whether it is used through USB itself."""
        return USB_FORM.fullmatch(self.port) is not None

    def leads_from(self, given: str) -> bool:
        """Whether a port's path, or ``VENDOR:PRODUCT[:SERIAL]``, means this one."""
        if not given:
            return False
        if self.is_unit or USB_FORM.fullmatch(given):
            return self.port == given or self.port.startswith(f"{given}:")
        return os.path.realpath(self.port) == os.path.realpath(given)
