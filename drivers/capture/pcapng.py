"""A capture as pcapng for Wireshark, written directly: four kinds of blocks are enough.

The rules:

- A section header, an interface description for each device (with its name and serial number),
  then an enhanced packet for each message; all little-endian (draft-ietf-opsawg-pcapng).
- The link type is DLT_USER0 (147), which is for formats of one's own: a packet is one Table Link
  payload, without framing. docs/wireshark/table-link.lua makes Wireshark read it.
- Times are in nanoseconds since the epoch: the wall clock when the capture began, and from there
  the monotonic clock, so that differences are true whatever the wall clock did.
- Direction is in ``epb_flags``, as the controller sees it: inbound comes from the device.
- What is no payload is not left out: stray bytes, and what became of a port, are packets without
  content, with a comment that says so. The header has the number of dropped lines.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import IO, Final

from drivers.api import PortChange, Stray
from drivers.capture.reader import Capture, Sight

DLT_USER0: Final = 147

_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6
_MAGIC: Final = 0x1A2B3C4D
_UNKNOWN_LENGTH: Final = (1 << 64) - 1
_COMMENT, _END = 1, 0
_USER_PROGRAM: Final = 4
_NAME, _ABOUT, _RESOLUTION = 2, 3, 9
_FLAGS: Final = 2
_NANOSECONDS: Final = 9
_INBOUND, _OUTBOUND = 1, 2
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def packets(capture: Capture) -> int:
    """How many packets :func:`write` writes."""
    return len(capture.sights)


def write(capture: Capture, file: IO[bytes]) -> None:
    """Write the whole file."""
    for block in _blocks(capture):
        file.write(block)


def _blocks(capture: Capture) -> Iterator[bytes]:
    program = " ".join(str(capture.head["program"].get(key, "")) for key in ("name", "version"))
    yield _block(
        _SECTION,
        struct.pack("<IHHQ", _MAGIC, 1, 0, _UNKNOWN_LENGTH),
        [
            (_COMMENT, _about(capture).encode()),
            (_USER_PROGRAM, program.strip().encode()),
        ],
    )
    numbers = {name: number for number, name in enumerate(capture.devices)}
    for name, told in capture.devices.items():
        who = f"{told['carrier']}, serial number {told.get('serial', 'not known')}"
        yield _block(
            _INTERFACE,
            struct.pack("<HHI", DLT_USER0, 0, 0),
            [
                (_NAME, name.encode()),
                (_ABOUT, who.encode()),
                (_RESOLUTION, bytes([_NANOSECONDS])),
            ],
        )
    since = (datetime.fromisoformat(capture.head["began"]) - _EPOCH) // timedelta(microseconds=1)
    base = since * 1000 - int(capture.head["began_ns"])
    for sight in capture.sights:
        yield _packet(numbers[sight.device], base + sight.at_ns, sight)


def _about(capture: Capture) -> str:
    table = capture.head["table"] or {}
    told = [f"captured at the {capture.head['end']}'s end"]
    if table:
        told.append(f"table {table['id']}, rules {table['rules']}")
    if capture.missing:
        told.append(f"{capture.missing} messages were not captured")
    if capture.trouble:
        told.append(capture.trouble)
    return "; ".join(told)


def _packet(interface: int, at_ns: int, sight: Sight) -> bytes:
    seen = sight.seen
    comment, data, direction = "", b"", 0
    if isinstance(seen, PortChange):
        comment = "the port was opened" if seen.open else f"the port was closed: {seen.reason}"
    elif isinstance(seen, Stray):
        comment, direction = f"no frame in {seen.raw.hex()}", _INBOUND
    else:
        data, direction = seen.raw, _OUTBOUND if seen.outward else _INBOUND
    high, low = divmod(at_ns, 1 << 32)
    options = [(_FLAGS, struct.pack("<I", direction))]
    if comment:
        options.insert(0, (_COMMENT, comment.encode()))
    fixed = struct.pack("<IIIII", interface, high, low, len(data), len(data))
    return _block(_PACKET, fixed + _padded(data), options)


def _block(kind: int, body: bytes, options: list[tuple[int, bytes]]) -> bytes:
    """A block: its kind, its length before and after it, and its options."""
    for code, value in options:
        body += struct.pack("<HH", code, len(value)) + _padded(value)
    body += struct.pack("<HH", _END, 0)
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


def _padded(data: bytes) -> bytes:
    """To a multiple of 4 bytes."""
    return data + bytes(-len(data) % 4)
