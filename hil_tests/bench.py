"""What a bench is: four devices and a controller on real links, with a hand at every one of them.

Scenarios know nothing else, so that the same scenario runs where the devices are simulated
(:mod:`hil_tests.virtual.bench`), behind the adapters of a virtual machine, or real with a person at
them. Whatever a bench is, its devices can be looked at and handled, their cables pulled, and the
controller's box loses its power. What only some benches can, a scenario says that it needs
(:data:`hil_tests.rig.description.CAPABILITIES`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from types import TracebackType
from typing import Any, Protocol

from controller.control.client import ControlClient
from drivers.vocabulary import KINDS

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
    devices: tuple[str, ...] = tuple(KINDS.values())
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Of the devices that are not named after theirs."""
    unit_serial: str = ""
    """Of the jackpot unit on USB, where it is configured by it; "": any unit of its kind."""
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


class CannotError(Exception):
    """This bench cannot do that; a scenario that wants it says so (``needs_bench``)."""


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
    """A table on a bench; a context manager that leaves nothing behind."""

    setup: Setup

    # ---- devices ------------------------------------------------------------------------------

    @property
    def devices(self) -> Mapping[str, Device]:
        """The devices that are there, by the names of the configuration."""

    def add_device(self, name: str, *options: str, kind: str | None = None) -> Device:
        """Put a device on its line and plug it in; ``options`` as ``python -m simulators`` takes
        them. ``kind`` other than its name puts a wrong one there."""

    def remove_device(self, name: str) -> None:
        """Take it off its line and away."""

    def kill_device(self, name: str) -> None:
        """Its power fails; it comes back, with its memory, with :meth:`add_device`."""

    # ---- the controller -----------------------------------------------------------------------

    @property
    def control(self) -> ControlClient:
        """A connection to the running controller, made anew after each of its starts."""

    def connect(self) -> ControlClient:
        """A further connection to it; the caller closes it."""

    def hang_up(self) -> None:
        """Close :attr:`control`: the controller lets nobody hold a connection for nothing."""

    def tablectl(self, *arguments: str) -> CompletedProcess[str]:
        """Run the technician's command on the controller's box, for this table."""

    @property
    def state_directory(self) -> Path:
        """Where the controller keeps its journal, or a copy of that, to be read when it is
        stopped."""

    def start_controller(self) -> None:
        """Start the controller; returns when it is ready to answer."""

    def stop_controller(self) -> int:
        """Let it end in good order; its exit status."""

    def kill_controller(self) -> None:
        """End it between any two instructions."""

    def reboot(self) -> None:
        """The box loses its power and starts again: a new boot. Its devices keep theirs."""

    # ---- what only some benches can -----------------------------------------------------------

    def step_clock(self, seconds: float) -> None:
        """Set the box's wall clock on, or back (``clock``)."""

    def freeze(self) -> None:
        """The whole box stands still (``freeze``)."""

    def thaw(self) -> None:
        """It goes on."""

    def hang_controller(self) -> None:
        """The controller stands still, the box does not (``watchdog``)."""

    def swap_ports(self, one: str, other: str) -> None:
        """Exchange the adapters of two devices between their sockets (``swap-ports``)."""

    # ---- for the report -----------------------------------------------------------------------

    @property
    def captures(self) -> Mapping[str, Path]:
        """By device: the file in which its traffic is captured now (docs/captures.md); none where
        nothing is."""

    @property
    def facts(self) -> Mapping[str, str]:
        """What the bench is made of: versions of its kernel, its libraries, its machine."""

    def __enter__(self) -> Bench:
        """Every device is plugged in and the controller started."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Everything ends; what the controller complained of fails the test."""
