"""The devices at a machine: twins, each a process of its own, plugged in by the machine's sockets.

They have their own power: a machine that loses its power leaves them with nobody at the other end
of the cable, and finds them when it is back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hil_tests.bench.interface import Json
from hil_tests.bench.setup import Setup
from hil_tests.bench.simulated_device import SimulatedDevice
from hil_tests.benches.vm.machine import UNITS

UNPLUGGED_S = 10.0


class Twin(SimulatedDevice):
    """A device whose plug stays where somebody has put it, whatever becomes of the machine."""

    in_socket = True

    def do(self, verb: str, **arguments: Any) -> Json:
        """Handle it; see :meth:`hil_tests.bench.simulated_device.SimulatedDevice.do`."""
        if verb in ("plug", "unplug"):
            self.in_socket = verb == "plug"
        return super().do(verb, **arguments)


class Twins:
    """The devices of a table so set up; their memories are kept in ``folder``, and what goes over
    their lines where that is ``captured``."""

    def __init__(self, setup: Setup, folder: Path, *, captured: bool) -> None:
        self.there: dict[str, Twin] = {}
        self.captures: dict[str, Path] = {}
        self._setup = setup
        self._folder = folder
        self._captured = captured

    def add(self, name: str, socket: Path, *options: str, kind: str) -> Twin:
        """Start one, plugged in at ``socket``."""
        if self._captured:  # each process begins a file of its own
            number = len(list(self._folder.glob(f"{name}-*.capture")))
            self.captures[name] = self._folder / f"{name}-{number}.capture"
            options = (*options, "--capture", str(self.captures[name]))
        twin = self.there[name] = Twin.start(
            kind,
            socket,
            *("--seed", str(self._setup.seed)),
            *("--memory", str(self._folder / f"{name}-{kind}.memory")),
            *self._setup.options.get(name, ()),
            *options,
            line="--usb-socket" if name in UNITS else "--serial-socket",
        )
        twin.name = name
        return twin

    def let_go(self) -> None:
        """The machine is gone: until all know it."""
        for device in self.there.values():
            device.wait_for(lambda look: not look["plugged"], UNPLUGGED_S, "without its machine")

    def come_back(self) -> None:
        """The machine is there again: those whose plugs are in its sockets find it."""
        for device in self.there.values():
            if device.in_socket:
                device.do("plug")
