"""The steward of the card shoe: the gate's allowance and the signal lamp.

The gate is opened only when it is known to be locked and every card that left before is taken. What
is left of the allowance is computed from the cards that came through the open gate; when that is
not what the table wants, the gate is locked first, never widened. Nothing is known after a new
link, a change of the shoe's state, or a refusal: then too the gate is locked first. After a refusal
no command is sent to the gate until the shoe has reported something, or an entry waits for the
lock. A refused SIGNAL command says nothing about the gate.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.daemon.devices.stewards.base import DeviceCommand, Steward, number_in
from controller.table.events.event import Reported
from controller.table.events.of_controller import GateLocked
from controller.table.events.of_devices import ShoeReported
from controller.table.showing.wanted import Wants
from drivers.api import Answer, LinkUp
from drivers.vocabulary import NOT_NOW

LOCK = DeviceCommand("GATE", {"unlocked": 0, "cards": 0})


class ShoeSteward(Steward):
    """State: ``_allowance`` granted when ``_granted_at`` cards had come (None: unknown),
    ``_locked_at`` the last event before the gate was locked last."""

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
        """Note what the shoe did; after a lock that an entry waits for, ``locked`` has the entry's
        number and the last event before the lock."""
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
        """No card comes without the gate. "Not in this state" is no fault by itself: the shoe has
        said or will say what state it is in."""
        return command.name == "GATE" and nak != NOT_NOW


def _moment(wants: Wants) -> tuple[int, int, int | None, int]:
    """What has to change before the gate is commanded again after a refusal."""
    return wants.shoe_session, wants.shoe_taken, wants.lock_for, wants.resumed
