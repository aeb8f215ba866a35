"""A second meter that only shows: it follows the jackpot unit, and its loss holds nothing."""

from __future__ import annotations

import pytest

from hil_tests.people.jackpot_button import (
    SPIN_MS,
    armed_offer,
    deal_to_the_button,
    finish_round,
    press_until_spinning,
)
from hil_tests.people.shoe_hand import WAIT_S
from hil_tests.rig.opening import MakeDealer

pytestmark = pytest.mark.needs_bench("hands", "second-meter")

NAME = "left-meter"


@pytest.mark.parametrize("lost", [False, True])
def test_it_shows_what_was_drawn(lost: bool, table: MakeDealer) -> None:
    devices = ("shoe", "jackpot", "keypad", NAME)
    dealer = table(devices=devices, kinds={NAME: "display"}, spin_ms=SPIN_MS)
    display = dealer.bench.devices[NAME]
    deal_to_the_button(dealer)
    armed_offer(dealer)
    assert display.look()["state"] == "idle"
    press_until_spinning(dealer)
    display.wait_for(lambda meter: meter["state"] == "spinning", WAIT_S, "its spin")
    if lost:
        dealer.bench.remove_device(NAME)
        dealer.wait_until_lost(NAME)
    multiplier = dealer.read_meter()
    if lost:
        assert dealer.status["held"] is None
        display = dealer.bench.add_device(NAME)
    meter = display.wait_for(lambda meter: meter["state"] == "showing", WAIT_S, "the figure")
    assert meter["shown"] == multiplier
    finish_round(dealer)
    meter = display.wait_for(lambda meter: meter["state"] == "idle", WAIT_S, "the dark")
    assert meter["acted"].keys() <= {"SHOW", "BLANK"}
