"""What is wrong with a port: errors that were made to happen, what links have counted, and who has
it open beside its controller."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import termios
from dataclasses import replace
from pathlib import Path

import pytest
import serial
import usb.core

from controller.causes.cause import Cause
from controller.causes.errnos import DECIDED, kind_of
from controller.causes.holders import Holder
from controller.causes.port_holders import beside_the_controller
from controller.causes.ports import (
    OF_ERRNO,
    DeviceLine,
    PortKind,
    cause_of_error,
    cause_of_link,
    read_by,
    same_number,
)
from drivers.adapters import Port
from drivers.api import DriverError, NoAnswerError, OtherUnitError, PortBusyError, number_of
from drivers.carriers.serial_port import close_port, open_port
from drivers.carriers.usb_unit import explain
from simulators.hands import Hands
from simulators.lines.wire import Wire
from tests.drivers.test_probe import HOLDS, reading


def test_another_reader_is_named_and_the_device_is_not(tmp_path: Path) -> None:
    port = str(tmp_path / "shoe")
    with Hands.start("shoe", tmp_path / "shoe"):
        assert beside_the_controller([port, str(tmp_path / "none")]) == {}
        cat = reading(tmp_path / "shoe")
        try:
            [found] = beside_the_controller([port])[port]
        finally:
            cat.kill()
            cat.wait()
        assert (found.pid, found.program) == (cat.pid, "cat")
        assert beside_the_controller([port]) == {}


def test_who_has_locked_it_is_its_controller(tmp_path: Path) -> None:
    port = str(tmp_path / "shoe")
    with Hands.start("shoe", tmp_path / "shoe"):
        ours = open_port(port, 115200)
        assert beside_the_controller([port]) == {}, "this process asks"
        close_port(ours)
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDS, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        assert beside_the_controller([port]) == {}
        holder.communicate()


SHOE = DeviceLine("shoe", "shoe", "/dev/table/shoe", 115200)
UNIT = "1209:0001:JP-0001"
NOBODY = 65534
AS_NOBODY = f"""
import os, sys
from controller.causes.ports import cause_of_error
from drivers.carriers.serial_port import open_port
if os.geteuid() == 0:
    os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
try:
    open_port(sys.argv[1], 115200)
except Exception as error:
    print(cause_of_error(error, sys.argv[1]))
