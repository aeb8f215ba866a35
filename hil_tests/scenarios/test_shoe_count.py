"""The shoe's own count over real links: when it is loaded, with each card, and by ``ready``; and
cards that may not be played on."""

from __future__ import annotations

from typing import Any

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.setup import DIVISION_15, MBS, RWS, setup_for
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import wait_until_held
from hil_tests.rig.opening import MakeDealer

pytestmark = pytest.mark.needs_bench("hands")

ROUND = "9D 7H 9C KD"
"""Box 1 has 18, the dealer 17."""


def _cards(dealer: Dealer) -> dict[str, Any]:
    """What the report before opening says of the cards."""
    told = dealer.ask_ready()
    [found] = [check for check in told["checks"] if check["name"] == "cards"]
    assert found["ok"] or not told["ready"]
    return dict(found)


def _assert_held(dealer: Dealer, words: str) -> None:
    held = wait_until_held(dealer, "shoe-count")
    assert held["remedies"] == ["resume"]
    assert words in held["reason"]
    with pytest.raises(RefusedByController, match="held"):
        dealer.enter("open")


def _round(dealer: Dealer, *, slipped: str = "", report: str = "") -> None:
    dealer.deal_round(ROUND, {1: {"main": 100}})
    if slipped:
        dealer.shoe.do("slip", cards=slipped)
    if report:
        dealer.enter(f"report {report}")
        dealer.supervisor("void")
        return
    dealer.stand(1)
    dealer.dealers_hand()


def test_seven_decks_of_eight_with_the_lid_open(table: MakeDealer) -> None:
    dealer = table(rules=RWS)
    assert _cards(dealer)["what"] == "384 cards are in the shoe"
    dealer.shoe.do("lid", open=True)
    dealer.shoe.do("load", decks=7)
    _assert_held(dealer, "the card shoe holds 336 cards and should hold 384: 48 missing")
    assert "should hold 384: 48 missing" in _cards(dealer)["what"]
    dealer.supervisor("resume")
    assert _cards(dealer)["what"] == "336 cards are in the shoe"
    _round(dealer)
    assert dealer.status["shoe"]["remaining"] == 332
    dealer.next()
    # 368 cards into the shoe that was used: a set, and not a full one.
    dealer.shoe.do("lid", open=True)
    dealer.shoe.do("load", cards=["9C"] * 368)
    _assert_held(dealer, "holds 368 cards and should hold 384: 16 missing")
    dealer.shoe.do("lid", open=True)
    dealer.shoe.do("load", decks=8)
    dealer.wait_until(lambda state: state["shoe"]["remaining"] == 384, "the full set")
    dealer.supervisor("resume")
    _round(dealer)


def test_cards_slipped_in_mid_shoe(table: MakeDealer) -> None:
    dealer = table(rules=RWS)
    _round(dealer)
    dealer.next()
    _round(dealer, slipped="KS KH")
    assert dealer.status["settlements"]  # the round is finished first
    _assert_held(dealer, "holds 378 cards and should hold 376: 2 too many")
    dealer.supervisor("resume")
    dealer.next()
    _round(dealer)
    assert dealer.status["shoe"]["remaining"] == dealer.shoe.look()["remaining"] == 374


@pytest.mark.parametrize("rules", [MBS, DIVISION_15])
def test_cards_that_were_reported_are_not_dealt_on(rules: str, table: MakeDealer) -> None:
    dealer = table(setup_for(rules))
    dealer.burn_where_due()
    _round(dealer, report="unshuffled")
    dealer.next()
    with pytest.raises(RefusedByController, match="out of play: the cards were not shuffled"):
        dealer.enter("open")
    assert "the cards were not shuffled" in _cards(dealer)["what"]
    dealer.shoe.do("load", seed=9)
    dealer.wait_until(lambda state: not state["shoe"]["shuffle_due"], "the new shoe")
    dealer.burn_where_due()
    _round(dealer, report="count")
    dealer.supervisor("play-on")
    dealer.next()
    _round(dealer)


def test_a_new_deck_is_noticed(table: MakeDealer) -> None:
    dealer = table(rules=RWS)
    dealer.deal_round("2C 3C 4C 5C 6C 7C 8C", {box: {"main": 100} for box in (1, 2, 3)})
    told = dealer.status
    assert (told["held"], list(told["conditions"])) == (None, ["shoe-in-order"])
    assert "six cards or more" in told["prompt"]
    conditions = [one for one in dealer.ask_ready()["checks"] if one["name"] == "conditions"]
    assert "rank order of one suit" in conditions[0]["what"]
