"""A line between a device and the daemon: it delays, damages, loses what is under way, hangs up.

One object is both ends: a :class:`simulators.lines.line.Line` for the twin, and through
:class:`VirtualCarrier` a :class:`drivers.carriers.base.Carrier` for the daemon. A framed line
carries bytes as an adapter delivers them, in portions of its own; an unframed one (USB) packets,
which arrive whole or, when the plug is pulled, not at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from drivers.carriers.base import Backoff, CarrierListener
from drivers.table_link.framing import Deframer, encode_frame
from hil_tests.virtual_time.world import VirtualLoop, World
from simulators.lines.line import QUIET, Noise, damaged

BYTE_S = 10 / 115_200
ADAPTER_S = (0.0002, 0.003)
"""How long an adapter keeps a portion before it passes it on."""
NOTICED_S = 0.002
"""A hang-up reaches the daemon so much later."""
SPLIT_ONE_IN = 8


class VirtualLine:
    """The device's end; ``arrived`` is called when something has come for the device."""

    def __init__(self, world: World, name: str, source: random.Random, *, framed: bool) -> None:
        self.noise: Noise = QUIET
        self.framed = framed
        self.fd = -1
        self.port: str | None = None
        self.arrived: Callable[[], None] = lambda: None
        self._world = world
        self._name = name
        self._random = source
        self._deframer = Deframer()
        self._inbox: list[bytes] = []
        self._carrier: VirtualCarrier | None = None
        self._plugs = 0
        self._free_at = {True: 0.0, False: 0.0}
        self._cut_after: int | None = None

    # ---- the device's end: simulators.lines.line.Line ------------------------------------------

    def plug(self) -> None:
        """Plug it in; the daemon finds it at its next attempt."""
        if self.fd < 0:
            self._plugs += 1
            self.fd, self.port = 0, f"{self._name}.{self._plugs}"
            self._cut_after = None
            self._deframer.clear()
            self._inbox.clear()

    def unplug(self) -> None:
        """Pull it: what is under way is lost."""
        if self.fd < 0:
            return
        self.fd, self.port = -1, None
        carrier, self._carrier = self._carrier, None
        if carrier is not None:
            carrier.hang_up_soon()

    def cut_after(self, count: int) -> None:
        """Pull it after that number of further bytes."""
        self._cut_after = count

    def receive(self) -> list[bytes]:
        """The payloads that have arrived."""
        inbox, self._inbox = self._inbox, []
        if not self.framed:
            return inbox
        return [payload for data in inbox for payload in self._deframer.feed(data)]

    def send(self, payloads: list[bytes]) -> None:
        """Send payloads to the daemon."""
        for data in [b"".join(map(encode_frame, payloads))] if self.framed else payloads:
            self.write(data)

    def write(self, data: bytes) -> None:
        """Send bytes; nobody there: they are lost."""
        carrier = self._carrier
        if self.fd < 0 or not data:
            return
        cut = self._cut_after is not None and len(data) >= self._cut_after
        if cut:
            data = data[: self._cut_after] if self.framed else b""
        elif self._cut_after is not None:
            self._cut_after -= len(data)
        if carrier is not None and data:
            plugs = self._plugs

            def arrives(part: bytes) -> None:
                if self._plugs == plugs and self.fd >= 0:
                    carrier.received(part)

            self._carry(data, True, carrier.loop, arrives)
        if cut:
            self.unplug()

    def counters(self) -> dict[str, int]:
        """What was too damaged to be read."""
        return {"bad_frames": self._deframer.bad_frames, "noise": self._deframer.noise}

    # ---- the daemon's end ---------------------------------------------------------------------

    def attach(self, carrier: VirtualCarrier) -> bool:
        """A life of the daemon opens the port; whether it is there."""
        if self.fd < 0:
            return False
        self._carrier = carrier
        return True

    def detach(self, carrier: VirtualCarrier | None = None) -> None:
        """That life has closed it, or whichever had it open is over."""
        if carrier in (None, self._carrier):
            self._carrier = None

    def carry_in(self, data: bytes, carrier: VirtualCarrier) -> None:
        """The daemon sends."""
        plugs = self._plugs

        def arrives(part: bytes) -> None:
            if self.fd >= 0 and self._plugs == plugs:
                self._inbox.append(part)
                self.arrived()

        if self._carrier is carrier:
            self._carry(data, False, self._world.outer, arrives)

    def _carry(
        self, data: bytes, outward: bool, loop: VirtualLoop, arrives: Callable[[bytes], None]
    ) -> None:
        """Let bytes arrive in order, each portion when the line has passed it on."""
        if self.framed and (self.noise.outward if outward else self.noise.inward):
            data = damaged(data, self.noise, self._random)
        parts = [data]
        if self.framed and len(data) > 1 and self._random.randrange(SPLIT_ONE_IN) == 0:
            where = self._random.randrange(1, len(data))
            parts = [data[:where], data[where:]]
        for part in parts:
            took_s = len(part) * BYTE_S if self.framed else 0.0
            begin = max(self._free_at[outward], self._world.now)
            at = begin + took_s + self._random.uniform(*ADAPTER_S)
            self._free_at[outward] = at
            loop.call_at(at, arrives, part)


class VirtualCarrier:
    """The daemon's end in one of its lives. ``sending`` is called before anything leaves: where a
    life may end."""

    def __init__(
        self,
        loop: VirtualLoop,
        line: VirtualLine,
        listener: CarrierListener,
        sending: Callable[[], None],
    ) -> None:
        self.loop = loop
        self._line = line
        self._listener = listener
        self._sending = sending
        self._backoff = Backoff()
        self._open = False
        self._closed = False
        self.errno: int | None = None

    def start(self) -> None:
        """Open the port, or try again with backoff, as the real carriers do."""
        if self._closed or self._open:
            return
        if not self._line.attach(self):
            self._reconnect_later("the port is not there")
            return
        self._open = True
        if self._line.framed:
            self.send(b"\x00")
        self._listener.carrier_opened()

    def send(self, data: bytes) -> None:
        """Let it leave."""
        if self._open:
            self._sending()
            self._line.carry_in(data, self)

    def received(self, data: bytes) -> None:
        """Something arrives."""
        if self._open:
            self._backoff.reset()
            self._listener.carrier_received(data)

    def hang_up_soon(self) -> None:
        """The plug was pulled."""
        self.loop.call_later(NOTICED_S, self.restart, "the port has hung up")

    def restart(self, reason: str) -> None:
        """Give the port up and open it again after the backoff's delay."""
        if self._open:
            self._open = False
            self._line.detach(self)
            self._reconnect_later(reason)

    def recheck(self) -> None:
        """A line keeps its name here."""

    def statistics(self) -> Mapping[str, int]:
        """Nothing is counted."""
        return {}

    async def close(self) -> None:
        """Close it for good."""
        self._closed = True
        self._open = False
        self._line.detach(self)

    def _reconnect_later(self, reason: str) -> None:
        if not self._closed:
            self.loop.call_later(self._backoff.next_s(), self.start)
        self._listener.carrier_closed(reason)
