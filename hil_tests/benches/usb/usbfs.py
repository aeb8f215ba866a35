"""usbfs of one unit for as long as it is plugged in; later it only says that it is gone.

What libusb expects of the kernel, as far as it is used here:

- SUBMITURB hands in a transfer (``urb``), REAPURBNDELAY gives a done one back.
- DISCARDURB names it by the pointer itself; a discarded one comes back with -ENOENT.
- The node is always ready, so that libusb would spin on EAGAIN: that is answered up to 2 ms late
  while a URB is under way.
- After a stall every read is a stall until the halt is cleared.
- When the unit goes, what was under way comes back with -ESHUTDOWN; then everything is ENODEV.
- Every ioctl is completed; one that is not aborts the client. A client that ends lets go of its
  claim and of what it had under way.
"""

from __future__ import annotations

import errno
import struct
import threading
import traceback
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import gi  # type: ignore[import-not-found]

gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev  # type: ignore[import-not-found]  # noqa: E402

from hil_tests.benches.usb.urb import SETUP_BYTES, TYPE_CONTROL, Urb, pointer  # noqa: E402
from hil_tests.benches.usbredir_host import Gone, TimedOut, UsbHost  # noqa: E402
from simulators.usb.packets import (  # noqa: E402
    BABBLE,
    CANCELLED,
    STALL,
    SUCCESS,
    Control,
    Interrupt,
    Packet,
    StartReceiving,
    StopReceiving,
)

LATE_S: Final = 0.002
IN: Final = 0x80
SETCONFIGURATION, GETDRIVER, SUBMITURB, DISCARDURB, REAPURB, REAPURBNDELAY = 5, 8, 10, 11, 12, 13
CLAIM, RELEASE, RESET, CLEAR_HALT, GET_CAPABILITIES = 15, 16, 20, 21, 26
STATUS: Final = {
    SUCCESS: 0,
    STALL: -errno.EPIPE,
    BABBLE: -errno.EOVERFLOW,
    CANCELLED: -errno.ENOENT,
}
"""What the kernel calls the end of a transfer; any other is a fault of the wire, EPROTO."""

Result = tuple[int, int]
"""What an ioctl returns, and its errno."""

DONE: Final[Result] = (0, 0)


def failed(number: int) -> Result:
    """An ioctl's failure."""
    return -1, number


