"""Packets of the usbredir protocol that a unit with interrupt endpoints needs, as values.

A packet's header of its own, then its data where it has any; ``name:size`` in order, integers
little-endian and unsigned, an array as ``name:size[count]``. What precedes every packet (type,
length, id) is :mod:`simulators.usb.stream`'s. Source: "USB Network Redirection protocol", version
0.7, of the usbredir project; numbers in brackets are its packet types. An array has a place for
each of the 32 endpoints, OUT 0 to 15 and then IN 0 to 15, or for each of up to 32 interfaces.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Self

SUCCESS, CANCELLED, INVALID, IO_ERROR, STALL, TIMEOUT, BABBLE = range(7)
"""``status`` of a transfer."""

SPEED_FULL: Final = 1
TYPE_CONTROL, TYPE_INTERRUPT, TYPE_NONE = 0, 3, 255
PLACES: Final = 32


class ProtocolError(ValueError):
    """Bytes that are no packet of the protocol."""


@dataclass(frozen=True, slots=True)
class Packet:
    """What every packet is: its number, its header's layout, and whether data follows."""

    number: ClassVar[int]
    layout: ClassVar[struct.Struct]
    carries: ClassVar[bool] = False

    def __init_subclass__(
        cls, number: int | None = None, layout: str = "", *, carries: bool = False
    ) -> None:
        if number is not None:  # else it is made again, for its slots, and has them
            cls.number, cls.layout, cls.carries = number, struct.Struct(layout), carries

    def encode(self) -> bytes:
        """Header and data."""
        values: list[Any] = [getattr(self, field.name) for field in fields(self)]
        data = values.pop() if self.carries else b""
        flat = [item for value in values for item in (value if type(value) is tuple else [value])]
        return self.layout.pack(*flat) + data

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """The packet of these bytes; :class:`ProtocolError` when they are too few or too many."""
        size = cls.layout.size
        if len(body) < size or (len(body) > size and not cls.carries):
            raise ProtocolError(f"{cls.__name__} of {len(body)} bytes, expected {size}")
        values: list[Any] = cls.gathered(cls.layout.unpack_from(body))
        return cls(*values, *([bytes(body[size:])] if cls.carries else []))

    @classmethod
    def gathered(cls, numbers: tuple[Any, ...]) -> list[Any]:
        """The numbers as the fields are."""
        return list(numbers)


@dataclass(frozen=True, slots=True)
class Hello(Packet, number=0, layout="<64sI"):
    """[0] ``version:64`` (text, padded with NUL) ``capabilities:4`` (bits). Each side's first."""

    version: bytes
    capabilities: int


@dataclass(frozen=True, slots=True)
class DeviceConnect(Packet, number=1, layout="<4B3H"):
    """[1] ``speed:1 class:1 subclass:1 protocol:1 vendor:2 product:2 version:2`` (BCD).

    ``version`` is on the wire only when both have capability 1.
    """

    speed: int
    device_class: int
    device_subclass: int
    device_protocol: int
    vendor: int
    product: int
    version: int


@dataclass(frozen=True, slots=True)
class DeviceDisconnect(Packet, number=2, layout=""):
    """[2] Nothing: the unit is gone."""


@dataclass(frozen=True, slots=True)
class Reset(Packet, number=3, layout=""):
    """[3] Nothing: the host resets the unit; not answered."""


@dataclass(frozen=True, slots=True)
class InterfaceInfo(Packet, number=4, layout="<I128B"):
    """[4] ``count:4 interface:1[32] class:1[32] subclass:1[32] protocol:1[32]``; before [1]."""

    count: int
    interface: tuple[int, ...]
    interface_class: tuple[int, ...]
    interface_subclass: tuple[int, ...]
    interface_protocol: tuple[int, ...]

    @classmethod
    def gathered(cls, numbers: tuple[Any, ...]) -> list[Any]:
        """Four arrays."""
        return [numbers[0], *(numbers[at : at + PLACES] for at in range(1, 129, PLACES))]


