"""Cards that may not be played as they came: held at once, with what the supervisor may do.

Nothing is lost: once he has said what becomes of the card, the round goes on and settles as a
round of the cards that were played.
"""

from __future__ import annotations

import pytest

from controller.control.client import RefusedByController
from hil_tests.people.dealer import Dealer
from hil_tests.rig.opening import MakeDealer
from hil_tests.tables.scripted import hands_of

pytestmark = pytest.mark.needs_bench("hands")

BOX_1_HAS_14 = "9D 6H 5C"
"""Box 1's first card, the dealer's, box 1's second."""


def _deal(dealer: Dealer, behind: str, wagers: float = 100) -> None:
    dealer.deal_round(f"{BOX_1_HAS_14} {behind}", {1: {"main": wagers}})
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked")


def _assert_held(dealer: Dealer, fault: str, *remedies: str) -> None:
    state = dealer.status
    assert state["held"], state
    assert state["held"]["fault"] == fault
    assert state["held"]["remedies"] == list(remedies)
    assert (state["awaiting"], state["permitted"]) == ("supervisor", [])
    assert state["state"].startswith("held.")
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "locked" and shoe["signal"] == "red")
    keypad = dealer.bench.devices["keypad"]
    keypad.wait_for(lambda pad: pad["hold"] and pad["rows"][0] == "HELD: SUPERVISOR")
    with pytest.raises(RefusedByController, match="held"):
        dealer.stand(1)


def _finish(dealer: Dealer, *played: str) -> None:
    """Box 1 has these cards in the end; the round is over and comes to the same on paper."""
    assert dealer.status["boxes"]["1"]["hands"][0]["cards"] == " ".join(played)
    dealer.stand(1)
    dealer.record.steps.insert(0, "hit 1")
    dealer.record.cards.insert(3, played[2])
    dealer.dealers_hand()
    state = dealer.status
    assert state["settlements"] == dealer.record.expected()["settlements"]
    dealer.next()


def test_an_unread_card_is_named(dealer: Dealer) -> None:
    _deal(dealer, "4S KD 9H")
    dealer.draw(unread=True)
    _assert_held(dealer, "card-unread", "card CARD", "void")
    assert dealer.status["held"]["cards"] == ["??"]
    with pytest.raises(RefusedByController, match="no tens"):
        dealer.supervisor("card TD")
    dealer.supervisor("card 4S")
    _finish(dealer, "9D", "5C", "4S")


def test_a_card_that_lay_face_up_plays_on(dealer: Dealer) -> None:
    """MBS 5.5: as if it had lain face down; nobody is asked."""
    _deal(dealer, "4S KD 9H")
    dealer.draw(face_up=True)
    assert dealer.status["held"] is None
    _finish(dealer, "9D", "5C", "4S")


def test_a_foreign_card_voids_the_round(dealer: Dealer) -> None:
    _deal(dealer, "4S KD 9H")
    dealer.draw(other_back=True)
    _assert_held(dealer, "card-foreign", "void")
    with pytest.raises(RefusedByController, match="not permitted"):
        dealer.supervisor("discard")
    dealer.supervisor("void", why="a red card among blue ones")
    state = dealer.status
    assert (state["state"], state["held"]) == ("void", None)
    assert [s["outcome"] for s in state["settlements"]] == ["returned"]


def test_one_more_of_a_card_than_the_decks_hold(table: MakeDealer) -> None:
    dealer = table(decks=4, options={"shoe": ("--decks", "4")})
    dealer.deal_round("2S 9H 2S 2S 2S 2S", {1: {"main": 100}})
    for _ in range(2):
        dealer.card()
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked")
    dealer.draw()
    _assert_held(dealer, "card-excess", "void")


def test_a_card_pulled_through_the_locked_gate(dealer: Dealer) -> None:
    dealer.open_bets()
    dealer.draw(force=True)
    _assert_held(dealer, "card-locked", "discard")
    dealer.supervisor("discard")
    assert dealer.status["held"] is None
    dealer.wager(1, main=100)


def test_a_card_behind_the_one_that_waits_is_not_lost(dealer: Dealer) -> None:
    _deal(dealer, "4S 3H KD 9H")
    dealer.draw(unread=True)
    dealer.draw(force=True)
    assert dealer.status["held"]["cards"] == ["??", "3H"]
    dealer.supervisor("card 4S")
    assert dealer.status["held"]["fault"] == "card-locked"
    dealer.enter("use")  # MBS 5.8: it is the next card, and the dealer's to say
    dealer.enter("hit 1")
    state = dealer.status
    assert hands_of(state, 1) == [("9D 5C 4S 3H", 21)]
    assert state["state"] == "settled"


def test_a_foreign_card_by_its_rank(dealer: Dealer) -> None:
    _deal(dealer, "10D")
    dealer.draw()
    _assert_held(dealer, "card-foreign", "void")
