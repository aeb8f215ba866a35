"""Opening a serial line: 8N1, no flow control, opened exclusively, every failure as a readable
message.

pyserial does the opening (speed, exclusive lock, low latency); reading and writing go straight to
the descriptor. Three kinds of exception come out of it (``SerialException``, ``OSError``, and a
bare ``termios.error`` for what a line cannot do); all become :class:`DriverError` here.

Two marks keep others away. The lock (``flock``) is one that programs may ask for, and most do not.
``TIOCEXCL`` has the kernel refuse the line to whoever opens it from now on, but for root, and
leaves it to whoever had it open before: such a second reader shows in the carrier's counters
(``reads_in_vain``), because it takes what the line had to read.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import termios
from pathlib import Path

import serial

from drivers.api import DriverError, PortBusyError, number_of

_VMIN = 6
_CC = 6
"""Index of the control characters in the list of ``tcgetattr``."""


def open_port(path: str, baud: int) -> serial.Serial:
    """Open ``path`` at ``baud`` 8N1 with what was buffered thrown away.

    The descriptor does not block, and a read of it returns ``b""`` only when the line has hung up.
    Raises :class:`PortBusyError` when another process has it, else :class:`DriverError`.
    """
    check_is_line(path)
    try:
        port = serial.Serial(port=path, baudrate=baud, exclusive=True, timeout=0)
    except (serial.SerialException, OSError, termios.error, ValueError) as error:
        raise _explain(path, baud, error) from error
    try:
        with contextlib.suppress(ValueError, OSError, NotImplementedError):
            # An FTDI adapter holds short frames back for 16 ms otherwise; a line that has no
            # such setting (USB CDC, pty) needs none.
            port.set_low_latency_mode(True)
        _read_none_means_gone(port.fileno())
        os.set_blocking(port.fileno(), False)
        fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
        termios.tcflush(port.fileno(), termios.TCIOFLUSH)
    except (serial.SerialException, OSError, termios.error) as error:
        close_port(port)
        raise _explain(path, baud, error) from error
    return port


def close_port(port: serial.Serial) -> None:
    """Close without waiting for what the line has not taken yet, and without a complaint."""
    with contextlib.suppress(OSError, termios.error):
        # Else the kernel may wait up to 30 s for output that nobody takes.
        termios.tcflush(port.fileno(), termios.TCOFLUSH)
    with contextlib.suppress(OSError, termios.error):
        # Else the line stays refused for as long as anybody else still has it open.
        fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
    with contextlib.suppress(OSError, termios.error):
        port.close()


def check_is_line(path: str) -> None:
    """Raise :class:`DriverError` unless ``path`` names a character device now."""
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        raise _explain(path, 0, error) from error
    if not stat.S_ISCHR(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "not a device"
        raise DriverError(f"{path} is {what}: name the serial port that the device is on")


def same_line(port: serial.Serial, path: str) -> bool:
    """Whether ``path`` still leads to the line that ``port`` has open."""
    try:
        return Path(path).stat().st_rdev == os.fstat(port.fileno()).st_rdev
    except (OSError, serial.SerialException):
        return False


def _read_none_means_gone(fd: int) -> None:
    # pyserial leaves VMIN at 0: then "nothing there" and "hung up" both read as b"".
    attributes = termios.tcgetattr(fd)
    attributes[_CC][_VMIN] = 1
    termios.tcsetattr(fd, termios.TCSANOW, attributes)


def _explain(path: str, baud: int, error: BaseException) -> DriverError:
    number = number_of(error)
    if number in (errno.EAGAIN, errno.EBUSY):
        holder = _holder(path)
        return PortBusyError(
            f"{path} is in use by another process{holder}, and only one may speak to a device",
            number,
        )
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return DriverError(f"{path} does not exist", number)
    if number in (errno.EACCES, errno.EPERM):
        return DriverError(f"{path} may not be opened by this user", number)
    if number == errno.ENOTTY:
        return DriverError(f"{path} is not a serial port", number)
    if number == errno.EIO:
        return DriverError(f"{path} has hung up", number)
    if isinstance(error, ValueError):
        return DriverError(f"{path} cannot be set to {baud} baud")
    return DriverError(f"{path} cannot be used: {error}", number)


def _holder(path: str) -> str:
    """The process that has the lock, as ``" (process 812)"``, or nothing if it does not show."""
    try:
        status = Path(path).stat()
        device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}"
        wanted = f"{device}:{status.st_ino}"
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            fields = line.split()
            if fields[1] == "FLOCK" and fields[5] == wanted and int(fields[4]) > 0:
                return f" (process {fields[4]})"
    except (OSError, ValueError, IndexError):
        pass
    return ""
