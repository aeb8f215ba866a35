"""A transfer as usbfs and its client have it in common: ``struct usbdevfs_urb``.

56 bytes on 64 bit: type 0, endpoint 1, status 4, buffer 16, buffer_length 24, actual_length 28. The
client's memory is written when the transfer is given back, because it listens while it asks.
"""

from __future__ import annotations

import struct
from typing import Any, Final

URB_BYTES: Final = 56
SETUP_BYTES: Final = 8
TYPE_CONTROL: Final = 2


def pointer(client: Any) -> int:
    """The pointer that the ioctl was given: the name of a transfer."""
    (address,) = struct.unpack("<Q", bytes(client.get_arg().retrieve()[:8]))
    return int(address)


class Urb:
    """A transfer that a client has under way; ``number`` is usbredir's."""

    def __init__(self, client: Any) -> None:
        self.client = hash(client)
        self.address = pointer(client)
        self.data = client.get_arg().resolve(0, URB_BYTES)
        raw = bytes(self.data.retrieve())
        self.type, self.endpoint = raw[0], raw[1]
        (self.length,) = struct.unpack_from("<i", raw, 24)
        self.buffer: Any = self.data.resolve(16, self.length) if self.length else None
        self.content = bytes(self.buffer.retrieve()) if self.buffer else b""
        self.number = 0
        self.status = 0
        self.back = b""
        self.actual = 0

    def with_status(self, status: int, back: bytes = b"", actual: int | None = None) -> Urb:
        """Note how it ended, and what is to be given back."""
        self.status, self.back = status, back
        self.actual = len(back) if actual is None else actual
        return self

    def write_back(self) -> Any:
        """Write into the client's memory what has become of it."""
        if self.back:
            self.buffer.update(SETUP_BYTES if self.type == TYPE_CONTROL else 0, list(self.back))
        self.data.update(4, list(struct.pack("<i", self.status)))
        self.data.update(28, list(struct.pack("<i", self.actual)))
        return self.data
