"""A twin's cable to a USB bus: a :class:`simulators.lines.line.Line` of packets instead of bytes.

- Every connection is a host that sees the unit (:mod:`simulators.usb.cables` says who connects to
  whom); several may be there at a time.
- One payload is one packet. A packet arrives whole or, when the cable is out, not at all.
- Nobody is waited for: a host that reads nothing is dropped once a megabyte is on its way.
- Verbs of the hands of its own: ``unplug`` in the middle of a transfer, ``stall``, ``packet``,
  ``silent``, ``foreign``.
"""

from __future__ import annotations

import select
import socket
from pathlib import Path
from typing import Any

from simulators.lines.line import QUIET
from simulators.usb.descriptors import ENDPOINT_IN, ENDPOINT_OUT
from simulators.usb.function import Function
from simulators.usb.packets import ProtocolError
from simulators.usb.seat import Seat

READ_BYTES = 1 << 16
MOST_UNREAD_BYTES = 1 << 20
ENDPOINTS = {"in": (ENDPOINT_IN,), "out": (ENDPOINT_OUT,), "both": (ENDPOINT_IN, ENDPOINT_OUT)}


class UsbLine:
    """What both kinds of cable have in common: hosts, packets and the verbs."""

    noise = QUIET

    def __init__(self, path: Path, kind: str, serial: str) -> None:
        self.path = path
        self.function = Function(kind, serial, self._takes)
        self.plugs = 0
        self.packets_in = 0
        self.packets_out = 0
        self.bad_hosts = 0
        self._poll: select.epoll | None = None
        self._hosts: dict[int, tuple[socket.socket, Seat]] = {}
        self._taken: list[bytes] = []
        self._cut: tuple[str, str, int] | None = None

    @property
    def fd(self) -> int:
        """Readable when any host has said something, or comes; -1 while unplugged."""
        return self._poll.fileno() if self._poll else -1

    @property
    def port(self) -> str | None:
        """The socket."""
        return str(self.path) if self._poll else None

    def plug(self) -> None:
        """Appear on the bus. Raises ``ValueError`` when there is no bus."""
        if self._poll is None:
            self.function.attached()
            self._poll = select.epoll()
            self._taken.clear()
            self._cut = None
            try:
                self._attach(self._poll)
            except OSError as error:
                self._poll.close()
                self._poll = None
                raise ValueError(f"no USB host at {self.path}: {error.strerror}") from error
            self.plugs += 1

    def unplug(self) -> None:
        """Vanish, whatever is under way."""
        if self._poll is not None:
            self._detach()
            for fd in list(self._hosts):
                self._forget(fd)
            self._poll.close()
            self._poll = None

    def receive(self) -> list[bytes]:
        """Serve all hosts; the packets that one of them has sent."""
        for fd, _ in self._poll.poll(0) if self._poll else ():
            if fd in self._hosts:
                self._serve(fd)
            elif self._poll:
                self._accept()
        self._flush()
        taken, self._taken = self._taken, []
        return taken

    def send(self, payloads: list[bytes]) -> None:
        """Send each as one packet."""
        for payload in payloads:
            self.write(payload)

    def write(self, data: bytes) -> None:
        """Send one packet."""
        if self._poll is None or self._cuts("in", len(data)):
            return
        self.packets_out += 1
        self.function.send_packet(data)
        self._flush()

    def cut_after(self, count: int) -> None:
        """Pull the cable in the middle of the packet in which byte ``count`` is sent."""
        self._cut = ("in", "bytes", count)

    def counters(self) -> dict[str, int]:
        """Packets in and out, halts cleared, hosts that made no sense, times plugged in."""
        return {
            "packets_in": self.packets_in,
            "packets_out": self.packets_out,
            "halts_cleared": self.function.halts_cleared,
            "bad_hosts": self.bad_hosts,
            "hosts": len(self._hosts),
            "plugs": self.plugs,
        }

    # ---- verbs of the hands -------------------------------------------------------------------

    def do_unplug(
        self, after_bytes: int | None = None, after_packets: int | None = None, way: str = "in"
    ) -> dict[str, Any]:
        """Pull the cable, now or in the middle of a transfer: of the packet that comes after so
        many more have gone that way (``in`` to the host, ``out`` to the unit)."""
        if way not in ("in", "out"):
            raise ValueError("a packet goes in (to the host) or out (to the unit)")
        if after_packets is not None:
            self._cut = (way, "packets", after_packets)
        elif after_bytes is not None:
            self.cut_after(after_bytes)
        else:
            self.unplug()
        return {}

    def do_stall(self, endpoint: str = "both") -> dict[str, Any]:
        """Halt an endpoint, ``in`` or ``out``, or ``both``, until the host clears the halt."""
        if endpoint not in ENDPOINTS:
            raise ValueError(f"an endpoint is one of {', '.join(ENDPOINTS)}")
        self.function.stall(*ENDPOINTS[endpoint])
        self._flush()
        return {"halted": sorted(self.function.halted)}

    def do_packet(self, hex: str) -> dict[str, Any]:  # noqa: A002 - what it is
        """Send these bytes as one packet; more than 64 are a babble to the host."""
        self.write(bytes.fromhex(hex))
        return {}

    def do_silent(self, *, on: bool = True) -> dict[str, Any]:
        """Complete no transfer: they all time out, until ``on=False``."""
        self.function.silent = on
        if not on:
            for _, seat in self._hosts.values():
                seat.retry()
            self.function.flush()
            self._flush()
        return {}

    def do_foreign(self, *, on: bool = True) -> dict[str, Any]:
        """Be somebody else's device with the same numbers, from the next plugging in."""
        self.function.foreign = on
        return {}

    def do_noise(self, **_: Any) -> dict[str, Any]:
        """Refused: what is damaged on a USB cable is sent again by the bus itself."""
        raise ValueError("a USB packet arrives whole or not at all")

    # ---- inside -------------------------------------------------------------------------------

    def _attach(self, poll: select.epoll) -> None:
        """Appear; ``OSError`` when it cannot."""
        raise NotImplementedError

    def _detach(self) -> None:
        """Vanish from where hosts look."""

    def _accept(self) -> None:
        """A host comes."""

    def _greet(self, host: socket.socket) -> None:
        host.setblocking(False)
        self._hosts[host.fileno()] = (host, Seat(self.function))
        assert self._poll
        self._poll.register(host.fileno(), select.EPOLLIN)

    def _serve(self, fd: int) -> None:
        host, seat = self._hosts[fd]
        try:
            data = host.recv(READ_BYTES)
        except BlockingIOError:
            return  # it can be written to again
        except OSError:
            data = b""
        if not data:
            self._lost(fd)
            return
        try:
            seat.receive(data)
        except ProtocolError:
            self.bad_hosts += 1
            self._lost(fd)

    def _lost(self, fd: int) -> None:
        """A host is gone."""
        self._forget(fd)

    def _forget(self, fd: int) -> None:
        host, seat = self._hosts.pop(fd)
        self.function.leave(seat)
        host.close()

    def _flush(self) -> None:
        for fd, (host, seat) in list(self._hosts.items()):
            if not seat.outgoing:
                continue
            try:
                del seat.outgoing[: host.send(seat.outgoing)]
            except BlockingIOError:
                pass
            except OSError:
                self._lost(fd)
                continue
            if len(seat.outgoing) > MOST_UNREAD_BYTES:
                self._lost(fd)
            elif self._poll:
                wanted = select.EPOLLIN | (select.EPOLLOUT if seat.outgoing else 0)
                self._poll.modify(fd, wanted)

    def _takes(self, packet: bytes) -> bool:
        if self._poll is None or self._cuts("out", len(packet)):
            return False
        self.packets_in += 1
        self._taken.append(packet)
        return True

    def _cuts(self, way: str, size: int) -> bool:
        """Whether the cable is pulled in the middle of this packet."""
        if self._cut is None or self._cut[0] != way:
            return False
        _, unit, left = self._cut
        ends = left <= 0 if unit == "packets" else size >= left
        self._cut = None if ends else (way, unit, left - (1 if unit == "packets" else size))
        if ends:
            self.unplug()
        return ends
