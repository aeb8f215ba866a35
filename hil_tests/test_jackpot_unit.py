"""The jackpot unit fails: before bets are closed, with the button armed, after the draw.

What was pressed is drawn once, what was drawn is paid once, whatever becomes of the unit.
"""

from __future__ import annotations

import pytest

from controller.control.client import Rejected
from hil_tests.bench import MBS, RWS
from hil_tests.conftest import MakeDealer
from hil_tests.dealer import Dealer
from hil_tests.shoe_hand import WAIT_S

PONTOON = "AS 9D KC 8H 9H"
"""Box 1's Pontoon; the dealer has 9, 8."""


def _unplug(dealer: Dealer) -> None:
    dealer.jackpot.do("unplug")
    dealer.wait_until(lambda state: state["devices"]["jackpot"]["link"] == "down", "its loss")


def _plug(dealer: Dealer) -> None:
    dealer.jackpot.do("plug")
    dealer.wait_for_devices("jackpot")


def _to_the_button(dealer: Dealer) -> None:
    dealer.stack(PONTOON)
    dealer.open_bets()
    dealer.wager(1, main=100, pandemonium=5)
    dealer.no_more_bets()
    dealer.deal()


def _over(dealer: Dealer) -> None:
    dealer.paid()
    dealer.dealers_hand()
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
    dealer.next()


def test_without_it_no_pandemonium_wagers(dealer: Dealer) -> None:
    dealer.open_bets()
    dealer.wager(1, main=100, pandemonium=5)
    _unplug(dealer)
    assert "No Pandemonium wagers" in dealer.status["prompt"]
    with pytest.raises(Rejected, match="no Pandemonium wagers: the jackpot unit"):
        dealer.wager(3, pandemonium=5)
    with pytest.raises(Rejected, match="take the Pandemonium wagers out or wait"):
        dealer.no_more_bets()
    dealer.wager(1, pandemonium=0)
    dealer.no_more_bets()
    assert dealer.status["awaiting"] == "card"


def test_lost_with_the_button_armed(dealer: Dealer) -> None:
    _to_the_button(dealer)
    dealer.jackpot.wait_for(lambda unit: unit["armed"] is not None)
    _unplug(dealer)
    state = dealer.status
    assert state["held"]["fault"] == "jackpot-down"
    assert state["held"]["remedies"] == ["void"]
    assert state["awaiting"] == "device"
    _plug(dealer)
    dealer.press()
    _over(dealer)


def test_pressed_while_nobody_listens(dealer: Dealer) -> None:
    _to_the_button(dealer)
    dealer.jackpot.wait_for(lambda unit: unit["armed"] is not None)
    _unplug(dealer)
    dealer.jackpot.do("press")
    _plug(dealer)
    dealer.read_meter()
    _over(dealer)


def test_lost_after_the_draw_it_is_paid_from_the_screen(table: MakeDealer) -> None:
    dealer = table(spin_ms=60_000)
    _to_the_button(dealer)
    dealer.press_only()
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S)
    _unplug(dealer)
    state = dealer.status
    pay = next(remedy for remedy in state["held"]["remedies"] if remedy.startswith("pay"))
    assert pay in state["prompt"]
    multiplier = int(pay.split()[1])
    with pytest.raises(Rejected, match="not"):
        dealer.supervisor(f"pay {multiplier + 1}")
    dealer.supervisor(pay, why="the unit was smashed")
    dealer.record.press(1, multiplier)
    _over(dealer)


def test_lost_while_it_spins_and_back(dealer: Dealer) -> None:
    _to_the_button(dealer)
    dealer.press_only()
    _unplug(dealer)
    _plug(dealer)
    dealer.read_meter()
    _over(dealer)


def test_restarted_it_shows_the_same_again(table: MakeDealer) -> None:
    dealer = table(spin_ms=60_000)
    _to_the_button(dealer)
    dealer.press_only()
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S)
    dealer.jackpot.do("restart")
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S, "the same again")
    assert dealer.jackpot.look()["acted"]["SHOW"] == 1


def test_a_meter_that_shows_another_figure(dealer: Dealer) -> None:
    _to_the_button(dealer)
    dealer.jackpot.do("display", mode="wrong")
    dealer.press_only()
    state = dealer.wait_until(lambda state: state["held"], "a hold")
    assert state["held"]["fault"] == "meter-differs"
    assert state["meter"] is None
    pay = next(remedy for remedy in state["held"]["remedies"] if remedy.startswith("pay"))
    dealer.supervisor(pay)
    dealer.record.press(1, int(pay.split()[1]))
    _over(dealer)


@pytest.mark.parametrize(("rules", "order"), [(RWS, [1, 3]), (MBS, [3, 1])])
def test_the_button_goes_in_the_documents_order(
    rules: str, order: list[int], table: MakeDealer
) -> None:
    dealer = table(rules=rules)
    dealer.stack("AS AD 9C KC QH 8H")
    dealer.open_bets()
    for box in (1, 3):
        dealer.wager(box, main=100, pandemonium=5)
    dealer.no_more_bets()
    dealer.deal()
    served = []
    for _ in order:
        served.append(dealer.status["offer"]["box"])
        dealer.press()
        dealer.paid()
    dealer.dealers_hand()
    assert served == order
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
