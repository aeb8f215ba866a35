"""The table that a bench is set up as: its rule document, limits, devices and their options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

MBS = "mbs-pontoon-pandemonium-v5"
RWS = "rws-pontoon-pandemonium-v4"
PLUS = "rws-pontoon-plus-v5"
DIVISION_15 = "division-15-pontoon"
TRICK = "pontoon-five-card-trick"
DOCUMENTS = (RWS, PLUS, MBS, DIVISION_15, TRICK)

WEIGHTS: Mapping[int, int] = {100: 4, 50: 8, 25: 20, 20: 20, 10: 24, 5: 12, 3: 7, 2: 5}
"""An example; no document gives them."""


DEVICES: Final = ("shoe", "shuffler", "jackpot", "keypad")
"""The devices of a table that has all that play may need."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The table that a bench is to be: what its configuration says, and its devices' options."""

    rules: str = MBS
    table: str = "P12"
    decks: int = 8
    boxes: int = 7
    limits: tuple[int, int] = (10, 5000)
    side_limits: tuple[int, int] | None = (1, 500)
    box_limits: Mapping[str, float] = field(default_factory=dict)
    """``box_max`` and ``player_max``, where the configuration is to give them."""
    increment: float = 1
    spin_ms: int = 20
    weights: Mapping[int, int] = field(default_factory=lambda: dict(WEIGHTS))
    seed: int = 1
    devices: tuple[str, ...] = DEVICES
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Of the devices that are not named after theirs."""
    unit_serial: str = ""
    """Of the jackpot unit on USB, where it is configured by it; "": any unit of its kind."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def setup_for(rules: str, **more: Any) -> Setup:
    """A table as the document needs it: no jackpot unit where there is no Pandemonium wager, no
    limits of side wagers where there are none, tens where the game has them."""
    needed: dict[str, Any] = {"rules": rules}
    if rules not in (MBS, RWS):
        needed |= {"weights": {}, "devices": ("shoe", "shuffler", "keypad")}
    if rules in (DIVISION_15, TRICK):
        needed["side_limits"] = None
    if rules == TRICK:
        needed["options"] = {"shoe": ("--tens",), "shuffler": ("--count", "416")}
    return Setup(**(more | needed))
