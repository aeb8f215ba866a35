"""The device's half of Table Link (sections 3 and 4), without input, output or clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from drivers.table_link.layout import Value


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command to act on, once; answer it by ``answer(id, ...)`` or ``nak(id, ...)``."""

    id: int
    name: str
    fields: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Greeted:
    """A HELLO was answered: the controller is there."""


@dataclass(frozen=True, slots=True)
class ControllerGone:
    """2 s without a valid payload: take the safe state (section 3, Alive)."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What of the events survives a restart: payloads of the unacknowledged, in order."""

    session_id: int
    last_event: int
    events: tuple[bytes, ...]


DeviceEvent = Commanded | Greeted | ControllerGone


class DeviceSession:
    """The device's half. Skeleton: signatures are final, the bodies follow.

    ``session_id`` is a random non-zero number given by the caller, used when ``memory`` is None
    (a restart that kept its events gives ``memory``, and ``session_id`` is not looked at).
    ``present_state`` returns the (name, fields) of the events which begin each session.
    HELLO, PING and EVENT_ACK are handled here; all other commands come up as Commanded.
    """

    state: int
    """What PING answers as ``state``; set by the device's model."""

    def __init__(
        self,
        kind: str,
        *,
        capabilities: int,
        firmware: tuple[int, int, int],
        serial: str,
        digest: str,
        session_id: int,
        memory: Memory | None = None,
        present_state: Callable[[], Iterable[tuple[str, Mapping[str, Value]]]] = tuple,
    ) -> None:
        raise NotImplementedError

    def started(self, now: float) -> None:
        """Power is on: ``t_ms`` counts from here; a session without memory begins."""
        raise NotImplementedError

    def opened(self, now: float) -> None:
        """The port was opened (anew): nothing but HELLO is answered until one was."""
        raise NotImplementedError

    def receive(self, payload: bytes, now: float) -> None:
        """Take one payload off the carrier."""
        raise NotImplementedError

    def event(self, name: str, fields: Mapping[str, Value], now: float) -> int:
        """Make an event (fields without ``event_no`` and ``t_ms``); returns its number."""
        raise NotImplementedError

    def set_faults(self, faults: int, now: float) -> None:
        """The fault bits; a change makes a FAULT event."""
        raise NotImplementedError

    def answer(self, command_id: int, fields: Mapping[str, Value]) -> None:
        """The command is done. An id not running (forgotten at a HELLO) is ignored."""
        raise NotImplementedError

    def nak(self, command_id: int, code: int) -> None:
        """The command is refused: code 2 to 5."""
        raise NotImplementedError

    def new_session(self, session_id: int, now: float) -> None:
        """Forget all events and begin a session; silent until the next HELLO."""
        raise NotImplementedError

    @property
    def session_id(self) -> int:
        """The present session."""
        raise NotImplementedError

    @property
    def last_event(self) -> int:
        """The number of the last event made, 0 for none: for GATE's and DISARM's answers."""
        raise NotImplementedError

    def memory(self) -> Memory:
        """The events as they are now, to be given to the session after a restart."""
        raise NotImplementedError

    def poll(self, now: float) -> None:
        """Do what has fallen due: send again, take the controller as gone."""
        raise NotImplementedError

    def deadline(self) -> float | None:
        """When ``poll`` is to be called next, None for never."""
        raise NotImplementedError

    def take_output(self) -> list[bytes]:
        """The payloads to send now, in order; each is given once."""
        raise NotImplementedError

    def take_events(self) -> list[DeviceEvent]:
        """What is to be done by the device's model, in order."""
        raise NotImplementedError
