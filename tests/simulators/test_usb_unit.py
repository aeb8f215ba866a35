"""A jackpot unit on a USB port, seen by hosts of the rig; usbredir packets, written by hand."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.framing import encode_frame
from drivers.table_link.messages import encode
from hil_tests.benches.virtual.usb_host import Gone, UsbHost
from simulators.hands import Hands, HandsError
from simulators.usb import packets
from simulators.usb.descriptors import CONFIGURATION, CONNECT, DEVICE, ENDPOINTS, INTERFACES
from simulators.usb.packets import (
    INVALID,
    PACKETS,
    STALL,
    SUCCESS,
    ConfigurationStatus,
    Control,
    Hello,
    Interrupt,
    Packet,
    ProtocolError,
    ReceivingStatus,
)
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


IN, OUT = 0x81, 0x01
HELLO = encode(0x01, 1, {"session_id": 0, "event_no": 0})


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[Hands]:
    port = tmp_path / "unit"
    with Hands.start("jackpot", port, "--serial", "JP-0001", line="--usb-port") as hands:
        yield hands


class Seen:
    """A host and what it has heard."""

    def __init__(self, unit: Hands) -> None:
        self.host = UsbHost(Path(unit.greeting["link"]))

    def out(self, data: bytes, limit_s: float = 5.0) -> Interrupt:
        answer = self.host.answer_to(Interrupt(OUT, 0, len(data), data), limit_s)
        assert isinstance(answer, Interrupt)
        return answer

    def next(self) -> Interrupt | None:
        return self.host.heard.get(timeout=5)

    def string(self, index: int) -> Control:
        answer = self.host.answer_to(Control(0x80, 6, 0x80, 0, 0x0300 | index, 0x0409, 255), 0.3)
        assert isinstance(answer, Control)
        return answer


@pytest.fixture
def seen(unit: Hands) -> Iterator[Seen]:
    seen = Seen(unit)
    yield seen
    seen.host.close()


def test_configurations(seen: Seen) -> None:
    assert seen.host.configure(1) == ConfigurationStatus(SUCCESS, 1)
    assert seen.host.configure(2) == ConfigurationStatus(STALL, 1)
    assert seen.host.configure(0) == ConfigurationStatus(SUCCESS, 0)
    assert seen.out(b"?").status == INVALID
    assert seen.host.receive(IN, start=True) == ReceivingStatus(INVALID, IN)


def test_a_second_host_sees_it_too_and_takes_nothing_away(unit: Hands, seen: Seen) -> None:
    seen.host.receive(IN, start=True)
    other = Seen(unit)
    assert other.string(3).status == SUCCESS
    unit.do("packet", hex="aabb")
    heard = seen.next()
    assert heard is not None
    assert heard.data == b"\xaa\xbb"
    other.host.close()
    assert seen.string(3).status == SUCCESS


def test_one_stalled_endpoint_tells_who_begins_to_read(unit: Hands, seen: Seen) -> None:
    unit.do("stall", endpoint="in")
    seen.host.receive(IN, start=True)
    assert seen.next() == Interrupt(IN, STALL, 0)
    assert seen.out(b"x").status == SUCCESS
    with pytest.raises(HandsError, match="an endpoint is one of in, out, both"):
        unit.do("stall", endpoint="control")


def test_unplugged_after_bytes_loses_the_whole_packet(unit: Hands, seen: Seen) -> None:
    seen.host.receive(IN, start=True)
    unit.do("unplug", after_bytes=3)
    unit.do("packet", hex="0102")
    unit.do("packet", hex="0304")
    assert seen.next() == Interrupt(IN, SUCCESS, 2, b"\x01\x02")
    assert seen.next() is None


def test_its_file_is_there_exactly_while_it_is_plugged_in(unit: Hands) -> None:
    port = Path(unit.greeting["link"])
    assert port.is_socket()
    unit.do("unplug")
    assert not port.exists()
    with pytest.raises(Gone):
        Seen(unit)
    unit.do("plug")
    Seen(unit).host.close()
    assert unit.stop() == 0
    assert not port.exists()


def test_hosts_that_make_no_sense_are_dropped(unit: Hands, seen: Seen) -> None:
    with socket.socket(socket.AF_UNIX) as wrong:
        wrong.connect(unit.greeting["link"])
        wrong.sendall(b"GET / HTTP/1.1\r\n\r\n")
        while wrong.recv(4096):
            pass
    assert unit.do("line")["bad_hosts"] == 1
    assert seen.string(3).status == SUCCESS


def test_noise_is_refused(unit: Hands) -> None:
    with pytest.raises(HandsError, match="arrives whole or not at all"):
        unit.do("noise", flip=0.1)


@pytest.mark.parametrize("line", ["--usb-socket", "--serial-socket"])
def test_nobody_listens(tmp_path: Path, capfd: pytest.CaptureFixture[str], line: str) -> None:
    with pytest.raises(HandsError, match="exit status 2"):
        Hands.start("jackpot", tmp_path / "none", line=line)
    assert f"at {tmp_path / 'none'}: No such file" in capfd.readouterr().err


def test_a_unit_goes_to_a_host_that_listens(tmp_path: Path) -> None:
    path = tmp_path / "host"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with Hands.start("jackpot", path, line="--usb-socket") as unit:
            for plugs in (1, 2):
                host, _ = listener.accept()
                with host:
                    assert host.recv(12)[:4] == bytes(4)
                unit.wait_for(lambda state: not state["plugged"])
                assert unit.do("line")["plugs"] == plugs
                unit.do("plug")
            host, _ = listener.accept()
            with host:
                unit.do("unplug")
                while host.recv(4096):
                    pass


def test_a_serial_device_goes_to_an_adapter_that_listens(tmp_path: Path) -> None:
    path = tmp_path / "adapter"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with Hands.start("shoe", path, line="--serial-socket") as shoe:
            adapter, _ = listener.accept()
            with adapter:
                adapter.settimeout(5)
                adapter.sendall(b"\0" + encode_frame(HELLO))
                assert adapter.recv(4096).endswith(b"\0")
                assert shoe.look()["served"]
            shoe.wait_for(lambda state: not state["plugged"])
            shoe.do("plug")
            adapter, _ = listener.accept()
            with adapter:
                shoe.do("unplug")
                adapter.settimeout(5)
                assert adapter.recv(4096) == b""
