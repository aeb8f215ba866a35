"""Probing a port: who is there, or why that cannot be told. A line is one process' own: who opens
it later is refused, who had it open before shows."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import select
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from drivers.api import DriverError, NoAnswerError
from drivers.carriers.serial_port import close_port, open_port
from drivers.probe import list_ports, probe
from drivers.table_link.messages import NAK, Message
from simulators.hands import Hands
from simulators.lines.wire import Wire
from tests.drivers.support import Recorder
from tests.drivers.test_serial_link import shoe_at


@pytest.mark.parametrize("kind", ["shoe", "shuffler", "jackpot", "keypad"])
def test_every_kind_is_identified(tmp_path: Path, kind: str) -> None:
    with Hands.start(kind, tmp_path / "port", "--serial", "PROBED"):
        report = probe(str(tmp_path / "port"))
        assert (report.identity.kind, report.identity.serial) == (kind, "PROBED")
        assert report.identity.firmware == (1, 4, 2)
        assert report.faults == ()
        assert report.unacked == report.last_event


def test_faults_are_named_and_what_is_unacknowledged_stays(tmp_path: Path) -> None:
    with Hands.start("jackpot", tmp_path / "port") as unit:
        unit.do("cover", open=True)
        for _ in range(2):
            report = probe(str(tmp_path / "port"))
            assert report.faults == ("cover open",)
            assert report.unacked == 3  # COVER at the beginning, COVER and FAULT now


def test_port_in_use_is_refused_before_a_byte_is_sent(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "port") as shoe:
        before = shoe.do("line")["bytes_in"]
        holder = open_port(str(tmp_path / "port"), 115200)
        with pytest.raises(DriverError, match="in use by another process"):
            probe(str(tmp_path / "port"))
        close_port(holder)
        assert shoe.do("line")["bytes_in"] == before


def test_silence_and_absence_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="does not exist"):
        probe(str(tmp_path / "port"))
    wire = Wire(tmp_path / "port")
    wire.plug()
    with pytest.raises(DriverError, match="nobody answers HELLO"):
        probe(str(tmp_path / "port"))
    wire.unplug()


@pytest.mark.parametrize(("refused", "said"), [(0x01, r"NAK 5"), (0x02, "nobody answers HELLO")])
def test_only_a_refusal_of_what_was_asked_counts(
    mocker: MockerFixture, refused: int, said: str
) -> None:
    mocker.patch("drivers.probe.ANSWER_WITHIN_S", 0.01)
    mocker.patch("drivers.probe.random.randint", return_value=7)
    line = mocker.patch("drivers.probe._SerialLine").return_value
    line.receive.return_value = [Message(NAK, 7, "NAK", {"code": 5, "refused": refused})]
    with pytest.raises(DriverError, match=said):
        probe("port")
    line.close.assert_called_once_with()


def test_candidates_can_be_listed_on_any_machine(mocker: MockerFixture) -> None:
    mocker.patch("drivers.probe.list_units", side_effect=DriverError("no libusb"))
    assert list_ports()[-1].description == "no libusb"


NOBODY = 65534
TRIES = f"""
import os, sys
if os.geteuid() == 0:
    os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
try:
    os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
except OSError as error:
    sys.exit(error.errno)
"""
HOLDS = """
import os, sys
from drivers.carriers.serial_port import open_port
port = open_port(sys.argv[1], 115200)
os.write(port.fileno(), b"\\0")
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    line = Wire(tmp_path / "shoe")
    line.plug()
    assert line.port is not None
    os.chmod(line.port, 0o666)  # noqa: PTH101 - anybody may, but for the mark
    yield line
    line.unplug()


def tried(wire: Wire) -> int:
    """What another user's process is told that opens the line; 0: it may."""
    assert wire.port is not None
    return subprocess.run([sys.executable, "-c", TRIES, wire.port], check=False).returncode


def test_who_opens_it_later_is_refused_until_it_is_closed(wire: Wire) -> None:
    assert tried(wire) == 0
    port = open_port(str(wire.link), 115200)
    assert tried(wire) == errno.EBUSY
    close_port(port)
    assert tried(wire) == 0


def test_after_one_that_was_killed_its_successor_may(wire: Wire) -> None:
    """On an adapter the mark ends with the process; on a simulated line when the twin is heard."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(wire.link)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"open\n"
    assert tried(wire) == errno.EBUSY
    assert select.select([wire.fd], [], [], 5)[0]
    assert wire.read_arrived() == b"\0"
    holder.kill()
    holder.communicate()
    assert tried(wire) == 0


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Hands]:
    with Hands.start("shoe", tmp_path / "shoe") as hands:
        yield hands


def reading(path: Path) -> subprocess.Popen[bytes]:
    """Somebody who has the line open already, and waits for what comes."""
    cat = subprocess.Popen(["cat", str(path)], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 5
    while not _has_open(cat.pid, path):
        assert time.monotonic() < until
    return cat


def _has_open(pid: int, path: Path) -> bool:
    wanted = os.path.realpath(path)
    try:
        return any(os.path.realpath(fd) == wanted for fd in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


class Quicker(selectors.DefaultSelector):
    """With somebody beside it who had the line open before, and takes what is there as soon as the
    kernel has said that there is something. Of two processes either may be the quicker one."""

    def __init__(self, line: Path) -> None:
        super().__init__()
        self._fd = os.open(line, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self.takes = False

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        told = super().select(timeout)
        if self.takes:
            with contextlib.suppress(BlockingIOError):
                os.read(self._fd, 4096)
        return told

    def close(self) -> None:
        super().close()
        os.close(self._fd)


def test_who_had_it_open_before_takes_what_the_device_sends(tmp_path: Path, shoe: Hands) -> None:
    other = Quicker(tmp_path / "shoe")

    async def whole() -> None:
        table = Recorder(stores=True)
        link = table.opens(shoe_at(tmp_path / "shoe"))
        await table.until(lambda: table.ups)
        assert link.statistics()["line_reads_in_vain"] == 0
        other.takes = True
        await table.until_statistics(lambda told: told["line_reads_in_vain"] >= 3)
        await link.close()

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(other)) as runner:
        runner.run(whole())


def test_a_probe_says_that_somebody_else_reads(
    tmp_path: Path, shoe: Hands, mocker: MockerFixture
) -> None:
    real, other = select.select, os.open(tmp_path / "shoe", os.O_RDONLY | os.O_NOCTTY)

    def and_taken(*asked: Any) -> Any:
        told = real(*asked)
        if told[0]:
            os.read(other, 4096)
        return told

    mocker.patch("drivers.probe.select.select", and_taken)
    with pytest.raises(NoAnswerError) as caught:
        probe(str(tmp_path / "shoe"))
    os.close(other)
    assert caught.value.in_vain >= 3
