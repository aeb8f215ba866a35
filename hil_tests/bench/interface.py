"""The interface of a bench: devices and a controller that are connected by real links.

Scenarios use nothing else, so the same scenario runs with simulated devices
(:mod:`hil_tests.benches.virtual.virtual_bench`), behind the adapters of a virtual machine, or with
real devices and a person who operates them. On every bench the devices can be examined and
operated, their cables unplugged, and the power of the controller's machine cut. A scenario that
needs more says so by the names of :data:`hil_tests.bench.description.CAPABILITIES`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, Protocol, Self

from controller.control.client import ControlClient
from hil_tests.bench.setup import Setup

Json = dict[str, Any]


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


class Bench(ABC):
    """A table on a bench; a context manager that leaves nothing behind."""

    setup: Setup

    def __init__(self) -> None:
        self._control: ControlClient | None = None

    # ---- devices ------------------------------------------------------------------------------

    @property
    @abstractmethod
    def devices(self) -> Mapping[str, Device]:
        """The devices that are there, by the names of the configuration."""

    @abstractmethod
    def add_device(self, name: str, *options: str, kind: str | None = None) -> Device:
        """Put a device on its line and plug it in; ``options`` as ``python -m simulators`` takes
        them. ``kind`` other than its name puts a wrong one there."""

    @abstractmethod
    def remove_device(self, name: str) -> None:
        """Take it off its line and away."""

    @abstractmethod
    def kill_device(self, name: str) -> None:
        """Its power fails; it comes back, with its memory, with :meth:`add_device`."""

    # ---- the controller -----------------------------------------------------------------------

    @property
    def control(self) -> ControlClient:
        """A connection to the running controller, made anew after each of its starts."""
        if self._control is None:
            self._control = self.connect()
        return self._control

    @abstractmethod
    def connect(self) -> ControlClient:
        """A further connection to it; the caller closes it."""

    def hang_up(self) -> None:
        """Close :attr:`control`: the controller lets nobody hold a connection for nothing."""
        if self._control is not None:
            self._control.close()
            self._control = None

    @abstractmethod
    def tablectl(self, *arguments: str) -> CompletedProcess[str]:
        """Run the technician's command on the controller's machine, for this table."""

    @property
    @abstractmethod
    def state_directory(self) -> Path:
        """Where the controller keeps its journal, or a copy of that, to be read when it is
        stopped."""

    @abstractmethod
    def start_controller(self) -> None:
        """Start the controller; returns when it is ready to answer."""

    @abstractmethod
    def stop_controller(self) -> int:
        """Let it end in good order; its exit status."""

    @abstractmethod
    def kill_controller(self) -> None:
        """End it between any two instructions."""

    @abstractmethod
    def reboot(self) -> None:
        """The machine loses its power and starts again: a new boot. Its devices keep theirs."""

    def swap_ports(self, one: str, other: str) -> None:
        """Exchange the adapters of two devices between their sockets (``swap-ports``)."""
        raise CannotError(f"{type(self).__name__} cannot exchange {one} and {other}")

    # ---- for the report -----------------------------------------------------------------------

    @property
    @abstractmethod
    def captures(self) -> Mapping[str, Path]:
        """By device: the file in which its traffic is captured now (docs/captures.md); none where
        nothing is."""

    @property
    @abstractmethod
    def facts(self) -> Mapping[str, str]:
        """What the bench is made of: versions of its kernel, its libraries, its machine."""

    @abstractmethod
    def complaints(self) -> str:
        """What the controller has logged that must never be, with the lines of its log around it;
        "" for nothing."""

    # ---- beginning and end --------------------------------------------------------------------

    @abstractmethod
    def set_up(self) -> Self:
        """Plug everything in and start the controller."""

    @abstractmethod
    def close(self) -> None:
        """End everything; nothing is left."""

    def __enter__(self) -> Self:
        try:
            return self.set_up()
        except BaseException:
            self.close()
            raise

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        """End everything; what the controller complained of fails the test."""
        try:
            interrupted = error is not None and not isinstance(error, Exception)
            complaints = "" if interrupted else self.complaints()
            if error is None:
                assert not complaints, complaints
            elif complaints:
                error.add_note(f"logged by the controller: {complaints}")
        finally:
            self.close()
