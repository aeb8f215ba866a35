"""Mistakes of section 5, and of section 3 what a device does whose controller is gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.api import Value
from hil_tests.conformance.defects.of_messages import defect, plant
from simulators.jackpot import ARMED, Jackpot
from simulators.keypad import Keypad
from simulators.shoe import Shoe
from simulators.shuffler import Shuffler


@defect
def stays_unlocked() -> None:
    """The shoe's gate stays open without a controller."""
    plant(Shoe, "abandoned", lambda self: None)


@defect
def stays_armed() -> None:
    """The button stays armed without a controller."""
    plant(Jackpot, "abandoned", lambda self: None)


@defect
def allowance_never_used_up() -> None:
    """The gate stays open behind the last card it was opened for."""
    real = Shoe._gate

    def gate(self: Shoe, unlocked: bool, cards: int) -> None:
        real(self, unlocked, 0)

    plant(Shoe, "_gate", gate)


@defect
def every_press_counts() -> None:
    """The unit stays armed behind a press."""
    plant(Jackpot, "_disarm", lambda self: None)


@defect
def arm_after_shown() -> None:
    """The button is armed for an offer that has been shown."""
    real = Jackpot.on_arm

    def arm(self: Jackpot, fields: Mapping[str, Value]) -> Mapping[str, Value]:
        shown, self.shown = self.shown, {}
        try:
            return real(self, fields)
        finally:
            self.shown = shown

    plant(Jackpot, "on_arm", arm)


@defect
def arm_keeps_display() -> None:
    """The figure of the offer before stands there while the button is armed."""
    arms, tells = Jackpot.on_arm, Jackpot.on_meter

    def arm(self: Jackpot, fields: Mapping[str, Value]) -> Mapping[str, Value]:
        figure = self.multiplier
        answer = arms(self, fields)
        self.multiplier = figure
        return answer

    def meter(self: Jackpot, fields: Mapping[str, Value]) -> Mapping[str, Value]:
        figure = {"multiplier": self.multiplier} if self.state == ARMED else {}
        return {**tells(self, fields), **figure}

    plant(Jackpot, "on_arm", arm)
    plant(Jackpot, "on_meter", meter)


@defect
def never_says_shown() -> None:
    """The meter shows and does not say so."""
    real = Jackpot.tick

    def tick(self: Jackpot) -> None:
        self.display = "mute"
        real(self)

    plant(Jackpot, "tick", tick)


@defect
def keys_for_nobody() -> None:
    """Keys are taken without a controller."""
    real = Keypad.do_key

    def key(self: Keypad, keys: str) -> dict[str, Any]:
        twin: Any = self.body
        served, twin.served = twin.served, True
        try:
            return real(self, keys)
        finally:
            twin.served = served

    plant(Keypad, "do_key", key)


@defect
def begins_again() -> None:
    """START for the set that is being shuffled begins anew."""
    real = Shuffler.on_start

    def start(self: Shuffler, fields: Mapping[str, Value]) -> Mapping[str, Value]:
        self.on_abort({})
        return real(self, fields)

    plant(Shuffler, "on_start", start)
