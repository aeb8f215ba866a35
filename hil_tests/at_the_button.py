"""Words for stories at the jackpot button: up to it, its unit lost and back, on from it."""

from __future__ import annotations

from hil_tests.bench import Json
from hil_tests.dealer import Dealer
from hil_tests.shoe_hand import WAIT_S

PONTOON = "AS 9D KC 8H 9H"
"""Box 1's Pontoon; the dealer has 9, 8."""
SPIN_MS = 1500
"""Long enough to do something meanwhile, short enough to be waited for."""


def unplug(dealer: Dealer) -> None:
    """The unit loses its line."""
    dealer.jackpot.do("unplug")
    lost(dealer)


def lost(dealer: Dealer) -> None:
    """The table knows of it."""
    dealer.wait_until(lambda state: state["devices"]["jackpot"]["link"] == "down", "its loss")


def plug(dealer: Dealer) -> None:
    """It is back, and greeted."""
    dealer.jackpot.do("plug")
    dealer.wait_for_devices("jackpot")


def to_the_button(dealer: Dealer) -> None:
    """Box 1 has a Pontoon and a Pandemonium wager: the button is offered to it."""
    dealer.stack(PONTOON)
    dealer.open_bets()
    dealer.wager(1, main=100, pandemonium=5)
    dealer.no_more_bets()
    dealer.deal()


def armed(dealer: Dealer) -> int:
    """The offer for which the button is armed."""
    unit = dealer.jackpot.wait_for(lambda unit: unit["armed"] is not None, WAIT_S, "the button")
    return int(unit["armed"])


def spinning(dealer: Dealer) -> None:
    """The button is pressed, and the meter spins."""
    dealer.press_button()
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S, "a spin")


def drawn(dealer: Dealer) -> int:
    """What was drawn, as the supervisor may have it paid while the unit is gone."""
    pay = next(found for found in dealer.status["held"]["remedies"] if found.startswith("pay"))
    return int(pay.split()[1])


def held(dealer: Dealer, fault: str) -> Json:
    """Wait until the table is held with that fault; what it says of it."""

    def so_held(state: Json) -> bool:
        return bool(state["held"] and state["held"]["fault"] == fault)

    told: Json = dealer.wait_until(so_held, f"the fault {fault}")["held"]
    return told


def over(dealer: Dealer) -> None:
    """The box is paid and the round played out; everything was settled as the rules say."""
    dealer.paid()
    dealer.dealers_hand()
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
    dealer.next()
