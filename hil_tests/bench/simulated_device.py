"""Simulated devices on a bench: what is done to one stands in the report as a step. And what
benches have in common whose devices are simulated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from socket import socket
from typing import Any, Final

from hil_tests.bench import processes
from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import Setup
from hil_tests.bench.steps import noting, step
from simulators.hands import PROGRAM, Hands, Json, Started

LOOKS: Final = ("look", "line", "watch")
"""Verbs that change nothing."""


class SimulatedDevice(Hands):
    """The hands of a bench's device; ``name`` is what the bench calls it, ``in_socket`` where
    somebody has left its plug, whatever becomes of the machine."""

    name = "a device"
    in_socket = True

    def do(self, verb: str, **arguments: Any) -> Json:
        """See :meth:`simulators.hands.Hands.do`."""
        if verb in ("plug", "unplug"):
            self.in_socket = verb == "plug"
        if verb in LOOKS:
            return super().do(verb, **arguments)
        words = [verb, *(f"{key} {_short_form(given)}" for key, given in arguments.items())]
        with noting(f"{self.name}: {' '.join(words).replace('_', ' ')}"):
            return super().do(verb, **arguments)

    @classmethod
    def _start(
        cls,
        arguments: Sequence[str],
        connection: socket,
        stderr: int | None,
        program: Sequence[str],
    ) -> Started:
        if program != PROGRAM:
            return super()._start(arguments, connection, stderr, program)
        theirs = connection.fileno()
        return processes.start(
            ["simulators", *arguments],
            streams=(theirs, theirs, 2 if stderr is None else stderr),
            environment=os.environ,
        )


def _short_form(given: Any) -> Any:
    """A whole set of cards by its number."""
    return len(given) if isinstance(given, list) else given


class TwinBench(Bench):
    """A bench whose devices are simulated: each keeps its memory in a file of :attr:`folder`, so
    that one whose process was killed can come back as the same device, and what goes over its line
    where that is ``captured``."""

    folder: Path

    def __init__(self, setup: Setup | None, *, captured: bool) -> None:
        super().__init__()
        self.setup = setup or Setup()
        self._captured = captured
        self._captures: dict[str, Path] = {}
        self._devices: dict[str, SimulatedDevice] = {}

    @property
    def devices(self) -> Mapping[str, SimulatedDevice]:
        """The devices that are there."""
        return self._devices

    def plug_in(
        self, name: str, kind: str | None, place: Path, line: str, options: tuple[str, ...]
    ) -> SimulatedDevice:
        """Start a device, of the kind that its name says where none is given, plugged in at
        ``place``."""
        kind = kind or self.setup.kinds.get(name, name)
        if self._captured:  # each process begins a file of its own
            number = len(list(self.folder.glob(f"{name}-*.capture")))
            self._captures[name] = self.folder / f"{name}-{number}.capture"
            options = (*options, "--capture", str(self._captures[name]))
        device = self._devices[name] = SimulatedDevice.start(
            kind,
            place,
            *("--seed", str(self.setup.seed)),
            *("--memory", str(self.folder / f"{name}-{kind}.memory")),
            *self.setup.options.get(name, ()),
            *options,
            line=line,
        )
        device.name = name
        return device

    @step
    def remove_device(self, name: str) -> None:
        """Take it off its port and away."""
        self._devices.pop(name).stop()

    @step
    def kill_device(self, name: str) -> None:
        """Its power fails: the process is killed. It comes back with :meth:`add_device`."""
        self._devices.pop(name).kill()

    @property
    def captures(self) -> Mapping[str, Path]:
        """At the devices' ends, where it was asked for."""
        return self._captures
