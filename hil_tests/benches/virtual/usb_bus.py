"""A folder as a USB bus: every socket in it is a unit that is plugged in.

- The folder is what a kernel shows of a bus: who is there (a socket to which nobody listens is
  nobody) and who may open whom (a socket whose mode lets nobody read and write may not be opened,
  not even by root, as where the udev rule is missing).
- A claim is exclusive between processes: a lock on a file beside the socket, which is let go with
  the process that has it. It is of one plugging: a unit that returns is claimed anew.
- :class:`OpenUnit` is an open device with the errors of the kernel, as ``OSError``.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import queue
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from hil_tests.benches.virtual.usb_host import Gone, TimedOut, UsbHost
from simulators.usb.descriptors import CONFIGURATION, DEVICE
from simulators.usb.packets import (
    BABBLE,
    STALL,
    SUCCESS,
    TIMEOUT,
    Control,
    Interrupt,
)

FAILURES: Final = {STALL: errno.EPIPE, TIMEOUT: errno.ETIMEDOUT, BABBLE: errno.EOVERFLOW}
ENDPOINT_OUT, IN = 0x01, 0x80
Sent = TypeVar("Sent", Control, Interrupt)
LONGEST: Final = 4096


@dataclass(frozen=True, slots=True)
class BusUnit:
    """A unit that is plugged in, with what the kernel has read of it."""

    path: Path
    plugging: int
    device: bytes
    configuration: bytes


def units_on(folder: Path) -> list[BusUnit]:
    """The units on the bus now, in the order of their names."""
    found = []
    for path in sorted(folder.iterdir()):
        with contextlib.suppress(Gone, TimedOut, FileNotFoundError):
            status = path.stat()
            if stat.S_ISSOCK(status.st_mode) and not path.name.startswith("."):
                found.append(BusUnit(path, status.st_ino, *_descriptors(path)))
    return found


def _descriptors(path: Path) -> tuple[bytes, bytes]:
    try:
        host = UsbHost(path)
    except PermissionError:
        return DEVICE, CONFIGURATION  # read by the kernel, which asks nobody
    try:
        return host.descriptor(1, len(DEVICE)), host.descriptor(2, LONGEST)
    finally:
        host.close()


def failure(number: int) -> OSError:
    """The kernel's error of that number."""
    return OSError(number, os.strerror(number))


class OpenUnit(UsbHost):
    """An open device. Reading and writing may happen in two threads; every method may raise
    ``OSError``: ENODEV when the unit is gone, ETIMEDOUT, EPIPE after a stall, EOVERFLOW, EBUSY."""

    def __init__(self, unit: BusUnit) -> None:
        """Open it; ``OSError`` ENODEV or EACCES."""
        self.unit_on_bus = unit
        self._claim = -1
        self._reading = False
        self._halted = False
        self._gone = False
        try:
            if not unit.path.stat().st_mode & 0o666:
                raise failure(errno.EACCES)
            super().__init__(unit.path)
        except PermissionError as error:
            raise failure(errno.EACCES) from error
        except FileNotFoundError as error:
            raise failure(errno.ENODEV) from error

    def close(self) -> None:
        """Let it go, with its claim."""
        self.release()
        super().close()

    def claim(self) -> None:
        """Take interface 0 for this one; EBUSY when another has it."""
        if self._claim >= 0:
            return
        unit = self.unit_on_bus
        beside = unit.path.with_name(f".{unit.path.name}.{unit.plugging}.claim")
        claim = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(claim)
            raise failure(errno.EBUSY) from error
        self._claim = claim

    def release(self) -> None:
        """Let the interface go."""
        if self._reading and not self._gone:
            self._reading = False
            with contextlib.suppress(Gone, TimedOut):
                self.receive(IN | ENDPOINT_OUT, start=False)
        if self._claim >= 0:
            os.close(self._claim)
            self._claim = -1

    def read_packet(self, endpoint: int, timeout_ms: int) -> bytes:
        """The next packet of an interrupt IN endpoint; 0 waits for ever."""
        if not self._reading and not self._gone:
            check(self.receive(endpoint, start=True).status)
            self._reading = True
        if self._gone:
            raise failure(errno.ENODEV)
        if self._halted:
            raise failure(errno.EPIPE)
        try:
            packet = self.heard.get(timeout=timeout_ms / 1000 if timeout_ms else None)
        except queue.Empty:
            raise failure(errno.ETIMEDOUT) from None
        if packet is None:
            self._gone = True
            raise failure(errno.ENODEV)
        self._halted = packet.status == STALL
        check(packet.status)
        return packet.data

    def transfer(self, asked: Sent, timeout_ms: int = 0) -> Sent:
        """Send a packet, a control transfer or a question; its answer. 0 waits for ever."""
        answer = self.answer_to(asked, timeout_ms / 1000 if timeout_ms else None)
        assert isinstance(answer, type(asked))
        check(answer.status)
        return answer

    def clear_halt(self, endpoint: int) -> Control:
        """Clear a halt at both ends."""
        answer = super().clear_halt(endpoint)
        check(answer.status)
        if endpoint & IN:
            self._halted = False
        return answer

    def reset(self) -> None:
        """Reset the unit; it keeps its configuration, as the kernel sees to."""
        super().reset()
        self._reading = self._halted = False


def check(status: int) -> None:
    """Raise the kernel's error for how a transfer has ended, where it has not ended well."""
    if status != SUCCESS:
        raise failure(FAILURES.get(status, errno.EIO))
