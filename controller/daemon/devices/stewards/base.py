"""What every steward is, and the stewards of the devices without cards or money in play: dealer
keypad, displays and the shuffler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from controller.forms.json_values import checked
from controller.table.events.event import Event, Reported
from controller.table.events.of_devices import FigureShown
from controller.table.showing.wanted import MeterShow, Wants
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
    """A number among the fields of a command or an answer; WrongForm where it is none."""
    return checked(int, fields[name], name)


class Steward:
    """One device's steward; this one commands nothing."""

    _up = False

    def link_up(self, up: LinkUp) -> None:
        """The link is up; the state of the device is not known."""
        self._up = True

    def link_down(self) -> None:
        """The link is down. By itself a shoe locks its gate when it receives nothing, a jackpot
        unit disarms, a meter keeps what it shows, a keypad says NO CONTROLLER, and a shuffle goes
        on."""
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


class KeypadSteward(Steward):
    """Keeps the keypad's two rows and its lamps in the wanted state."""

    def __init__(self) -> None:
        self._rows: list[str | None] = [None, None]
        self._lamps: int | None = None

    def link_up(self, up: LinkUp) -> None:
        """The keypad may show anything."""
        self._up, self._rows, self._lamps = True, [None, None], None

    def next_command(self, wants: Wants) -> DeviceCommand | None:
        """The first thing that differs."""
        if not self._up:
            return None
        for row in (0, 1):
            if self._rows[row] != wants.rows[row]:
                return DeviceCommand("TEXT", {"row": row, "text": wants.rows[row]})
        if self._lamps != wants.lamps:
            return DeviceCommand("LAMPS", {"lit": wants.lamps})
        return None

    def answered(self, command: DeviceCommand, answer: Answer) -> None:
        """Note what it shows; what it refuses is not sent again until it is to change."""
        if command.name == "TEXT":
            self._rows[command.number("row")] = str(command.fields["text"])
        else:
            self._lamps = command.number("lit")


class DisplaySteward(Steward):
    """Keeps a display at what was drawn, by SHOW and BLANK alone. It is never queried: a repeated
    SHOW changes nothing. A refused SHOW may mean another figure for that offer, so the display is
    blanked first, once; a command refused twice is not sent again before something changes."""

    def __init__(self) -> None:
        self._known = False
        self._shows: MeterShow | None = None
        self._wanted: MeterShow | None = None
        self._dark_first = False
        self._refusals = 0
        self._resumed = 0

    def link_up(self, up: LinkUp) -> None:
        """The display may show anything."""
        self._up, self._known = True, False
        self._dark_first, self._refusals = False, 0

    def next_command(self, wants: Wants) -> DeviceCommand | None:
        """Show what was drawn, or nothing."""
        if (self._wanted, self._resumed) != (wants.figure, wants.resumed):
            self._wanted, self._resumed = wants.figure, wants.resumed
            self._dark_first, self._refusals = False, 0
        show = self._wanted
        if not self._up or self._refusals > 1 or (self._known and self._shows == show):
            return None
        if show is None or self._dark_first:
            return DeviceCommand("BLANK")
        figure = {"multiplier": show.multiplier, "spin_ms": show.spin_ms}
        return DeviceCommand("SHOW", {"offer_id": show.offer, **figure})

    def answered(self, command: DeviceCommand, answer: Answer) -> None:
        """Note what it shows."""
        self._known, shown = answer.fields is not None, command.name == "SHOW"
        self._shows = self._wanted if shown else None
        self._dark_first = shown and not self._known
        self._refusals += not self._known

    def has_reported(self, event: Reported) -> None:
        """The display has stopped spinning: commands refused meanwhile may be sent again."""
        if isinstance(event, FigureShown):
            self._dark_first, self._refusals = False, 0


class ShufflerSteward(Steward):
    """Starts a shuffle that the dealer asked for, once."""

    def __init__(self) -> None:
        self._last_event = 0
        self._started: int | None = None

    def link_up(self, up: LinkUp) -> None:
        """The shuffler's events report whether a shuffle was begun or is over."""
        self._up, self._last_event, self._started = True, up.last_event, None

    def next_command(self, wants: Wants) -> DeviceCommand | None:
        """Start the set that is wanted."""
        if wants.shuffle is None:
            self._started = None
        if not self._up or wants.shuffler_taken < self._last_event:
            return None
        if wants.shuffle in (None, self._started):
            return None
        assert wants.shuffle is not None
        return DeviceCommand("START", {"set": wants.shuffle})

    def answered(self, command: DeviceCommand, answer: Answer) -> None:
        """Started, or refused: the shuffler's own state says the rest."""
        self._started = command.number("set")
