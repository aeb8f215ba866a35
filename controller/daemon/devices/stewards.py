"""Stewards: each sends one device the commands that bring it to the wanted state, one at a time.

A steward is pure. After a new link it first queries what the device is doing; nothing is assumed
about a device while its link was down. That of the jackpot unit is in :mod:`.jackpot_steward`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from controller.forms.json_values import checked
from controller.table.events.event import Event, Reported
from controller.table.events.of_controller import GateLocked
from controller.table.events.of_devices import FigureShown, ShoeReported
from controller.table.showing.wanted import MeterShow, Wants
from drivers.api import Answer, LinkUp, Value
from drivers.vocabulary import NOT_NOW


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


LOCK = DeviceCommand("GATE", {"unlocked": 0, "cards": 0})


class ShoeSteward(Steward):
    """Keeps gate and lamp of the shoe: ``_allowance`` granted when ``_granted_at`` cards had come
    (None: unknown), ``_locked_at`` the last event before the gate was locked last.

    The gate is opened only when it is known to be locked and every card that left before is taken.
    What is left of the allowance is computed from the cards that came through the open gate; when
    that is not what the table wants, the gate is locked first, never widened. Nothing is known
    after a new link, a change of the shoe's state, or a refusal: then too the gate is locked first.
    After a refusal no command is sent to the gate until the shoe has reported something, or an
    entry waits for the lock. A refused SIGNAL command says nothing about the gate.
    """

    def __init__(self) -> None:
        self._session = 0
        self._allowance: int | None = None
        self._granted_at = 0
        self._locked_at = 0
        self._lock_told: int | None = None
        self._signal: tuple[int, int] | None = None
        self._refused_at: tuple[int, int, int | None, int] | None = None
        self._wants = Wants()
        self._changed_since = False
        self.locked: tuple[int, int] | None = None

    def link_up(self, up: LinkUp) -> None:
        """Nothing is known of gate and lamp."""
        self._up, self._session = True, up.session
        self._allowance = self._signal = self._lock_told = self._refused_at = None
        self._locked_at = up.last_event

    def has_reported(self, event: Reported) -> None:
        """Its state bears on the gate."""
        if isinstance(event, ShoeReported):
            self.gate_unknown()

    def gate_unknown(self) -> None:
        """The shoe has changed its state, which may have cleared the allowance, also one that it is
        just confirming: the answer may have been lost once and be repeated after this event."""
        self._allowance = None
        self._changed_since = True

    def next_command(self, wants: Wants) -> DeviceCommand | None:
        """Lock, open, or light the lamp."""
        self._wants, self._changed_since = wants, False
        if not self._up or self._refused_at == _moment(wants):
            return None
        left = self._left(wants)
        if (
            left is None
            or (left > 0 and left != wants.gate_cards)
            or (wants.lock_for is not None and wants.lock_for != self._lock_told)
        ):
            return LOCK
        taken = wants.shoe_session == self._session and wants.shoe_taken >= self._locked_at
        if wants.gate_cards and left == 0 and taken:
            return DeviceCommand("GATE", {"unlocked": 1, "cards": wants.gate_cards})
        if wants.signal != self._signal:
            return DeviceCommand("SIGNAL", {"colour": wants.signal[0], "blink": wants.signal[1]})
        return None

    def _left(self, wants: Wants) -> int | None:
        if self._allowance is None:
            return None
        return max(0, self._allowance - (wants.cards_taken - self._granted_at))

    def answered(self, command: DeviceCommand, answer: Answer) -> None:
        """Note what it did; ``locked``: for which entry, and the last event before the lock."""
        if command.name == "SIGNAL":
            self._signal = command.number("colour"), command.number("blink")
            return
        if answer.fields is None:
            self._allowance = None
            self._refused_at = _moment(self._wants)
            return
        self._refused_at = None
        self._granted_at = self._wants.cards_taken
        if command is LOCK:
            self._locked_at = number_in(answer.fields, "last_event")
            self._allowance = 0
            if self._wants.lock_for is not None:
                self._lock_told = self._wants.lock_for
                self.locked = (self._lock_told, self._locked_at)
        else:
            cards = command.number("cards")
            self._allowance = None if self._changed_since else cards

    def found_events(self, device: str) -> Iterator[GateLocked]:
        """That the gate is locked for an entry."""
        if self.locked is not None:
            (entry, last_event), self.locked = self.locked, None
            yield GateLocked(device=device, entry=entry, last_event=last_event)

    def holds_up_play(self, command: DeviceCommand, nak: int) -> bool:
        """No card comes without the gate; "not in this state" is no fault: it says which."""
        return command.name == "GATE" and nak != NOT_NOW


def _moment(wants: Wants) -> tuple[int, int, int | None, int]:
    """What has to change before the gate is commanded again after a refusal."""
    return wants.shoe_session, wants.shoe_taken, wants.lock_for, wants.resumed
