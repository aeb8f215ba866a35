"""A jackpot unit as a process on a USB port, seen by hosts of the rig."""

from __future__ import annotations

import queue
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.table_link.framing import encode_frame
from drivers.table_link.messages import encode
from hil_tests.benches.usbredir_host import Gone, TimedOut, UsbHost
from simulators.hands import Hands, HandsError
from simulators.usb.descriptors import CONFIGURATION, DEVICE
from simulators.usb.packets import (
    BABBLE,
    INVALID,
    STALL,
    SUCCESS,
    ConfigurationStatus,
    Control,
    Interrupt,
    ReceivingStatus,
)

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
        self.heard: queue.SimpleQueue[Interrupt | None] = queue.SimpleQueue()
        self.host = UsbHost(
            Path(unit.greeting["link"]), self.heard.put, lambda: self.heard.put(None)
        )

    def out(self, data: bytes, limit_s: float = 5.0) -> Interrupt:
        answer = self.host.answer_to(Interrupt(OUT, 0, len(data), data), limit_s)
        assert isinstance(answer, Interrupt)
        return answer

    def next(self) -> Interrupt | None:
        return self.heard.get(timeout=5)

    def string(self, index: int) -> Control:
        answer = self.host.answer_to(Control(0x80, 6, 0x80, 0, 0x0300 | index, 0x0409, 255), 0.3)
        assert isinstance(answer, Control)
        return answer


@pytest.fixture
def seen(unit: Hands) -> Iterator[Seen]:
    seen = Seen(unit)
    yield seen
    seen.host.close()


def test_it_tells_who_it_is(seen: Seen) -> None:
    unit = seen.host.unit
    assert unit is not None
    assert (unit.vendor, unit.product) == (0x1209, 0x0001)
    assert seen.host.descriptor(1, 18) == DEVICE
    assert seen.host.descriptor(2, 255) == CONFIGURATION
    assert seen.host.descriptor(2, 9) == CONFIGURATION[:9]
    texts = [seen.string(index).data[2:].decode("utf-16-le") for index in (1, 2, 3)]
    assert texts == ["Table Link", "Jackpot unit", "JP-0001"]
    assert seen.string(0).data == bytes.fromhex("04030904")
    assert seen.string(4).status == STALL


def test_configurations(seen: Seen) -> None:
    assert seen.host.configure(1) == ConfigurationStatus(SUCCESS, 1)
    assert seen.host.configure(2) == ConfigurationStatus(STALL, 1)
    assert seen.host.configure(0) == ConfigurationStatus(SUCCESS, 0)
    assert seen.out(b"?").status == INVALID
    assert seen.host.receive(IN, start=True) == ReceivingStatus(INVALID, IN)


def test_packets_out_are_answered_by_packets_in(unit: Hands, seen: Seen) -> None:
    assert seen.out(HELLO) == Interrupt(OUT, SUCCESS, len(HELLO))
    seen.host.receive(IN, start=True)
    answer, event = seen.next(), seen.next()
    assert answer is not None
    assert event is not None
    assert (answer.data[1], event.data[1]) == (0x81, 0x62)
    assert answer.length == len(answer.data)
    assert unit.look()["served"]


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


def test_stalled_endpoints_until_they_are_cleared(unit: Hands, seen: Seen) -> None:
    seen.host.receive(IN, start=True)
    assert unit.do("stall")["halted"] == [OUT, IN]
    assert seen.next() == Interrupt(IN, STALL, 0)
    assert seen.out(b"x").status == STALL
    unit.do("packet", hex="01")
    assert seen.host.clear_halt(OUT).status == SUCCESS
    assert seen.out(b"x").status == SUCCESS
    assert seen.heard.empty()
    assert seen.host.clear_halt(IN).status == SUCCESS
    assert seen.next() == Interrupt(IN, SUCCESS, 1, b"\x01")
    assert unit.do("line")["halts_cleared"] == 2


def test_one_stalled_endpoint_tells_who_begins_to_read(unit: Hands, seen: Seen) -> None:
    unit.do("stall", endpoint="in")
    seen.host.receive(IN, start=True)
    assert seen.next() == Interrupt(IN, STALL, 0)
    assert seen.out(b"x").status == SUCCESS
    with pytest.raises(HandsError, match="an endpoint is one of in, out, both"):
        unit.do("stall", endpoint="control")


def test_a_silent_unit_completes_nothing_until_it_speaks(unit: Hands, seen: Seen) -> None:
    unit.do("silent")
    with pytest.raises(TimedOut):
        seen.out(b"x", 0.05)
    with pytest.raises(TimedOut):
        seen.string(3)
    assert seen.host.descriptor(1, 18) == DEVICE
    assert unit.do("line")["packets_in"] == 0
    unit.do("silent", on=False)
    assert seen.out(b"x").status == SUCCESS
    assert unit.do("line")["packets_in"] == 1


def test_unplugged_in_the_middle_of_a_packet_out(unit: Hands, seen: Seen) -> None:
    unit.do("unplug", after_packets=1, way="out")
    assert seen.out(b"x").status == SUCCESS
    with pytest.raises(Gone):
        seen.out(b"x")
    assert unit.wait_for(lambda state: not state["plugged"])["port"] is None


def test_unplugged_in_the_middle_of_a_packet_in(unit: Hands, seen: Seen) -> None:
    seen.host.receive(IN, start=True)
    unit.do("unplug", after_packets=1)
    unit.do("packet", hex="01")
    unit.do("packet", hex="02")
    assert seen.next() == Interrupt(IN, SUCCESS, 1, b"\x01")
    assert seen.next() is None
    assert not unit.look()["plugged"]


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


def test_over_long_packets_are_a_babble(unit: Hands, seen: Seen) -> None:
    seen.host.receive(IN, start=True)
    unit.do("packet", hex="00" * 65)
    heard = seen.next()
    assert heard is not None
    assert (heard.status, len(heard.data)) == (BABBLE, 64)


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
