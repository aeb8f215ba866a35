"""A display: a meter without a button, which answers HELLO as a jackpot unit.

It shows what it is told to, and knows nothing of offers to press: ARM and DISARM are commands that
it does not know.
"""

from __future__ import annotations

from typing import Any

from simulators.jackpot import Jackpot
from simulators.model import UNKNOWN_TYPE, Body, Fields, NakError


class Display(Jackpot):
    """The meter of a jackpot unit."""

    def __init__(self, body: Body) -> None:
        super().__init__(body)

    def on_arm(self, _: Fields) -> Fields:
        """ARM: there is no button."""
        raise NakError(UNKNOWN_TYPE)

    def on_disarm(self, _: Fields) -> Fields:
        """DISARM: there is no button."""
        raise NakError(UNKNOWN_TYPE)

    def do_hold(self) -> dict[str, Any]:
        """Nobody can press it."""
        raise ValueError("a display has no button")
