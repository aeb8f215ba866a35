"""What a technician asks of a running controller's devices; the daemon does it.

All of it is the supervisor's: a self-test has the device do something, and its traffic shows cards
that are face down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from controller.control.peers import Peer


class Capture(Protocol):
    """The traffic of a device's line since it was asked for; bounded, so it may have gaps."""

    def take(self) -> Mapping[str, Any]:
        """What has come since the last time, as plain JSON values; ``more`` when some is left."""

    def close(self) -> None:
        """It is not wanted any more."""


class Technician(Protocol):
    """What the daemon does; errors as in :class:`controller.control.server.Handler`."""

    def links(self) -> Mapping[str, Mapping[str, int]]:
        """The counters of every device's link since the start."""

    async def self_test(self, device: str, who: Peer) -> Mapping[str, Any]:
        """Have a device test itself; what came of it.

        Raises:
            Refusal: not now. BadCommand: there is no such device.
        """

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> Capture:
        """Have a device's traffic kept from now on, ``changed`` called in the loop when there is
        some.

        Raises:
            Refusal: its driver cannot show it. BadCommand: there is no such device.
        """
