"""What a unit says of itself on its bus (protocol section 2; USB 2.0, chapter 9.6).

Vendor 0x1209, product 0x0001, full speed; configuration 1 with interface 0, vendor-specific
(0xFF, 0x50, 0x01), interrupt IN 0x81 and interrupt OUT 0x01 of 64 bytes, interval 1.
"""

from __future__ import annotations

import struct
from typing import Final

from simulators.usb.packets import (
    PLACES,
    SPEED_FULL,
    TYPE_CONTROL,
    TYPE_INTERRUPT,
    TYPE_NONE,
    DeviceConnect,
    EndpointInfo,
    InterfaceInfo,
)

VENDOR, PRODUCT, RELEASE = 0x1209, 0x0001, 0x0100
ENDPOINT_IN, ENDPOINT_OUT = 0x81, 0x01
PACKET_BYTES: Final = 64
INTERVAL_MS: Final = 1
ENGLISH: Final = 0x0409
MANUFACTURER: Final = "Table Link"
NAMES: Final = {
    "shoe": "Card shoe",
    "shuffler": "Shuffler",
    "jackpot": "Jackpot unit",
    "keypad": "Dealer keypad",
    "display": "Display",
}
INTERFACE: Final = (0xFF, 0x50, 0x01)

DEVICE: Final = struct.pack(
    "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, VENDOR, PRODUCT, RELEASE, 1, 2, 3, 1
)
"""Strings 1 manufacturer, 2 product, 3 serial number; one configuration."""

_PARTS: Final = b"".join(
    [
        bytes([9, 4, 0, 0, 2, *INTERFACE, 0]),
        struct.pack("<BBBBHB", 7, 5, ENDPOINT_IN, TYPE_INTERRUPT, PACKET_BYTES, INTERVAL_MS),
        struct.pack("<BBBBHB", 7, 5, ENDPOINT_OUT, TYPE_INTERRUPT, PACKET_BYTES, INTERVAL_MS),
    ]
)
CONFIGURATION: Final = struct.pack("<BBHBBBBB", 9, 2, 9 + len(_PARTS), 1, 1, 0, 0x80, 50) + _PARTS
"""Bus-powered, 100 mA."""

FOREIGN: Final = CONFIGURATION.replace(bytes(INTERFACE), bytes([0xFF, 0, 0])).replace(
    bytes([7, 5, ENDPOINT_IN]), bytes([7, 5, 0x82])
)
"""Of somebody else's device with the same numbers: another interface, another endpoint."""


def string(index: int, strings: dict[int, str]) -> bytes | None:
    """String descriptor ``index``; 0 is the list of languages. None when there is none."""
    if index == 0:
        return struct.pack("<BBH", 4, 3, ENGLISH)
    text = strings.get(index)
    if text is None:
        return None
    body = text.encode("utf-16-le")
    return bytes([len(body) + 2, 3]) + body


def strings_of(kind: str, serial: str) -> dict[int, str]:
    """The strings of a unit of that kind."""
    return {1: MANUFACTURER, 2: NAMES[kind], 3: serial}


def place(endpoint: int) -> int:
    """Where the protocol's arrays have this endpoint."""
    return (endpoint & 0x80) >> 3 | endpoint & 0x0F


def _places(default: int, **at: int) -> tuple[int, ...]:
    found = [default] * PLACES
    for endpoint, value in (("control", at["control"]), ("interrupt", at["interrupt"])):
        for number in (0x00, 0x80) if endpoint == "control" else (ENDPOINT_IN, ENDPOINT_OUT):
            found[place(number)] = value
    return tuple(found)


CONNECT: Final = DeviceConnect(SPEED_FULL, 0, 0, 0, VENDOR, PRODUCT, RELEASE)
INTERFACES: Final = InterfaceInfo(
    1, *((number, *(0,) * (PLACES - 1)) for number in (0, *INTERFACE))
)
ENDPOINTS: Final = EndpointInfo(
    kind=_places(TYPE_NONE, control=TYPE_CONTROL, interrupt=TYPE_INTERRUPT),
    interval=_places(0, control=0, interrupt=INTERVAL_MS),
    interface=_places(0, control=0, interrupt=0),
    max_packet=_places(0, control=PACKET_BYTES, interrupt=PACKET_BYTES),
)
