"""A round at the jackpot button: up to it, its unit lost and back, and from there to its end."""

from __future__ import annotations

from controller.game.commands.command import read_supervisors
from hil_tests.bench.interface import Json
from hil_tests.people.dealer import Dealer
from hil_tests.people.shoe_hand import WAIT_S

PONTOON = "AS 9D KC 8H 9H"
"""Box 1's Pontoon; the dealer has 9, 8."""
SPIN_MS = 1500
"""Long enough to do something meanwhile, short enough to be waited for."""


def deal_to_the_button(dealer: Dealer) -> None:
    """Deal box 1 a Pontoon with a Pandemonium wager: the button is offered to it."""
    dealer.deal_round(PONTOON, {1: {"main": 100, "pandemonium": 5}})


def armed_offer(dealer: Dealer) -> int:
    """Wait until the button is armed; the number of its offer."""
    unit = dealer.jackpot.wait_for(lambda unit: unit["armed"] is not None, WAIT_S, "the button")
    return int(unit["armed"])


def press_until_spinning(dealer: Dealer) -> None:
    """Press the button and wait until the meter spins."""
    dealer.press_button()
    dealer.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S, "a spin")


def drawn_multiplier(dealer: Dealer) -> int:
    """The multiplier drawn, as the supervisor may have it paid while the unit is gone."""
    remedies = map(read_supervisors, dealer.status["held"]["remedies"])
    return next(remedy.number for remedy in remedies if remedy.verb == "pay")


def wait_until_held(dealer: Dealer, fault: str) -> Json:
    """Wait until the table is held for that fault; the hold as its status has it."""

    def so_held(state: Json) -> bool:
        return bool(state["held"] and state["held"]["fault"] == fault)

    hold: Json = dealer.wait_until(so_held, f"the fault {fault}")["held"]
    return hold


def finish_round(dealer: Dealer) -> None:
    """Have the box paid and play the round to its end; it must settle as its script does."""
    dealer.paid()
    dealer.dealers_hand()
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
    dealer.next()
