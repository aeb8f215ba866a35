"""What every event is.

Each class is one type of event: it is read where JSON or a frame enters (:mod:`.reading`), and
written where it leaves (:mod:`.form`). Its fields are the entry's body, but for those that stand in
columns of their own in the journal:

- A field without a default is required; one that may be None is written as null then.
- A field whose default is None is left out of the body while it is None.
- What a class does not know is kept as it came, and written back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, TypeVar

from controller.forms.json_values import JsonObject

C = TypeVar("C")
E = TypeVar("E", bound="Event")
Handler: TypeAlias = Callable[[C, Any], None]
"""What takes an event of its own class, for whoever it concerns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event. ``TYPE`` is its type in the journal, ``COLUMNS`` are its fields that the body does
    not have; ``more`` is what else the body had, in another version's journal or from a driver."""

    TYPE: ClassVar[str] = ""
    COLUMNS: ClassVar[tuple[str, ...]] = ()
    more: JsonObject | None = None

    @property
    def type(self) -> str:
        """Its type in the journal."""
        return self.TYPE


@dataclass(frozen=True, slots=True, kw_only=True)
class OfDevice(Event):
    """What concerns one ``device``, by its name in the configuration."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("device",)
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported(OfDevice):
    """What a device has reported itself, under its name in the link protocol: event ``event_no`` of
    its ``session``."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("device", "session", "event_no")
    session: int
    event_no: int


def on(kind: type[E], handler: Callable[[C, E], None]) -> tuple[type[Event], Handler[C]]:
    """A line of a mapping from classes to handlers: the handler takes events of that class."""
    return kind, handler
