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


@defect("shoe", "a_shoe_without_its_controller_locks_itself")
def stays_unlocked() -> None:
    """The shoe's gate stays open without a controller."""
    plant(Shoe, "abandoned", lambda self: None)


@defect("jackpot", "a_unit_without_its_controller_disarms_and_keeps_showing")
def stays_armed() -> None:
    """The button stays armed without a controller."""
    plant(Jackpot, "abandoned", lambda self: None)


@defect("shoe", "an_allowance_is_used_up_card_by_card")
def allowance_never_used_up() -> None:
    """The gate stays open behind the last card it was opened for."""
    real = Shoe._gate

    def gate(self: Shoe, unlocked: bool, cards: int) -> None:
        real(self, unlocked, 0)

    plant(Shoe, "_gate", gate)


@defect(
    "jackpot",
    "the_first_press_counts_and_only_that",
    "disarming_another_offer_changes_nothing",
    "a_unit_without_its_controller_disarms_and_keeps_showing",
)
def every_press_counts() -> None:
    """The unit stays armed behind a press."""
    plant(Jackpot, "_disarm", lambda self: None)


@defect("jackpot", "the_meter_shows_what_it_is_told", "a_blank_meter_shows_the_same_again")
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


@defect("jackpot", "arming_a_new_offer_blanks_the_display")
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


@defect(
    "jackpot",
    "the_meter_shows_what_it_is_told",
    "a_blank_meter_shows_the_same_again",
    keeps_from_being_made=True,
)
def never_says_shown() -> None:
    """The meter shows and does not say so."""
    real = Jackpot.tick

    def tick(self: Jackpot) -> None:
        self.display = "mute"
        real(self)

    plant(Jackpot, "tick", tick)


@defect("keypad", "a_keypad_without_its_controller_takes_no_keys")
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


@defect("shuffler", "a_shuffle_is_begun_once_and_told")
def begins_again() -> None:
    """START for the set that is being shuffled begins anew."""
    real = Shuffler.on_start

    def start(self: Shuffler, fields: Mapping[str, Value]) -> Mapping[str, Value]:
        self.on_abort({})
        return real(self, fields)

    plant(Shuffler, "on_start", start)
