"""The base class of the stewards, which is the steward of a device that only reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from controller.forms.json_values import checked
from controller.table.events.event import Event, Reported
from controller.table.showing.wants import Wants
from drivers.api import Answer, LinkUp, Value


@dataclass(frozen=True, slots=True)
class DeviceCommand:
    """A command for a device: its name in the link protocol and its fields."""

    name: str
    fields: Mapping[str, Value] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """That field, which is a number."""
        return number_in(self.fields, name)


def number_in(fields: Mapping[str, Value], name: str) -> int:
    """A number among the fields of a command or an answer.

    Raises:
        WrongForm: it is none.
    """
    return checked(int, fields[name], name)


class Steward:
    """One device's steward; this one commands nothing."""

    _up = False

    def link_up(self, up: LinkUp) -> None:
        """The link is up; the state of the device is not known."""
        self._up = True

    def link_down(self) -> None:
        """The link is down. By itself a shoe locks its gate when it receives nothing, a jackpot
        unit disarms, a meter keeps showing what it shows, a keypad says NO CONTROLLER, and a
        shuffle goes on."""
        self._up = False

    def next_command(self, wants: Wants) -> DeviceCommand | None:
        """The command to send now, if any; called only when no command is outstanding."""
        return None

    def answered(self, command: DeviceCommand, answer: Answer) -> None:
        """Take the answer to the command (not called when the link went down meanwhile)."""

    def has_reported(self, event: Reported) -> None:
        """Take an event of the device, which is not stored yet."""

    def found_events(self, device: str) -> Iterator[Event]:
        """Events for the table that were found in answers of the ``device``, each once."""
        yield from ()

    def holds_up_play(self, command: DeviceCommand, nak: int) -> bool:
        """Whether the refused command stops play."""
        return False
