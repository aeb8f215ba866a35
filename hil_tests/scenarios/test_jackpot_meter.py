"""Press and report: one press for an offer, and a meter that does not say what it is to show.

The multiplier drawn is neither lost nor drawn again; what the meter does not report a supervisor
confirms by eye, or has paid from the screen.
"""

from __future__ import annotations

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.setup import MBS, RWS
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import (
    armed_offer,
    deal_to_the_button,
    drawn_multiplier,
    finish_round,
    wait_until_held,
)
from hil_tests.people.shoe_hand import WAIT_S
from hil_tests.rig.opening import MakeDealer

pytestmark = pytest.mark.needs_bench("hands")


@pytest.mark.parametrize("way", ["seen", "pay"])
def test_a_meter_that_never_reports_waits_for_the_supervisor(dealer: Dealer, way: str) -> None:
    deal_to_the_button(dealer)
    dealer.jackpot.do("display", mode="mute")
    dealer.press_button()
    told = wait_until_held(dealer, "meter-silent")
    assert dealer.status["meter"] is None
    dealer.start_anew()
    assert wait_until_held(dealer, "meter-silent") == told
    multiplier = drawn_multiplier(dealer)
    order = f"{way} {multiplier}"
    assert order in told["remedies"]
    assert dealer.jackpot.look()["shown"] == multiplier
    with pytest.raises(RefusedByController, match=f"drew {multiplier}x, not {multiplier + 1}x"):
        dealer.supervisor(f"{way} {multiplier + 1}")
    dealer.supervisor(order, why="the meter was read by eye")
    assert dealer.status["meter"] is None  # it still has reported nothing
    dealer.record.press(1, multiplier)
    finish_round(dealer)


def test_a_report_that_comes_after_all_ends_the_hold(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    dealer.jackpot.do("display", mode="mute")
    dealer.press_button()
    wait_until_held(dealer, "meter-silent")
    dealer.jackpot.do("display", mode="good")
    dealer.jackpot.do("restart")  # it is told again, for it is dark, and now it reports
    dealer.read_meter()
    finish_round(dealer)


def test_a_meter_that_could_not_be_read_is_told_again_by_resume(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    dealer.jackpot.do("display", mode="dark")
    dealer.press_button()
    assert "cannot be read" in wait_until_held(dealer, "meter-differs")["reason"]
    dealer.supervisor("resume")  # too early: it still cannot
    dealer.jackpot.wait_for(lambda unit: unit["acted"]["SHOW"] == 2, WAIT_S, "a second SHOW")
    wait_until_held(dealer, "meter-differs")
    dealer.jackpot.do("display", mode="good")
    dealer.supervisor("resume")
    dealer.read_meter()
    finish_round(dealer)


def test_a_second_press_is_no_second_draw(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    dealer.press_button()
    for _ in range(3):
        assert not dealer.jackpot.do("press")["counted"]
    multiplier = dealer.read_meter()
    assert not dealer.jackpot.do("press")["counted"]
    assert dealer.status["meter"]["multiplier"] == multiplier
    finish_round(dealer)


def test_no_press_counts_once_the_table_is_held(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    offer = armed_offer(dealer)
    dealer.jackpot.do("cover", open=True)
    dealer.jackpot.wait_for(lambda unit: unit["armed"] is None, WAIT_S, "a button disarmed")
    assert not dealer.jackpot.do("press")["counted"]
    dealer.jackpot.do("cover", open=False)
    assert armed_offer(dealer) == offer
    dealer.press()
    finish_round(dealer)


def test_a_meter_that_shows_another_figure(dealer: Dealer) -> None:
    deal_to_the_button(dealer)
    dealer.jackpot.do("display", mode="wrong")
    dealer.press_button()
    state = dealer.wait_until(lambda state: state["held"], "a hold")
    assert state["held"]["fault"] == "meter-differs"
    assert state["meter"] is None
    multiplier = drawn_multiplier(dealer)
    dealer.supervisor(f"pay {multiplier}")
    dealer.record.press(1, multiplier)
    finish_round(dealer)


@pytest.mark.parametrize(("rules", "order"), [(RWS, [1, 3]), (MBS, [3, 1])])
def test_the_button_goes_in_the_documents_order(
    rules: str, order: list[int], table: MakeDealer
) -> None:
    dealer = table(rules=rules)
    wagers = {"main": 100, "pandemonium": 5}
    dealer.deal_round("AS AD 9C KC QH 8H", {1: wagers, 3: wagers})
    served = []
    for _ in order:
        served.append(dealer.status["offer"]["box"])
        dealer.press()
        dealer.paid()
    dealer.dealers_hand()
    assert served == order
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