@dataclass(frozen=True, slots=True)
class EndpointInfo(Packet, number=5, layout="<96B32H"):
    """[5] ``type:1[32] interval:1[32] interface:1[32] max_packet:2[32]``; before [1].

    ``max_packet`` is on the wire only when both have capability 4; streams are never agreed on.
    """

    kind: tuple[int, ...]
    interval: tuple[int, ...]
    interface: tuple[int, ...]
    max_packet: tuple[int, ...]

    @classmethod
    def gathered(cls, numbers: tuple[Any, ...]) -> list[Any]:
        """Four arrays."""
        return [numbers[at : at + PLACES] for at in range(0, 128, PLACES)]


@dataclass(frozen=True, slots=True)
class SetConfiguration(Packet, number=6, layout="<B"):
    """[6] ``configuration:1``; answered with [8]."""

    configuration: int


@dataclass(frozen=True, slots=True)
class GetConfiguration(Packet, number=7, layout=""):
    """[7] Nothing; answered with [8]."""


@dataclass(frozen=True, slots=True)
class ConfigurationStatus(Packet, number=8, layout="<2B"):
    """[8] ``status:1 configuration:1``."""

    status: int
    configuration: int


@dataclass(frozen=True, slots=True)
class SetAltSetting(Packet, number=9, layout="<2B"):
    """[9] ``interface:1 alternate:1``; answered with [11]."""

    interface: int
    alternate: int


@dataclass(frozen=True, slots=True)
class GetAltSetting(Packet, number=10, layout="<B"):
    """[10] ``interface:1``; answered with [11]."""

    interface: int


@dataclass(frozen=True, slots=True)
class AltSettingStatus(Packet, number=11, layout="<3B"):
    """[11] ``status:1 interface:1 alternate:1``."""

    status: int
    interface: int
    alternate: int


@dataclass(frozen=True, slots=True)
class StartReceiving(Packet, number=15, layout="<B"):
    """[15] ``endpoint:1``: from now on send the data of this interrupt IN endpoint; [17]."""

    endpoint: int


@dataclass(frozen=True, slots=True)
class StopReceiving(Packet, number=16, layout="<B"):
    """[16] ``endpoint:1``; answered with [17]."""

    endpoint: int


@dataclass(frozen=True, slots=True)
class ReceivingStatus(Packet, number=17, layout="<2B"):
    """[17] ``status:1 endpoint:1``."""

    status: int
    endpoint: int


@dataclass(frozen=True, slots=True)
class CancelData(Packet, number=21, layout=""):
    """[21] Nothing: the data packet with this id is not wanted any more."""


@dataclass(frozen=True, slots=True)
class Control(Packet, number=100, layout="<4B3H", carries=True):
    """[100] ``endpoint:1 request:1 requesttype:1 status:1 value:2 index:2 length:2``, data.

    The answer has the same, with the length that there is; data go with it where the transfer is
    IN, and with the request where it is OUT.
    """

    endpoint: int
    request: int
    requesttype: int
    status: int
    value: int
    index: int
    length: int
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Interrupt(Packet, number=103, layout="<2BH", carries=True):
    """[103] ``endpoint:1 status:1 length:2``, data.

    IN: from the unit, with an id that only counts. OUT: from the host, answered without data.
    """

    endpoint: int
    status: int
    length: int
    data: bytes = b""


PACKETS: Final[dict[int, type[Packet]]] = {
    kind.number: kind
    for kind in (
        *(Hello, DeviceConnect, DeviceDisconnect, Reset, InterfaceInfo, EndpointInfo),
        *(SetConfiguration, GetConfiguration, ConfigurationStatus),
        *(SetAltSetting, GetAltSetting, AltSettingStatus),
        *(StartReceiving, StopReceiving, ReceivingStatus, CancelData, Control, Interrupt),
    )
}
