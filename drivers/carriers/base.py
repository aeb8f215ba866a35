"""What a carrier is: something that keeps one port open and moves bytes through it.

Rules that hold for every carrier:

- Everything is called in the event loop's thread, also what a reader thread found; or in its
  place, while it stands still (:mod:`drivers.api`).
- A carrier opens its port by itself, says so, and opens it again after every loss, with backoff:
  0.1 s doubling to 2 s. It never busy-waits and never gives up.
- ``carrier_closed`` is told after every loss and after every failed attempt, each time with the
  reason in plain words; who listens decides what is news.
- A carrier knows nothing of what it carries. It may lose, damage or repeat data; it does not
  reorder (protocol section 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

FIRST_DELAY_S = 0.1
LONGEST_DELAY_S = 2.0


class CarrierListener(Protocol):
    """Who uses a carrier."""

    def carrier_opened(self) -> None:
        """The port is open; what was buffered in it before is gone."""

    def carrier_closed(self, reason: str) -> None:
        """The port was lost, or could not be opened; it is tried again without being asked."""

    def carrier_received(self, data: bytes) -> None:
        """Bytes as they came (serial: any portion of the stream; USB: exactly one packet)."""


class UnitListener(CarrierListener, Protocol):
    """Who uses a carrier that finds its unit by what it says of itself."""

    def other_unit(self, reason: str) -> None:
        """The port is not open, and what is plugged in is not used; ``reason`` names it. Told once
        for as long as it is so, where ``carrier_closed`` would be called repeatedly."""


class Carrier(Protocol):
    """A port that keeps itself open. ``errno`` is the system's number for the last loss, or for the
    last attempt that failed; None where it had none, and while the port is open."""

    errno: int | None

    def start(self) -> None:
        """Open the port now; at a failure say so and try again with backoff."""

    def send(self, data: bytes) -> None:
        """Write, without ever waiting. Silently nothing while the port is closed.

        USB: ``data`` is one packet.
        """

    def restart(self, reason: str) -> None:
        """Give the port up for ``reason`` and open it again, with backoff."""

    def recheck(self) -> None:
        """The device has gone silent: see whether the open port is still the one configured."""

    def statistics(self) -> Mapping[str, int]:
        """Counters since the start."""

    async def close(self) -> None:
        """Close the port finally; the listener is not called afterwards."""


class Backoff:
    """How long to wait before the next attempt: 0.1 s, doubling to 2 s.

    ``reset`` belongs to the first sign of life, not to a successful open: a port that opens and
    fails at once would otherwise be tried ten times a second for ever.
    """

    def __init__(self) -> None:
        self._next_s = FIRST_DELAY_S

    def reset(self) -> None:
        """Start over at the shortest delay."""
        self._next_s = FIRST_DELAY_S

    def next_s(self) -> float:
        """The delay before the coming attempt, in seconds."""
        delay_s = self._next_s
        self._next_s = min(delay_s * 2, LONGEST_DELAY_S)
        return delay_s
