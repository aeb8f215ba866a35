"""What every kind of bench has in common: one connection, its beginning and end, what it cannot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import NoReturn, Self

from controller.control.client import ControlClient
from hil_tests.bench.interface import CannotError, Medium


class BaseBench(ABC):
    """The part of :class:`hil_tests.bench.Bench` that does not hang on where the controller is."""

    def __init__(self) -> None:
        self._control: ControlClient | None = None

    @abstractmethod
    def connect(self) -> ControlClient:
        """A further connection; the caller closes it."""

    @abstractmethod
    def set_up(self) -> Self:
        """Plug everything in and start the controller."""

    @abstractmethod
    def close(self) -> None:
        """End everything; nothing is left."""

    @abstractmethod
    def complaints(self) -> str:
        """What the controller has logged that must never be, "" for nothing."""

    @property
    def control(self) -> ControlClient:
        """A connection to the running controller."""
        if self._control is None:
            self._control = self.connect()
        return self._control

    def hang_up(self) -> None:
        """The connection of :attr:`control` is of no use any more."""
        if self._control is not None:
            self._control.close()
            self._control = None

    # ---- what a bench that can do it has of its own -------------------------------------------

    def step_clock(self, seconds: float) -> None:
        """Not here."""
        self._cannot("clock")

    def freeze(self) -> None:
        """Not here."""
        self._cannot("freeze")

    def thaw(self) -> None:
        """Not here."""
        self._cannot("freeze")

    def hang_controller(self) -> None:
        """Not here."""
        self._cannot("watchdog")

    def swap_ports(self, one: str, other: str) -> None:
        """Not here."""
        self._cannot("swap-ports")

    @property
    def medium(self) -> Medium:
        """Not here."""
        self._cannot("medium")

    def expects(self, complaint: str) -> None:
        """Not here."""
        self._cannot("medium")

    def _cannot(self, what: str) -> NoReturn:
        raise CannotError(f"{type(self).__name__} cannot do this: {what}")

    # ---- beginning and end --------------------------------------------------------------------

    def __enter__(self) -> Self:
        try:
            return self.set_up()
        except BaseException:
            self.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            interrupted = error is not None and not isinstance(error, Exception)
            complaints = "" if interrupted else self.complaints()
            if error is None:
                assert not complaints, complaints
            elif complaints:
                error.add_note(f"logged by the controller: {complaints}")
        finally:
            self.close()
