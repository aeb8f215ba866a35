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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hil_tests.benches.usbredir_host import Gone, TimedOut, UsbHost
from simulators.usb.descriptors import CONFIGURATION, DEVICE
from simulators.usb.packets import (
    BABBLE,
    STALL,
    SUCCESS,
    TIMEOUT,
    ConfigurationStatus,
    Control,
    GetConfiguration,
    Interrupt,
    Packet,
)

FAILURES: Final = {STALL: errno.EPIPE, TIMEOUT: errno.ETIMEDOUT, BABBLE: errno.EOVERFLOW}
ENDPOINT_OUT, IN = 0x01, 0x80
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


class OpenUnit:
    """An open device. Reading and writing may happen in two threads; every method may raise
    ``OSError``: ENODEV when the unit is gone, ETIMEDOUT, EPIPE after a stall, EOVERFLOW, EBUSY."""

    def __init__(self, unit: BusUnit) -> None:
        """Open it; ``OSError`` ENODEV or EACCES."""
        self.unit = unit
        self._claim = -1
        self._reading = False
        self._halted = False
        self._gone = False
        self._heard: queue.SimpleQueue[Interrupt | None] = queue.SimpleQueue()
        try:
            if not unit.path.stat().st_mode & 0o666:
                raise failure(errno.EACCES)
            self._host = UsbHost(unit.path, self._heard.put, lambda: self._heard.put(None))
        except PermissionError as error:
            raise failure(errno.EACCES) from error
        except (Gone, FileNotFoundError) as error:
            raise failure(errno.ENODEV) from error

    def close(self) -> None:
        """Let it go, with its claim."""
        self.release()
        self._host.close()

    def claim(self) -> None:
        """Take interface 0 for this one; EBUSY when another has it."""
        if self._claim >= 0:
            return
        path = self.unit.path
        beside = path.with_name(f".{path.name}.{self.unit.plugging}.claim")
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
                self._host.receive(IN | ENDPOINT_OUT, start=False)
        if self._claim >= 0:
            os.close(self._claim)
            self._claim = -1

    def configuration(self) -> int:
        """The active one; 0 for none."""
        answer = self._answer_to(GetConfiguration())
        assert isinstance(answer, ConfigurationStatus)
        return answer.configuration

    def configure(self, number: int) -> None:
        """Make another one active."""
        with self._kernels_errors():
            self._check(self._host.configure(number).status)

    def read_packet(self, endpoint: int, timeout_ms: int) -> bytes:
        """The next packet of an interrupt IN endpoint; 0 waits for ever."""
        self._begin_to_read(endpoint)
        if self._gone:
            raise failure(errno.ENODEV)
        if self._halted:
            raise failure(errno.EPIPE)
        try:
            packet = self._heard.get(timeout=timeout_ms / 1000 if timeout_ms else None)
        except queue.Empty:
            raise failure(errno.ETIMEDOUT) from None
        if packet is None:
            self._gone = True
            raise failure(errno.ENODEV)
        self._halted = packet.status == STALL
        self._check(packet.status)
        return packet.data

    def write(self, endpoint: int, data: bytes, timeout_ms: int) -> int:
        """Send one packet; how many bytes were taken."""
        answer = self._answer_to(Interrupt(endpoint, SUCCESS, len(data), data), timeout_ms)
        assert isinstance(answer, Interrupt)
        self._check(answer.status)
        return len(data)

    def control(self, ask: Control, timeout_ms: int) -> Control:
        """A control transfer."""
        answer = self._answer_to(ask, timeout_ms)
        assert isinstance(answer, Control)
        self._check(answer.status)
        return answer

    def clear_halt(self, endpoint: int) -> None:
        """Clear a halt at both ends."""
        with self._kernels_errors():
            self._check(self._host.clear_halt(endpoint).status)
        if endpoint & IN:
            self._halted = False

    def reset(self) -> None:
        """Reset the unit; it keeps its configuration, as the kernel sees to."""
        self._host.reset()
        self._reading = self._halted = False

    def _begin_to_read(self, endpoint: int) -> None:
        if not self._reading and not self._gone:
            with self._kernels_errors():
                self._check(self._host.receive(endpoint, start=True).status)
            self._reading = True

    def _answer_to(self, packet: Packet, timeout_ms: int = 0) -> Packet:
        with self._kernels_errors():
            return self._host.answer_to(packet, timeout_ms / 1000 if timeout_ms else None)
        raise AssertionError

    @staticmethod
    @contextlib.contextmanager
    def _kernels_errors() -> Iterator[None]:
        try:
            yield
        except Gone as error:
            raise failure(errno.ENODEV) from error
        except TimedOut as error:
            raise failure(errno.ETIMEDOUT) from error

    @staticmethod
    def _check(status: int) -> None:
        if status != SUCCESS:
            raise failure(FAILURES.get(status, errno.EIO))
