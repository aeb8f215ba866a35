"""The jackpot unit is lost: before bets are closed, with the button armed, after the draw.

What was pressed is drawn once, what was drawn is paid once, whatever becomes of the unit.
"""

from __future__ import annotations

import pytest

from controller.control.client import RefusedByController
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import (
    SPIN_MS,
    armed_offer,
    deal_to_the_button,
    drawn_multiplier,
    finish_round,
    press_until_spinning,
    wait_until_held,
)
from hil_tests.people.shoe_hand import WAIT_S
from hil_tests.rig.opening import MakeDealer

pytestmark = pytest.mark.needs_bench("hands")


def test_without_it_no_pandemonium_wagers(dealer: Dealer) -> None:
    dealer.open_bets()
    dealer.wager(1, main=100, pandemonium=5)
    dealer.unplug("jackpot")
    assert "No Pandemonium wagers" in dealer.status["prompt"]
    with pytest.raises(RefusedByController, match="no Pandemonium wagers: the jackpot unit"):
        dealer.wager(3, pandemonium=5)
    with pytest.raises(RefusedByController, match="take the Pandemonium wagers out or wait"):
        dealer.no_more_bets()
    dealer.wager(1, pandemonium=0)
    dealer.no_more_bets()
    assert dealer.status["awaiting"] == "card"


def test_lost_with_the_button_armed_the_same_offer_is_armed_again(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    offer = armed_offer(dealer)
    dealer.unplug("jackpot")
    state = dealer.status
    assert state["held"]["fault"] == "jackpot-down"
    assert state["held"]["remedies"] == ["void"]
    assert state["awaiting"] == "device"
    dealer.plug("jackpot")
    assert armed_offer(dealer) == offer
    dealer.press()
    finish_round(dealer)


def test_a_new_session_with_the_button_armed_is_held_and_armed_again(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    offer = armed_offer(dealer)
    dealer.jackpot.do("restart", forget=True)
    assert "started anew" in wait_until_held(dealer, "device-restarted")["reason"]
    dealer.supervisor("resume")
    assert armed_offer(dealer) == offer
    dealer.press()
    finish_round(dealer)


def test_pressed_while_nobody_listens(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    dealer.jackpot.wait_for(lambda unit: unit["armed"] is not None)
    dealer.jackpot.do("unplug")
    assert dealer.jackpot.do("press")["counted"]  # it knows no sooner than the table
    dealer.wait_until_lost("jackpot")
    dealer.plug("jackpot")
    dealer.read_meter()
    finish_round(dealer)


def test_lost_after_the_draw_it_is_paid_from_the_screen(table: MakeDealer) -> None:
    dealer = table(spin_ms=60_000)
    deal_to_the_button(dealer)
    dealer.press_button()
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S)
    dealer.unplug("jackpot")
    state = dealer.status
    multiplier = drawn_multiplier(dealer)
    pay = f"pay {multiplier}"
    assert pay in state["prompt"]
    with pytest.raises(RefusedByController, match="not"):
        dealer.supervisor(f"pay {multiplier + 1}")
    dealer.supervisor(pay, why="the unit was smashed")
    dealer.record.press(1, multiplier)
    finish_round(dealer)


def test_lost_while_it_spins_the_same_multiplier_is_shown(table: MakeDealer) -> None:
    dealer = table(spin_ms=SPIN_MS)
    deal_to_the_button(dealer)
    press_until_spinning(dealer)
    dealer.unplug("jackpot")
    multiplier = drawn_multiplier(dealer)
    dealer.plug("jackpot")
    assert dealer.read_meter() == multiplier
    finish_round(dealer)


def test_a_new_session_while_it_spins_is_held_and_shows_the_same(table: MakeDealer) -> None:
    dealer = table(spin_ms=SPIN_MS)
    deal_to_the_button(dealer)
    press_until_spinning(dealer)
    dealer.unplug("jackpot")
    multiplier = drawn_multiplier(dealer)
    dealer.jackpot.do("restart", forget=True)
    dealer.plug("jackpot")
    wait_until_held(dealer, "device-restarted")
    assert dealer.read_meter() == multiplier  # what was drawn is shown, held or not
    dealer.supervisor("resume")
    finish_round(dealer)


def test_lost_while_it_shows_the_box_is_paid_and_the_same_is_shown_again(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    multiplier = dealer.press()
    dealer.unplug("jackpot")
    assert dealer.status["meter"]["multiplier"] == multiplier
    assert dealer.status["held"] is None  # play does not need the unit any more
    dealer.jackpot.do("restart")
    dealer.plug("jackpot")
    dealer.jackpot.wait_for(lambda unit: unit["shown"] == multiplier, WAIT_S, "the same again")
    finish_round(dealer)


def test_the_machine_is_cut_off_while_it_spins_and_shows_the_same(table: MakeDealer) -> None:
    dealer = table(spin_ms=SPIN_MS)
    deal_to_the_button(dealer)
    press_until_spinning(dealer)
    dealer.unplug("jackpot")
    multiplier = drawn_multiplier(dealer)
    dealer.bench.reboot()
    dealer.plug("jackpot")
    dealer.wait_for_devices()
    wait_until_held(dealer, "power-failure")
    assert dealer.read_meter() == multiplier
    dealer.supervisor("resume")
    finish_round(dealer)


def test_restarted_it_shows_the_same_again(table: MakeDealer) -> None:
    dealer = table(spin_ms=60_000)
    deal_to_the_button(dealer)
    dealer.press_button()
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S)
    dealer.jackpot.do("restart")
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S, "the same again")
    assert dealer.jackpot.look()["acted"]["SHOW"] == 1


@pytest.mark.parametrize("pressed", [False, True])
def test_a_unit_of_another_serial_number_is_refused_and_named(
    pressed: bool, table: MakeDealer
) -> None:
    """Whether it is its configuration or what the table knew: nothing is told to it, and the one
    from before goes on where it was."""
    dealer = table(spin_ms=SPIN_MS)
    deal_to_the_button(dealer)
    offer, multiplier = armed_offer(dealer), 0
    if pressed:
        press_until_spinning(dealer)
    dealer.bench.remove_device("jackpot")
    dealer.wait_until_lost("jackpot")
    if pressed:
        multiplier = drawn_multiplier(dealer)
    other = dealer.bench.add_device("jackpot", "--serial", "OTHER-9", "--memory", "")
    state = dealer.wait_until(
        lambda state: state["held"] and "OTHER-9" in state["held"]["reason"], "its name"
    )
    assert state["held"]["fault"] in ("device-replaced", "jackpot-down")
    seen = other.look()
    assert (seen["armed"], seen["shown"], seen["state"]) == (None, 0, "idle")
    assert not other.do("press")["counted"]
    dealer.bench.remove_device("jackpot")
    dealer.wait_until_lost("jackpot")
    dealer.bench.add_device("jackpot")
    dealer.wait_for_devices("jackpot")
    if dealer.status["held"]:
        dealer.supervisor("resume")  # its session may be lost with the time it was away
    if pressed:
        assert dealer.read_meter() == multiplier
    else:
        assert armed_offer(dealer) == offer
        dealer.press()
    finish_round(dealer)
