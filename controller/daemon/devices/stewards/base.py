"""What stewards have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.table.showing.wants import Wants
from drivers.api import Answer, DeviceEvent, LinkUp, Value

Found = tuple[str, Mapping[str, Any]]
"""Type and body of an event for the table."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command for a device: its name in the link protocol and its fields."""

    name: str
    fields: Mapping[str, Value] = field(default_factory=dict)


class Steward(ABC):
    """One device's steward."""

    @abstractmethod
    def link_up(self, up: LinkUp) -> None:
        """The device answers again; what it does is not known."""

    @abstractmethod
    def link_down(self) -> None:
        """The device is out of sight."""

    @abstractmethod
    def next_command(self, wants: Wants) -> Command | None:
        """What to send now, if anything; nothing is outstanding when this is asked."""

    @abstractmethod
    def answered(self, command: Command, answer: Answer) -> None:
        """What became of the command (not called when the link went down with it)."""

    def has_reported(self, event: DeviceEvent) -> None:  # noqa: B027 - most need not know
        """The device's own event has come; it is not stored yet."""

    def found(self) -> Iterator[Found]:
        """What an answer showed that the table has to hear of, each once."""
        yield from ()

    def holds_up_play(self, command: Command, nak: int) -> bool:
        """Whether play waits for what the device has refused."""
        return False
