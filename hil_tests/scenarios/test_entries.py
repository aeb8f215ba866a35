"""What a dealer may say at a live table: taking back, amounts left out, hits that nobody says."""

from __future__ import annotations

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.setup import MBS, RWS
from hil_tests.people.dealer import Dealer
from hil_tests.rig.opening import MakeDealer
from hil_tests.tables.scripted import hands_of

pytestmark = pytest.mark.needs_bench("hands")


def _to_the_decision(dealer: Dealer, behind: str = "4S KD 9H", **wagers: float | None) -> None:
    """Box 1 has 14 against 6."""
    dealer.deal_round(f"9D 6H 5C {behind}", {1: wagers or {"main": 100}})


def test_a_card_drawn_is_the_hit_without_a_key(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    dealer.card()
    assert hands_of(dealer.status, 1) == [("9D 5C 4S", 18)]
    assert dealer.record.steps == ["hit 1"]


def test_a_hit_that_is_said_changes_nothing(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    before = dealer.status["boxes"]
    dealer.enter("hit 1")
    assert dealer.status["boxes"] == before
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]


def test_the_last_entry_is_taken_back_until_a_card_follows(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    dealer.stand(1)
    assert dealer.state == "dealer.second_card"
    dealer.undo()
    dealer.record.taken_back()
    assert dealer.state == "play.decide"
    dealer.stand(1)
    dealer.card()
    with pytest.raises(RefusedByController, match="nothing can be taken back"):
        dealer.undo()
    dealer.dealers_hand()
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]


def test_closing_bets_is_taken_back(dealer: Dealer) -> None:
    dealer.open_bets()
    dealer.wager(1, main=100)
    dealer.no_more_bets()
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked")
    dealer.undo()
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "locked")
    dealer.wager(3, main=50)
    dealer.no_more_bets()
    assert dealer.state == "deal.first_cards"


def test_amounts_left_out_give_odds_instead_of_sums(dealer: Dealer) -> None:
    dealer.deal_round("AS 9D KC 8H 9H", {1: {"main": None, "pandemonium": None}})
    multiplier = dealer.press()
    dealer.paid()
    dealer.dealers_hand()
    told = [(s["kind"], s["odds"], s["stake"], s["net"]) for s in dealer.status["settlements"]]
    assert told == [
        ("main", "3:2", None, None),
        ("pandemonium", f"{multiplier}:1", None, None),
    ]


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_main_wagers_stay_and_side_wagers_go(rules: str, table: MakeDealer) -> None:
    dealer = table(rules=rules)
    for number in (1, 2, 3):
        _to_the_decision(dealer, behind="5S KD 9H", main=100, pair=10, pandemonium=5)
        assert dealer.status["round"] == number
        dealer.card()
        dealer.stand(1)
        dealer.dealers_hand()
        assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
        dealer.next()
        assert dealer.status["boxes"]["1"]["wagers"] == {"a": {"main": "100.00"}}
        assert dealer.status["round"] == number


def test_what_is_not_permitted_is_refused_with_the_clause(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    with pytest.raises(RefusedByController) as refusal:
        dealer.wager(3, main=50)
    assert refusal.value.clause
    assert "stand 1" in refusal.value.permitted
    with pytest.raises(RefusedByController, match="two cards of equal value"):
        dealer.enter("split 1")
    with pytest.raises(RefusedByController, match="only the button"):
        dealer.enter("press 1")
    assert dealer.record.steps == []