"""


def refused(path: Path, baud: int = 115200) -> DriverError:
    """Why the path cannot be opened as a line."""
    with pytest.raises(DriverError) as caught:
        close_port(open_port(str(path), baud))
    return caught.value


def cause_of(line: DeviceLine, lines: list[DeviceLine]) -> Cause:
    """What is wrong with a link."""
    cause = cause_of_link(line, lines)
    assert cause is not None
    return cause


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    cause = cause_of_error(refused(tmp_path / "none"), str(tmp_path / "none"))
    assert (cause.kind, cause.heals) == (PortKind.MISSING, True)
    assert "does not exist" in cause.what
    assert "'tablectl devices probe' lists" in cause.next_step


def test_a_port_that_another_has(tmp_path: Path) -> None:
    wire = Wire(tmp_path / "shoe")
    wire.plug()
    port = open_port(str(wire.link), 115200)
    error = refused(wire.link)
    close_port(port)
    wire.unplug()
    assert isinstance(error, PortBusyError)
    cause = cause_of_error(error, str(wire.link))
    assert cause.kind is PortKind.BUSY
    assert f"(process {os.getpid()})" in cause.what
    assert f"'sudo fuser -v {wire.link}'" in cause.next_step


def test_what_is_no_line(tmp_path: Path) -> None:
    (tmp_path / "port").symlink_to("/dev/null")
    cause = cause_of_error(refused(tmp_path / "port"), "port")
    assert (cause.kind, cause.heals) == (PortKind.NO_LINE, False)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert cause_of_error(refused(loop), "port").kind is PortKind.NO_LINE


def test_a_port_of_another_group_names_group_and_command() -> None:
    """A pseudo-terminal that nobody else may open, in a folder that everybody may enter."""
    device, port = os.openpty()
    name = os.ttyname(port)
    mode = stat.S_IMODE(os.stat(name).st_mode)  # noqa: PTH116
    try:
        os.chmod(name, 0o600)  # noqa: PTH101
        told = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, name], capture_output=True, text=True, check=True
        ).stdout
    finally:
        os.chmod(name, mode)  # noqa: PTH101
        os.close(port)
        os.close(device)
    if os.geteuid() == 0:
        assert f"may not read and write {name}" in told
        assert "root:" in told


def test_a_line_that_hangs_up(tmp_path: Path) -> None:
    wire = Wire(tmp_path / "shoe")
    wire.plug()
    port = open_port(str(wire.link), 115200)
    wire.unplug()
    with pytest.raises(OSError) as caught:  # noqa: PT011 - its number is compared
        os.write(port.fileno(), b"x")
    close_port(port)
    assert cause_of_error(caught.value, "/dev/x").kind is PortKind.GONE


@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException(errno.EACCES, "could not open port"),
        termios.error(errno.EACCES, "Permission denied"),
        usb.core.USBError("Access denied", -3, errno.EACCES),
        PermissionError(errno.EACCES, "Permission denied"),
        explain(UNIT, usb.core.USBError("Access denied", -3, errno.EACCES)),
    ],
)
def test_a_number_is_found_wherever_a_library_left_it(error: Exception) -> None:
    assert number_of(error) == errno.EACCES
    cause = cause_of_error(error, UNIT)
    assert (cause.kind, cause.heals) == (PortKind.USB_NOT_PERMITTED, False)
    assert "60-table-controller.rules" in cause.next_step


def test_a_number_behind_an_error_that_has_none() -> None:
    error = ValueError("could not configure the port")
    error.__cause__ = termios.error(errno.EIO, "Input/output error")
    assert number_of(error) == errno.EIO


USB = (
    *(errno.EIO, errno.EINVAL, errno.EACCES, errno.ENODEV, errno.ENOENT, errno.EBUSY),
    *(errno.ETIMEDOUT, errno.EOVERFLOW, errno.EPIPE, errno.EINTR, errno.ENOMEM, errno.ENOSYS),
)
"""All that pyusb makes of libusb's errors (``usb.backend.libusb1._libusb_errno``)."""
LINES = (
    *(errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG),
    *(errno.EACCES, errno.EPERM, errno.EBUSY, errno.EAGAIN, errno.ENOTTY, errno.EISDIR),
    *(errno.EINVAL, errno.EIO, errno.EINTR, errno.EMFILE, errno.ENFILE, errno.ENOMEM),
)
"""What open(2), tty_ioctl(4), read(2) and write(2) of a terminal give."""


@pytest.mark.parametrize("number", sorted({*USB, *LINES}))
def test_every_number_of_serial_and_usb_calls_has_a_cause(number: int) -> None:
    cause = cause_of_error(DriverError("it said so", number), UNIT)
    assert cause.next_step
    assert number in OF_ERRNO or number in DECIDED
    if number not in OF_ERRNO:
        assert cause.kind is kind_of(number)


def test_every_kind_has_a_step_that_can_be_typed_or_done() -> None:
    for kind in PortKind:
        step = kind.next_step.format(port="/dev/x")
        assert step
        assert not step.endswith(".")


def test_silence_is_plug_supply_port_and_speed() -> None:
    cause = cause_of_error(NoAnswerError("nobody answers HELLO"), "/dev/x")
    assert cause.what == "nobody answers HELLO"
    assert "plug, supply and port, and whether 'baud'" in cause.next_step
    unit = cause_of_error(NoAnswerError("nobody answers HELLO"), UNIT)
    assert unit.next_step == "look at its plug, supply and port"


def test_damaged_messages_are_speed_or_noise_and_not_a_silent_device() -> None:
    down = DeviceLine("shoe", "shoe", "/dev/x", 9600, "it does not answer", minute={"bad_crc": 29})
    cause = cause_of(down, [down])
    assert cause.what == "it does not answer, and 29 damaged messages came at 9600 baud"
    assert "'baud'" in cause.next_step
    assert "noise" in cause.next_step
    asked = cause_of_error(NoAnswerError("nobody answers HELLO", damaged=29), "/dev/x")
    assert asked.kind is PortKind.DAMAGED
    assert "29 damaged messages" in asked.what


