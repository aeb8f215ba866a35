"""usbredir packets against bytes written by hand after the protocol's description."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.usb import packets
from simulators.usb.descriptors import CONFIGURATION, CONNECT, DEVICE, ENDPOINTS, INTERFACES
from simulators.usb.packets import PACKETS, Control, Hello, Interrupt, Packet, ProtocolError
from simulators.usb.stream import CAN_LONG_IDS, CAN_MAX_PACKET, OURS, Stream


def greeted(ours: int = OURS, theirs: int = OURS) -> tuple[Stream, Stream]:
    one, other = Stream(capabilities=ours), Stream(capabilities=theirs)
    assert one.feed(other.hello()) == []
    assert other.feed(one.hello()) == []
    return one, other


@pytest.mark.parametrize(
    ("packet", "number", "written"),
    [
        (packets.Reset(), 3, ""),
        (packets.SetConfiguration(1), 6, "01"),
        (packets.ConfigurationStatus(0, 1), 8, "0001"),
        (packets.AltSettingStatus(4, 0, 0), 11, "040000"),
        (packets.StartReceiving(0x81), 15, "81"),
        (packets.ReceivingStatus(0, 0x81), 17, "0081"),
        (packets.CancelData(), 21, ""),
        (Control(0x80, 6, 0x80, 0, 0x0303, 0x0409, 255), 100, "80 06 80 00 0303 0904 ff00"),
        (Interrupt(0x81, 0, 2, b"\x05\x06"), 103, "81 00 0200 0506"),
        (Interrupt(0x81, packets.STALL, 0), 103, "81 04 0000"),
        (CONNECT, 1, "01 00 00 00 0912 0100 0001"),
    ],
)
def test_layouts(packet: Packet, number: int, written: str) -> None:
    assert packet.encode() == bytes.fromhex(written)
    assert packet.number == number
    assert PACKETS[number].decode(bytes.fromhex(written)) == packet


def test_arrays_have_a_place_for_every_endpoint_and_interface() -> None:
    body = ENDPOINTS.encode()
    assert len(body) == 32 * 3 + 64
    assert [at for at in range(32) if body[at] != 255] == [0, 1, 16, 17]
    assert (body[1], body[17], body[32 + 17]) == (3, 3, 1)
    assert struct.unpack_from("<H", body, 96 + 2 * 17) == (64,)
    assert INTERFACES.encode() == b"\x01\0\0\0" + b"".join(
        bytes([value]) + bytes(31) for value in (0, 0xFF, 0x50, 0x01)
    )
    assert packets.EndpointInfo.decode(body) == ENDPOINTS
    assert packets.InterfaceInfo.decode(INTERFACES.encode()) == INTERFACES


def test_descriptors_are_those_of_the_protocol() -> None:
    assert DEVICE.hex() == "120100020000004009120100000101020301"
    assert CONFIGURATION.hex() == (
        "090220000101008032" + "0904000002ff500100" + "07058103400001" + "07050103400001"
    )


def test_first_packet_is_a_hello_with_a_short_id() -> None:
    written = Stream("rig").hello()
    assert written[:12] == struct.pack("<III", 0, 68, 0)
    assert Hello.decode(written[12:]) == Hello(b"rig".ljust(64, b"\0"), OURS)


@pytest.mark.parametrize(("ours", "head"), [(OURS, "<IIQ"), (OURS & ~CAN_LONG_IDS, "<III")])
def test_ids_are_long_only_when_both_can(ours: int, head: str) -> None:
    one, other = greeted(ours)
    written = one.encode(7, packets.SetConfiguration(1))
    assert written == struct.pack(head, 6, 1, 7) + b"\x01"
    assert other.feed(written) == [(7, packets.SetConfiguration(1))]


def test_largest_packets_are_told_only_when_both_can() -> None:
    one, other = greeted(OURS & ~CAN_MAX_PACKET)
    written = one.encode(0, ENDPOINTS)
    assert len(written) == 16 + 96
    ((_, told),) = other.feed(written)
    assert isinstance(told, packets.EndpointInfo)
    assert (told.kind, told.max_packet) == (ENDPOINTS.kind, (0,) * 32)


@given(st.lists(st.binary(max_size=70), max_size=6), st.integers(1, 40))
def test_a_stream_may_come_in_any_pieces(data: list[bytes], size: int) -> None:
    one, other = greeted()
    sent = [(n, Interrupt(0x81, 0, len(part), part)) for n, part in enumerate(data)]
    written = b"".join(one.encode(number, packet) for number, packet in sent)
    found = []
    for at in range(0, len(written), size):
        found += other.feed(written[at : at + size])
    assert found == sent


def test_unknown_packets_are_skipped() -> None:
    one, other = greeted()
    unknown = struct.pack("<IIQ", 23, 3, 0) + b"abc"
    assert other.feed(unknown + one.encode(1, packets.Reset())) == [(1, packets.Reset())]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (struct.pack("<III", 6, 1, 0) + b"\x01", "packet type 6 before a HELLO"),
        (struct.pack("<III", 0, 1 << 20, 0), "a packet of 1048576 bytes"),
    ],
)
def test_what_is_no_usbredir_is_refused(written: bytes, said: str) -> None:
    with pytest.raises(ProtocolError, match=said):
        Stream().feed(written)


@given(st.binary(max_size=300))
def test_any_bytes_are_packets_or_refused(data: bytes) -> None:
    stream, _ = greeted()
    try:
        found = stream.feed(data)
    except ProtocolError:
        return
    assert all(isinstance(packet, Packet) for _, packet in found)
