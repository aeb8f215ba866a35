"""What a bench is: four devices and a controller on real links, with a hand at every one of them.

Scenarios know nothing else, so that the same scenario runs where the devices are simulated
(:mod:`hil_tests.pty_bench`), behind emulated ports of a virtual machine, or real with a robot's
finger on them. Whatever a bench is, its devices can be looked at and handled, their cables pulled,
and the controller killed at any instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from controller.control.client import ControlClient

Json = dict[str, Any]

MBS = "mbs-pontoon-pandemonium-v5"
RWS = "rws-pontoon-pandemonium-v4"
PLUS = "rws-pontoon-plus-v5"
DIVISION_15 = "division-15-pontoon"
TRICK = "pontoon-five-card-trick"
DOCUMENTS = (RWS, PLUS, MBS, DIVISION_15, TRICK)

WEIGHTS: Mapping[int, int] = {100: 4, 50: 8, 25: 20, 20: 20, 10: 24, 5: 12, 3: 7, 2: 5}
"""An example; no document gives them."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The table that a bench is to be: what its configuration says, and its devices' options."""

    rules: str = MBS
    table: str = "P12"
    decks: int = 8
    boxes: int = 7
    limits: tuple[int, int] = (10, 5000)
    side_limits: tuple[int, int] | None = (1, 500)
    increment: float = 1
    spin_ms: int = 20
    weights: Mapping[int, int] = field(default_factory=lambda: dict(WEIGHTS))
    seed: int = 1
    devices: tuple[str, ...] = ("shoe", "shuffler", "jackpot", "keypad")
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def setup_for(rules: str, **more: Any) -> Setup:
    """A table as the document needs it: no jackpot unit where there is no Pandemonium wager, no
    limits of side wagers where there are none, tens where the game has them."""
    needed: Json = {"rules": rules}
    if rules not in (MBS, RWS):
        needed |= {"weights": {}, "devices": ("shoe", "shuffler", "keypad")}
    if rules in (DIVISION_15, TRICK):
        needed["side_limits"] = None
    if rules == TRICK:
        needed["options"] = {"shoe": ("--tens",), "shuffler": ("--count", "416")}
    return Setup(**(more | needed))


class Device(Protocol):
    """A device and the person at it; :class:`simulators.hands.Hands` is one."""

    def do(self, verb: str, **arguments: Any) -> Json:
        """Handle it."""

    def look(self) -> Json:
        """Its physical state."""

    def wait_for(
        self, predicate: Callable[[Json], object], timeout: float = 5.0, what: str = ""
    ) -> Json:
        """Its state once the predicate holds; ``TimeoutError`` when it does not in time."""


class Bench(Protocol):
    """A table on a bench."""

    setup: Setup

    @property
    def devices(self) -> Mapping[str, Device]:
        """The devices by the names of the configuration."""

    @property
    def state_directory(self) -> Path:
        """Where the controller keeps its journal, to be read when it is stopped."""

    @property
    def control(self) -> ControlClient:
        """A connection to the running controller, made anew after each of its starts."""

    def connect(self) -> ControlClient:
        """A further connection to it; the caller closes it."""

    def start_controller(self) -> None:
        """Start the controller; returns when it is ready to answer."""

    def kill_controller(self) -> None:
        """End it between any two instructions, as a loss of power does."""

    def reboot(self) -> None:
        """The box loses its power and starts again: a new boot. Its devices keep theirs."""

    def stop_controller(self) -> int:
        """Let it end in good order; its exit status."""
