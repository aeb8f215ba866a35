"""What the device's half of a link reports to the device's model, and what outlives a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.api import Value


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
    """What of the events survives a restart: payloads of the unacknowledged, oldest first."""

    session_id: int
    last_event: int
    events: tuple[bytes, ...]


DeviceEvent = Commanded | Greeted | ControllerGone
