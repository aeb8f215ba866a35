"""One side of a usbredir connection: bytes to packets and back.

- Before every packet stand ``type:4 length:4 id:4``, or ``id:8`` once both sides have said that
  they can (capability 5); the first packet of each side is its HELLO, with an id of 4 bytes.
- What a capability adds to a packet is there only when both have it.
- QEMU's xHCI takes no unit that cannot do long bulk transfers (capability 6); ours has none at all.
- A packet of a type that is not known here is skipped: none of them asks for an answer.
"""

from __future__ import annotations

import struct
from typing import Final

from simulators.usb.packets import (
    PACKETS,
    DeviceConnect,
    EndpointInfo,
    Hello,
    Packet,
    ProtocolError,
)

CAN_DEVICE_VERSION: Final = 1 << 1
CAN_MAX_PACKET: Final = 1 << 4
CAN_LONG_IDS: Final = 1 << 5
CAN_LONG_BULK: Final = 1 << 6
OURS: Final = CAN_DEVICE_VERSION | CAN_MAX_PACKET | CAN_LONG_IDS | CAN_LONG_BULK
MOST_BYTES: Final = 1 << 17
SHORT, LONG = struct.Struct("<III"), struct.Struct("<IIQ")
LATER: Final[dict[type[Packet], tuple[int, int]]] = {
    DeviceConnect: (8, CAN_DEVICE_VERSION),
    EndpointInfo: (96, CAN_MAX_PACKET),
}
"""Bytes without the capability, and the capability."""


class Stream:
    """What one side reads and writes; ``capabilities`` other than all for tests."""

    def __init__(self, version: str = "table-link", capabilities: int = OURS) -> None:
        self._ours = capabilities
        self._version = version.encode("ascii")
        self._theirs: int | None = None
        self._incoming = bytearray()

    @property
    def greeted(self) -> bool:
        """Whether the other side's HELLO has come, before which nothing else may be sent."""
        return self._theirs is not None

    def hello(self) -> bytes:
        """What is to be sent first."""
        body = Hello(self._version, self._ours).encode()
        return SHORT.pack(Hello.number, len(body), 0) + body

    def encode(self, number: int, packet: Packet) -> bytes:
        """A packet with its id. Only when :attr:`greeted`."""
        body = packet.encode()
        if (size := self._cut(type(packet))) is not None:
            body = body[:size]
        return self._head.pack(packet.number, len(body), number) + body

    def feed(self, data: bytes) -> list[tuple[int, Packet]]:
        """Packets with their ids that are whole by now.

        Raises:
            ProtocolError: the other side does not speak the protocol; the connection is of no use.
        """
        self._incoming += data
        found = []
        while len(self._incoming) >= (head := self._head).size:
            kind, length, number = head.unpack_from(self._incoming)
            if length > MOST_BYTES:
                raise ProtocolError(
                    f"a packet of {length} bytes, at most {MOST_BYTES} are expected"
                )
            if not self.greeted and kind != Hello.number:
                raise ProtocolError(f"packet type {kind} before a HELLO")
            if len(self._incoming) < head.size + length:
                break
            body = bytes(self._incoming[head.size : head.size + length])
            del self._incoming[: head.size + length]
            if kind == Hello.number:
                self._greet(body)
            elif (made := PACKETS.get(kind)) is not None:
                found.append((number, self._decode(made, body)))
        return found

    @property
    def _agreed(self) -> int:
        return self._ours & (self._theirs or 0)

    @property
    def _head(self) -> struct.Struct:
        return LONG if self._agreed & CAN_LONG_IDS else SHORT

    def _cut(self, kind: type[Packet]) -> int | None:
        size, capability = LATER.get(kind, (0, -1))
        return None if self._agreed & capability or kind not in LATER else size

    def _decode(self, kind: type[Packet], body: bytes) -> Packet:
        if (size := self._cut(kind)) is not None and len(body) == size:
            body = body.ljust(kind.layout.size, b"\0")
        return kind.decode(body)

    def _greet(self, body: bytes) -> None:
        # More than one word of capabilities may come; whoever has none sends no word at all.
        self._theirs = Hello.decode(body.ljust(68, b"\0")[:68]).capabilities
