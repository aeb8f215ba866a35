"""The USB carrier: one unit, kept open by name, with threads because libusb's calls block.

- One thread for each unit finds it, opens it and reads packets; while it is open a second one
  writes from a queue, because the first stands in a read when the meter is to be commanded: a SHOW
  must not wait for a PRESS. Both hand over to the loop by ``call_soon_threadsafe``, in order.
- A read returns after 0.25 s at the latest to see whether it is still wanted, so that closing is
  quick; answered PINGs wake it about as often anyway.
- Each opening has a queue of its own: what was meant for an unplugged unit never reaches the next.
- After a stall both halts are cleared and the unit counts as opened again: HELLO (section 2).
- A unit just unplugged may still be listed for a moment: that is one more failed attempt.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import queue
import threading
from collections.abc import Callable, Mapping

import usb.core

from drivers.api import DriverError, OtherUnitError
from drivers.carriers.base import Backoff, UnitListener
from drivers.carriers.usb_context import PYUSB_ERRORS
from drivers.carriers.usb_unit import UsbUnit, explain, open_unit

READ_S = 0.25
WRITE_S = 0.5
CLOSE_S = 3.0
MAX_PAYLOAD_BYTES = 56
MAX_PENDING_PACKETS = 64
COUNTED = (
    "opened",
    "open_failed",
    "lost",
    "stalls",
    "overrun",
    "empty",
    "over_long",
    "packets_in",
    "packets_out",
    "write_timeouts",
)


class _Opening:
    """One time that the unit is open: its queue and the reason for which it shall end."""

    def __init__(self, unit: UsbUnit) -> None:
        self.unit = unit
        self.outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.end: str | None = None
        self.stalled = False


class UsbCarrier:
    """One USB unit as a :class:`drivers.carriers.base.Carrier`; ``wanted`` as configured."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, wanted: str, listener: UnitListener
    ) -> None:
        self._loop = loop
        self._wanted = wanted
        self._listener = listener
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._ended = asyncio.Event()
        self._opening: _Opening | None = None
        self._other = ""
        self._starting = Backoff()
        self.errno: int | None = None
        self._counts = dict.fromkeys(COUNTED, 0)

    # In the loop's thread

    def start(self) -> None:
        """Begin to look for the unit."""
        if self._thread is not None or self._stop.is_set():
            return
        thread = threading.Thread(target=self._keep_open, name=f"usb {self._wanted}", daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError) as error:
            self._listener.carrier_closed(f"USB unit {self._wanted}: no thread for it ({error})")
            self._loop.call_later(self._starting.next_s(), self.start)
        else:
            self._thread = thread

    def send(self, data: bytes) -> None:
        """Queue one packet for the writing thread."""
        opening = self._opening
        if opening is None:
            return
        if opening.outgoing.qsize() >= MAX_PENDING_PACKETS:
            self._counts["overrun"] += 1
            self.restart(f"USB unit {self._wanted} does not take what is sent to it")
            return
        opening.outgoing.put(data)

    def restart(self, reason: str) -> None:
        """Give the unit up; its thread opens it again after the backoff's delay."""
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.end = reason
            self._listener.carrier_closed(reason)

    def recheck(self) -> None:
        """Nothing: an open unit is the one that was opened, and unplugging it shows."""

    def statistics(self) -> Mapping[str, int]:
        """Counters by the names of ``COUNTED``; each is counted in one thread only."""
        return dict(self._counts)

    async def close(self) -> None:
        """End the threads; at most as long as a read or a write may take."""
        self._opening = None
        self._stop.set()
        if self._thread is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._ended.wait()
            self._thread.join()

    def _opened(self, opening: _Opening) -> None:
        if not self._stop.is_set() and opening.end is None:
            self._opening, self._other = opening, ""
            self._listener.carrier_opened()

    def _lost(self, opening: _Opening | None, reason: str) -> None:
        if not self._stop.is_set() and self._opening is opening:
            self._opening, self._other = None, ""
            self._listener.carrier_closed(reason)

    def _other_unit(self, reason: str) -> None:
        if not self._stop.is_set() and self._opening is None and reason != self._other:
            self._other = reason
            self._listener.other_unit(reason)

    def _received(self, opening: _Opening, packet: bytes) -> None:
        if self._opening is opening:
            self._listener.carrier_received(packet)

    # In the unit's threads

    def _keep_open(self) -> None:
        backoff = Backoff()
        while not self._stop.is_set():
            try:
                unit = open_unit(self._wanted)
            except OtherUnitError as error:
                self._counts["open_failed"] += 1
                self._call_in_loop(self._other_unit, str(error))
            except DriverError as error:
                self._counts["open_failed"] += 1
                self.errno = error.errno
                self._call_in_loop(self._lost, None, str(error))
            else:
                self._use(_Opening(unit), backoff)
            self._stop.wait(backoff.next_s())
        self._call_in_loop(self._ended.set)

    def _use(self, opening: _Opening, backoff: Backoff) -> None:
        self._counts["opened"] += 1
        self.errno = None
        writer = threading.Thread(
            target=self._write, args=(opening,), name=f"usb {self._wanted} out", daemon=True
        )
        try:
            writer.start()
            self._call_in_loop(self._opened, opening)
            while not self._stop.is_set() and opening.end is None:
                self._read_packet(opening, backoff)
            reason = opening.end or ""
        except PYUSB_ERRORS as error:  # whatever it is: this thread must be there for the next unit
            reason = self._explained(error)
        except (RuntimeError, MemoryError) as error:
            reason = f"USB unit {self._wanted}: no thread that writes to it ({error})"
        opening.end = reason
        opening.outgoing.put(None)
        if writer.ident is not None:
            writer.join()
        opening.unit.close()
        if not self._stop.is_set():
            self._counts["lost"] += 1
            self._call_in_loop(self._lost, opening if writer.ident is not None else None, reason)

    def _read_packet(self, opening: _Opening, backoff: Backoff) -> None:
        try:
            packet = opening.unit.read_packet(READ_S)
        except usb.core.USBTimeoutError:
            packet = None
        except usb.core.USBError as error:
            if error.errno == errno.EOVERFLOW:
                self._counts["over_long"] += 1
                return
            if error.errno != errno.EPIPE:
                raise
            opening.stalled = True
            packet = None
        if opening.stalled:
            self._clear(opening, backoff)
        elif packet is not None:
            self._receive_packet(opening, packet)
            backoff.reset()

    def _receive_packet(self, opening: _Opening, packet: bytes) -> None:
        if not packet:
            self._counts["empty"] += 1
        elif len(packet) > MAX_PAYLOAD_BYTES:
            self._counts["over_long"] += 1
        else:
            self._counts["packets_in"] += 1
            self._call_in_loop(self._received, opening, packet)

    def _clear(self, opening: _Opening, backoff: Backoff) -> None:
        self._counts["stalls"] += 1
        if self._stop.wait(backoff.next_s()):  # one that stalls for ever must not be a busy loop
            return
        opening.unit.clear_halts()
        opening.stalled = False
        self._call_in_loop(self._opened, opening)

    def _write(self, opening: _Opening) -> None:
        while (packet := opening.outgoing.get()) is not None and opening.end is None:
            if opening.stalled:
                continue
            try:
                opening.unit.write(packet, WRITE_S)
                self._counts["packets_out"] += 1
            except usb.core.USBTimeoutError:
                self._counts["write_timeouts"] += 1
            except PYUSB_ERRORS as error:
                if getattr(error, "errno", None) != errno.EPIPE:
                    opening.end = self._explained(error)
                    return
                opening.stalled = True

    def _explained(self, error: BaseException) -> str:
        told = explain(self._wanted, error)
        self.errno = told.errno
        return str(told)

    def _call_in_loop(self, what: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody wants to know
            self._loop.call_soon_threadsafe(what, *arguments)
