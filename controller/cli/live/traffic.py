"""A device's traffic in words, as a screen keeps it: the last lines, and how many were missed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from controller.cli.devices.capture import seen_in_words
from controller.cli.live.known_table import SeenTable, ToldRound
from controller.cli.live.spans import Line, span
from controller.control.technician import Portion
from controller.forms.json_values import checked

KEPT: Final = 1000
CALM: Final = ("PING", "PING answer")


class TrafficWindow:
    """The last :data:`KEPT` lines. ``calm`` leaves out the PINGs that tell that nothing is up."""

    def __init__(self) -> None:
        self._lines: deque[tuple[str, bool]] = deque(maxlen=KEPT)
        self._began_ns: int | None = None
        self.calm = False
        self.trouble = ""

    def add_portion(self, portion: Portion) -> None:
        """Take what has come."""
        head = portion.get("head")
        if head is not None:
            self._began_ns = checked(int, head.get("began_ns"), "began_ns")
        for one in portion.get("lines", []):
            at_s = (checked(int, one.get("at_ns"), "at_ns") - (self._began_ns or 0)) / 1e9
            self._lines.append((f"{at_s:9.3f} {seen_in_words(one)}", one.get("message") in CALM))
        if missed := portion.get("dropped"):
            self._lines.append((f"  {missed} messages not captured: they came too fast", False))

    def last_lines(self, most: int) -> list[Line]:
        """The last ``most`` lines, the newest at the bottom."""
        kept = [text for text, calm in self._lines if not (calm and self.calm)]
        lines: list[Line] = [(span(f"  {text}"),) for text in kept[-most:]] if most > 0 else []
        if self.trouble:
            lines = [*lines[-(most - 1) :], (span(f"  {self.trouble}", "alarm"),)]
        return lines


class Source(Protocol):
    """Where what is seen comes from."""

    async def feed_view(self) -> None:
        """Feed until cancelled."""

    def observe(self) -> SeenTable:
        """What is known now."""

    async def round(self, number: str) -> ToldRound:
        """A round (``last``, or its number)."""

    async def traffic(self, device: str, into: TrafficWindow, changed: Callable[[], None]) -> None:
        """Have the traffic of a device taken until cancelled."""