class Usbfs(UMockdev.IoctlBase):  # type: ignore[misc]
    """The unit's node. ``gone`` is called once, when the unit has been unplugged."""

    def __init__(self, path: Path, gone: Callable[[], None]) -> None:
        """Raises :class:`hil_tests.benches.usbredir_host.Gone` when nobody is there."""
        super().__init__()
        self._lock = threading.Condition()
        self._told_gone = gone
        self._gone = False
        self._halted = False
        self._reading = False
        self._claimed: int | None = None
        self._reads: deque[Urb] = deque()
        self._under_way: list[Urb] = []
        self._done: deque[Urb] = deque()
        self._packets: deque[Interrupt] = deque()
        self.host = UsbHost(path, self._heard, self._end_reads)

    @property
    def is_gone(self) -> bool:
        """Whether the unit has been unplugged."""
        return self._gone

    def close(self) -> None:
        """Unplug it from this bus."""
        self.host.close()

    def forget_clients(self) -> None:
        """All clients have ended: umockdev does not tell of one that was killed while it asked."""
        with self._lock:
            clients = {urb.client for urb in (*self._reads, *self._under_way, *self._done)}
            if self._claimed is not None:
                clients.add(self._claimed)
        for client in clients:
            self._forget(client)

    # ---- called by umockdev -------------------------------------------------------------------

    def do_handle_ioctl(self, client: Any) -> bool:
        """Answer one ioctl."""
        try:
            result, number = self._answer(client)
        except GLib.Error:  # it was killed while it asked
            self._forget(hash(client))
            result, number = failed(errno.EIO)
        except Exception:
            traceback.print_exc()
            result, number = failed(errno.EIO)
        client.complete(result, number)
        return True

    def do_client_connected(self, client: Any) -> None:
        """A client has opened the node."""
        self._forget(hash(client))  # one that had the same name and was killed
        client.connect("notify::connected", lambda one, _: self._forget(hash(one)))

    def _forget(self, who: int) -> None:
        """A client has closed the node, or ended."""
        with self._lock:
            self._let_go(who)
            for urb in [urb for urb in self._under_way if urb.client == who]:
                self.host.cancel(urb.number)
            self._reads = deque(urb for urb in self._reads if urb.client != who)
            self._done = deque(urb for urb in self._done if urb.client != who)

    # ---- ioctls -------------------------------------------------------------------------------

    def _answer(self, client: Any) -> Result:
        request = client.get_request() & 0xFF
        if request in (REAPURB, REAPURBNDELAY):
            return self._reap(client)
        if request == DISCARDURB:
            return self._discard(pointer(client))
        if self._gone:
            return failed(errno.ENODEV)
        if request in (SETCONFIGURATION, CLEAR_HALT):
            return self._ioctl_result(request, client.get_arg().resolve(0, 4))
        with self._lock:
            if request == SUBMITURB:
                self._submit(Urb(client))
            elif request == CLAIM:
                if self._claimed not in (None, hash(client)):
                    return failed(errno.EBUSY)
                self._claimed = hash(client)
            elif request == RELEASE:
                self._let_go(hash(client))
            elif request == RESET:
                self.host.reset()
                self._reading = self._halted = False
            elif request == GET_CAPABILITIES:
                client.get_arg().resolve(0, 4).update(0, [0, 0, 0, 0])
            elif request == GETDRIVER:
                return failed(errno.ENODATA)
        return DONE

    def _ioctl_result(self, request: int, argument: Any) -> Result:
        (number,) = struct.unpack("<I", bytes(argument.retrieve()))
        try:
            if request == CLEAR_HALT:
                status = self.host.clear_halt(number).status
            else:
                status = self.host.configure(number).status
        except Gone:
            return failed(errno.ENODEV)
        except TimedOut:
            return failed(errno.ETIMEDOUT)
        if request == CLEAR_HALT and number & IN:
            with self._lock:
                self._halted = False
        return DONE if status == SUCCESS else failed(errno.EPIPE)

    def _submit(self, urb: Urb) -> None:
        if urb.type == TYPE_CONTROL:
            kind, ask, value, index, length = struct.unpack_from("<BBHHH", urb.content)
            outward = b"" if kind & IN else urb.content[SETUP_BYTES:]
            self._start(urb, Control(kind & IN, ask, kind, 0, value, index, length, outward))
        elif urb.endpoint & IN:
            if not self._reading:
                self._reading = True
                self.host.submit(StartReceiving(urb.endpoint), lambda _: None)
            self._reads.append(urb)
            self._match()
        else:
            self._start(urb, Interrupt(urb.endpoint, SUCCESS, urb.length, urb.content))

    def _start(self, urb: Urb, packet: Packet) -> None:
        self._under_way.append(urb)
        urb.number = self.host.submit(packet, lambda answer: self._completed(urb, answer))

    def _discard(self, address: int) -> Result:
        with self._lock:
            for urb in self._reads:
                if urb.address == address:
                    self._reads.remove(urb)
                    self._done.append(urb.with_status(STATUS[CANCELLED]))
                    return DONE
            for urb in self._under_way:
                if urb.address == address:
                    self.host.cancel(urb.number)
                    return DONE
        return failed(errno.EINVAL)

    def _reap(self, client: Any) -> Result:
        with self._lock:
            if not self._next(client) and (self._reads or self._under_way):
                self._lock.wait(LATE_S)
            urb = self._next(client)
            if urb is None:
                return failed(errno.ENODEV if self._gone else errno.EAGAIN)
            self._done.remove(urb)
        client.get_arg().resolve(0, 8).set_ptr(0, urb.write_back())
        return DONE

    def _next(self, client: Any) -> Urb | None:
        return next((urb for urb in self._done if urb.client == hash(client)), None)

    def _let_go(self, who: int) -> None:
        if self._claimed == who:
            self._claimed = None
            if self._reading and not self._gone:
                self._reading = False
                self.host.submit(StopReceiving(IN | 1), lambda _: None)
                self._packets.clear()

    # ---- called by the unit's host ------------------------------------------------------------

    def _completed(self, urb: Urb, answer: Packet | None) -> None:
        with self._lock:
            self._under_way.remove(urb)
            match answer:
                case Control(status=status, data=data, requesttype=kind):
                    told = data if kind & IN else b""
                    urb.with_status(STATUS.get(status, -errno.EPROTO), told)
                case Interrupt(status=status, length=length):
                    urb.with_status(STATUS.get(status, -errno.EPROTO), actual=length)
                case _:
                    urb.with_status(-errno.ESHUTDOWN)
            self._done.append(urb)
            self._lock.notify_all()

    def _heard(self, packet: Interrupt) -> None:
        with self._lock:
            self._packets.append(packet)
            self._match()

    def _match(self) -> None:
        while self._reads and (self._halted or self._packets):
            urb = self._reads.popleft()
            if self._halted:
                self._done.append(urb.with_status(-errno.EPIPE))
                continue
            packet = self._packets.popleft()
            self._halted = packet.status == STALL
            room = packet.data[: urb.length]
            status = BABBLE if len(packet.data) > urb.length else packet.status
            self._done.append(urb.with_status(STATUS.get(status, -errno.EPROTO), room))
        self._lock.notify_all()

    def _end_reads(self) -> None:
        with self._lock:
            self._gone = True
            while self._reads:
                self._done.append(self._reads.popleft().with_status(-errno.ESHUTDOWN))
            self._lock.notify_all()
        self._told_gone()
