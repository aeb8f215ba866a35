"""A place where a device may be plugged in, and who answers there."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass

from controller.forms.json_values import JsonObject
from drivers.adapters import Port
from drivers.registry import USB_FORM


@dataclass(frozen=True, slots=True)
class DevicePlace:
    """A serial port, or a USB unit by its vendor and product, and who answers there.

    ``kind``, ``serial`` and ``firmware`` are the device's, "" where none answers; then ``trouble``
    says why, and what to do. ``held_by`` is the one who has it open.
    """

    at: Port
    kind: str = ""
    serial: str = ""
    firmware: str = ""
    trouble: str = ""
    held_by: str = ""

    @property
    def port(self) -> str:
        """How it is named to whoever opens it."""
        return self.at.path

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

    def as_json(self) -> JsonObject:
        """As ``setup --json`` lists it."""
        told = asdict(self)
        at = told.pop("at")
        return {
            "port": at.pop("path"),
            "usb": at.pop("usb"),
            "adapter": at.pop("number"),
            **at,
            **told,
        }
