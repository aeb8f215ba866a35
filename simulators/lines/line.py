"""What a simulated device is plugged in by, whatever it is made of."""

from __future__ import annotations

from typing import Protocol

from simulators.lines.noise import Noise


class Line(Protocol):
    """What a twin is plugged in by: serial, :mod:`simulators.lines.serial_line`, or USB,
    :mod:`simulators.usb.line`. A verb of the hands that only it can do is its ``do_VERB``."""

    noise: Noise

    @property
    def fd(self) -> int:
        """-1 while unplugged."""

    @property
    def port(self) -> str | None:
        """The name under which it is to be found now."""

    def plug(self) -> None:
        """Plug it in."""

    def unplug(self) -> None:
        """Pull it."""

    def cut_after(self, count: int) -> None:
        """Pull it after that number of further bytes; a packet goes whole or not at all."""

    def receive(self) -> list[bytes]:
        """The payloads that have arrived."""

    def send(self, payloads: list[bytes]) -> None:
        """Send payloads."""

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""

    def counters(self) -> dict[str, int]:
        """What has gone through."""
