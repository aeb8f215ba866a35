"""The serial carrier on pseudo-terminals: opening, losing and reopening a line."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.api import DriverError
from drivers.carriers.base import Backoff
from drivers.carriers.serial import MAX_PENDING_BYTES, SerialCarrier
from drivers.carriers.serial_port import open_port
from simulators.lines.wire import Wire, name_in_use
from tests.drivers.support import Bell


class Port(Bell):
    """Who uses a carrier, remembering."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = 0
        self.reasons: list[str] = []
        self.received = bytearray()

    def carrier_opened(self) -> None:
        self.opened += 1
        self.ring()

    def carrier_closed(self, reason: str) -> None:
        self.reasons.append(reason)
        self.ring()

    def carrier_received(self, data: bytes) -> None:
        self.received += data
        self.ring()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    line = Wire(tmp_path / "shoe")
    yield line
    line.unplug()


def carrier_on(path: Path, port: Port) -> SerialCarrier:
    return SerialCarrier(asyncio.get_running_loop(), str(path), 115200, port)


async def readable(fd: int) -> None:
    """Wait until there is something to read from ``fd``."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(fd, ready.set)
    try:
        async with asyncio.timeout(5):
            await ready.wait()
    finally:
        loop.remove_reader(fd)


async def test_opens_discards_what_was_buffered_and_sends_one_delimiter(wire: Wire) -> None:
    wire.plug()
    wire.write(b"left over from before")
    port = Port()
    carrier = carrier_on(wire.link, port)
    carrier.start()
    assert port.opened == 1
    await readable(wire.fd)
    assert wire.read_arrived() == b"\0"
    wire.write(b"now")
    await port.until(lambda: port.received)
    assert port.received == b"now"
    await carrier.close()


async def test_missing_port_is_tried_again_without_spinning(tmp_path: Path) -> None:
    port = Port()
    carrier = carrier_on(tmp_path / "nothing", port)
    began, used = time.monotonic(), time.process_time()
    carrier.start()
    await port.until(lambda: len(port.reasons) >= 4)
    assert time.monotonic() - began >= 0.1 + 0.2 + 0.4
    assert time.process_time() - used < 0.2
    assert all("nothing does not exist" in reason for reason in port.reasons)
    assert carrier.statistics()["open_failed"] == 4
    await carrier.close()


def test_backoff_doubles_to_two_seconds_and_starts_over() -> None:
    backoff = Backoff()
    assert [backoff.next_s() for _ in range(7)] == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
    backoff.reset()
    assert backoff.next_s() == 0.1


async def test_comes_back_under_another_name(wire: Wire) -> None:
    wire.plug()
    first = wire.port
    assert first is not None
    port = Port()
    carrier = carrier_on(wire.link, port)
    with name_in_use(first):  # before the carrier has it, which refuses whoever comes later
        carrier.start()
        wire.unplug()
        await port.until(lambda: port.reasons)
        assert "hung up" in port.reasons[0]
        assert carrier.errno == errno.EIO, "what was counted before does not explain it"
        wire.plug()
        assert wire.port not in (first, None)
        await port.until(lambda: port.opened == 2)
    wire.write(b"hello")
    await port.until(lambda: port.received)
    await carrier.close()


async def test_follows_a_link_that_was_moved_while_the_old_line_lives_on(
    wire: Wire, tmp_path: Path
) -> None:
    wire.plug()
    port = Port()
    carrier = carrier_on(wire.link, port)
    carrier.start()
    carrier.recheck()
    assert port.reasons == []
    other = Wire(tmp_path / "other")
    other.plug()
    other.link.replace(wire.link)
    carrier.recheck()
    assert "no longer leads" in port.reasons[0]
    await port.until(lambda: port.opened == 2)
    other.write(b"x")
    await port.until(lambda: port.received)
    await carrier.close()
    other.unplug()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_text("x"), "not a device"),
        (lambda path: path.mkdir(), "is a directory"),
        (lambda path: path.symlink_to("/dev/null"), "is not a serial port"),
        (os.mkfifo, "not a device"),
        (lambda path: path.symlink_to(path), "cannot be used"),
    ],
)
def test_what_is_no_port_is_named(tmp_path: Path, make: Any, said: str) -> None:
    path = tmp_path / "port"
    make(path)
    with pytest.raises(DriverError, match=said) as caught:
        open_port(str(path), 115200)
    assert str(path) in str(caught.value)


def test_impossible_speed_is_named(wire: Wire) -> None:
    wire.plug()
    with pytest.raises(DriverError, match="baud"):
        open_port(str(wire.link), -1)


async def test_peer_that_does_not_read_loses_the_link_not_the_memory(wire: Wire) -> None:
    wire.plug()
    port = Port()
    carrier = carrier_on(wire.link, port)
    carrier.start()
    sent = 0
    while not port.reasons:
        carrier.send(bytes(1024))
        sent += 1024
        assert sent < 1 << 20
    assert "does not take" in port.reasons[0]
    assert carrier.statistics()["overrun"] == 1
    await carrier.close()


async def test_what_the_kernel_did_not_take_follows_in_order(wire: Wire) -> None:
    wire.plug()
    port = Port()
    carrier = carrier_on(wire.link, port)
    carrier.start()
    sent = bytearray(b"\0")
    taken = -1
    while taken != carrier.statistics()["bytes_out"]:  # until the kernel is full
        taken = carrier.statistics()["bytes_out"]
        piece = bytes([len(sent) % 251]) * 1000
        carrier.send(piece)
        sent += piece
    carrier.send(b"the end")
    sent += b"the end"
    assert len(sent) - carrier.statistics()["bytes_out"] <= MAX_PENDING_BYTES
    came = bytearray()
    while len(came) < len(sent):
        await readable(wire.fd)
        came += wire.read_arrived()
    assert came == sent
    assert port.reasons == []
    await carrier.close()


async def test_idle_line_costs_nothing(wire: Wire) -> None:
    wire.plug()
    port = Port()
    carrier = carrier_on(wire.link, port)
    carrier.start()
    used = time.process_time()
    with pytest.raises(TimeoutError):
        await port.until(lambda: port.reasons, within_s=0.3)
    assert time.process_time() - used < 0.05
    assert carrier.statistics()["reads"] == 0
    await carrier.close()


async def test_close_in_the_midst_of_bad_news(tmp_path: Path) -> None:
    closing: list[asyncio.Task[None]] = []

    class Quitter(Port):
        def carrier_closed(self, reason: str) -> None:
            super().carrier_closed(reason)
            closing.append(asyncio.ensure_future(carrier.close()))

    port = Quitter()
    carrier = carrier_on(tmp_path / "nothing", port)
    carrier.start()
    await closing[0]
    with pytest.raises(TimeoutError):
        await port.until(lambda: len(port.reasons) > 1, within_s=0.3)