def test_a_line_read_in_vain_has_another_reader_whether_it_is_up_or_down() -> None:
    minute = {"line_reads_in_vain": 3, "bad_crc": 29, "retries": 5}
    for down in ("", "it does not answer"):
        line = DeviceLine("shoe", "shoe", "/dev/x", 115200, down, minute=minute)
        cause = cause_of(line, [line])
        assert cause.kind is PortKind.READ_ELSEWHERE
        assert "another program reads its port" in cause.what
        assert cause.next_step == "find it with 'sudo fuser -v /dev/x' and stop it"
    asked = cause_of_error(NoAnswerError("nobody answers HELLO", 29, 3), "/dev/x")
    assert asked.kind is PortKind.READ_ELSEWHERE


def test_a_line_that_is_up_and_well_has_no_cause_and_one_that_degrades_has() -> None:
    assert cause_of_link(SHOE, [SHOE]) is None
    line = DeviceLine("shoe", "shoe", "/dev/x", 115200, minute={"retries": 2, "line_noise": 1})
    cause = cause_of(line, [line])
    assert cause.what == "its line degrades: 2 sent again, 1 damaged in a minute"


def test_crossed_plugs_are_to_be_swapped() -> None:
    """A display answers as the jackpot unit that it is."""
    shoe = DeviceLine("shoe", "shoe", "/dev/a", 115200, "x answers", answers="shuffler")
    other = DeviceLine("shuffler", "shuffler", "/dev/b", 115200, "y answers", answers="shoe")
    for line in (shoe, other):
        cause = cause_of(line, [shoe, other])
        assert cause.kind is PortKind.SWAPPED
        assert "crossed" in cause.what
        assert cause.next_step.startswith("swap these two: ")
        assert "/dev/a" in cause.next_step
        assert "/dev/b" in cause.next_step
    display = DeviceLine("left", "display", "/dev/c", 115200, "x answers", answers="shoe")
    shoe = DeviceLine("shoe", "shoe", "/dev/a", 115200, "y answers", answers="jackpot")
    cause = cause_of(shoe, [display, shoe])
    assert "display left" in cause.what


def test_one_wrong_plug_is_not_called_crossed() -> None:
    shoe = DeviceLine("shoe", "shoe", "/dev/a", 115200, "a shuffler answers", answers="shuffler")
    shuffler = DeviceLine("shuffler", "shuffler", "/dev/b", 115200, "it does not answer")
    cause = cause_of(shoe, [shoe, shuffler])
    assert cause.kind is PortKind.OTHER_KIND
    assert "put the right plug into /dev/a" in cause.next_step
    for number in (None, errno.EIO, errno.ENOENT):
        cause = cause_of(replace(shuffler, errno=number), [shoe, shuffler])
        assert cause.what == "it does not answer, and a shuffler answers at /dev/a"
        assert "put the right plug into /dev/b" in cause.next_step
    cause = cause_of(replace(shuffler, errno=errno.EBUSY), [shoe, shuffler])
    assert cause.kind is PortKind.BUSY


def test_the_others() -> None:
    assert cause_of_error(OtherUnitError("only J2"), UNIT).kind is PortKind.OTHER_UNIT
    assert cause_of_error(DriverError("the device refuses"), UNIT).kind is PortKind.OTHER
    ports = [Port(path, "0403:6001", "A1", path[-1]) for path in ("/dev/a", "/dev/b")]
    twice = same_number("shoe", "/dev/table/shoe", ports, "")
    assert not twice.heals
    assert "the adapters at /dev/a and /dev/b have the same serial number A1" in twice.what
    ports = [Port(path, "0403:6011", "A1", "1-1") for path in ("/dev/a", "/dev/b")]
    one = same_number("shoe", "/dev/table/shoe", ports, "/dev/serial/by-path/x")
    assert "the ports of one adapter, /dev/a and /dev/b" in one.what
    assert "--device shoe=/dev/serial/by-path/x'" in one.next_step
    assert "--device shoe=/dev/serial/by-path/" in twice.next_step
    reader = read_by("/dev/x", [Holder(812, "minicom"), Holder(813, "")])
    assert "process 812 (minicom) and process 813 has /dev/x open" in reader.what
    assert reader.next_step == "stop it: 'sudo kill 812 813'"
