"""One host that sees a unit, as the unit has it: usbredir bytes in, usbredir bytes out.

A transfer that the unit does not complete stays open until it does or the host cancels it; one that
is completed cannot be cancelled any more.
"""

from __future__ import annotations

import dataclasses

from simulators.usb.descriptors import CONNECT, ENDPOINTS, INTERFACES
from simulators.usb.function import Function
from simulators.usb.packets import (
    CANCELLED,
    SUCCESS,
    CancelData,
    Control,
    Interrupt,
    Packet,
    ReceivingStatus,
    StartReceiving,
)
from simulators.usb.stream import Stream


class Seat:
    """A connection's state; what is to be sent is in :attr:`outgoing`."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._stream = Stream("table-link twin")
        self._announced = False
        self._open: dict[int, Packet] = {}
        self.outgoing = bytearray(self._stream.hello())

    def receive(self, data: bytes) -> None:
        """Answer what has come; raises :class:`simulators.usb.packets.ProtocolError`."""
        packets = self._stream.feed(data)
        if self._stream.greeted and not self._announced:
            self._announced = True
            for announced in (INTERFACES, ENDPOINTS, CONNECT):
                self.send(0, announced)
        for number, packet in packets:
            if isinstance(packet, CancelData):
                self._cancel(number)
            else:
                self._take_packet(number, packet)
        self._function.flush()

    def retry(self) -> None:
        """Try again what the unit has not completed."""
        for number, packet in list(self._open.items()):
            del self._open[number]
            self._take_packet(number, packet)

    def send(self, number: int, packet: Packet) -> None:
        """Put a packet on the way."""
        self.outgoing += self._stream.encode(number, packet)

    def _take_packet(self, number: int, packet: Packet) -> None:
        answer = self._function.answer(self, packet)
        if answer is not None:
            self.send(number, answer)
            if isinstance(packet, StartReceiving) and answer == ReceivingStatus(
                SUCCESS, packet.endpoint
            ):
                self._function.reading()
        elif isinstance(packet, Control | Interrupt):
            self._open[number] = packet

    def _cancel(self, number: int) -> None:
        packet = self._open.pop(number, None)
        if isinstance(packet, Control | Interrupt):
            ended = dataclasses.replace(packet, status=CANCELLED, length=0, data=b"")
            self.send(number, ended)
