"""What stewards have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from controller.table.showing.wants import Wants
from drivers.api import Answer, LinkUp, Value


@dataclass(frozen=True, slots=True)
class Command:
    """A command for a device: its name in the link protocol and its fields."""

    name: str
    fields: Mapping[str, Value] = field(default_factory=dict)


class Steward(Protocol):
    """One device's steward."""

    def link_up(self, up: LinkUp) -> None:
        """The device answers again; what it does is not known."""

    def link_down(self) -> None:
        """The device is out of sight."""

    def next_command(self, wants: Wants) -> Command | None:
        """What to send now, if anything; nothing is outstanding when this is asked."""

    def answered(self, command: Command, answer: Answer) -> None:
        """What became of the command (not called when the link went down with it)."""
