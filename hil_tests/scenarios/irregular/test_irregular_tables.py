"""A table of each document at which much goes wrong, as a shift would see it.

Devices see some of it, people report the rest. Who puts it right, and how, differs from document to
document; what lies on the table, what is paid and what the journal shows are looked at every time.
The tables without side wagers are in ``test_irregular_tables_without_sides.py``.
"""

from __future__ import annotations

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.setup import MBS, PLUS, RWS, setup_for
from hil_tests.rig.opening import MakeDealer
from hil_tests.tables.irregular import IrregularTable
from hil_tests.tables.scripted import hands_of

pytestmark = pytest.mark.needs_bench("hands")

HUNDRED = {"main": 100}
SEEN = ("report together CARD",)
LEAVE = ("choose 1 return", "choose 2 return")
"""Wagers may be taken back before one of the cards is anybody's (MBS 5.25; Plus 5.7.3)."""


def _irregular(rules: str, table: MakeDealer) -> IrregularTable:
    return IrregularTable(table(setup_for(rules, spin_ms=0)))


def test_mbs(table: MakeDealer) -> None:
    irregular = _irregular(MBS, table)
    dealer = irregular.dealer

    # Box 2's second card lies face up: it is played, and nobody is asked. Box 1 draws two at once:
    # he had 21 with the first, chooses, box 2 withdraws, and the other card is the dealer's.
    irregular.deal("5S KS 9D 6S 8H^ KC 9C", box_1=HUNDRED, box_2={"main": 50})
    irregular.expect_play()
    dealer.card()
    dealer.draw_with_the_last()
    choices = ("choose 1 KC", "choose 1 9C", *LEAVE, *SEEN)
    irregular.expect_held("9C left the shoe together", "5.23.1", *choices, dealer=choices)
    dealer.enter("choose 1 9C")
    irregular.expect_play()
    dealer.enter("choose 2 return")
    dealer.stand(1)
    dealer.end_offer()  # until the next card whoever likes may withdraw, too
    irregular.expect_settled(
        "5S KS 9D 6S 8H^ KC 9C&",
        "1a main win 100.00 (3.29)",
        "1a main reversed -100.00 (3.29)",
        "2a main returned 0.00 (5.25)",
        "1a main win 100.00 (4.3.2)",
    )

    # The power fails while the button is armed for a Pontoon. Box 3 is misunderstood.
    seats = {"box_1": {"main": 100, "pandemonium": 5}, "box_3": {"main": 50}}
    irregular.deal("AS KD 9D KS 5D 4C 8C", **seats)
    irregular.power_cut()
    irregular.expect_held("started anew in the middle of round 2", "5.29.2", "resume")
    dealer.supervisor("resume")
    multiplier = dealer.press()
    dealer.paid()
    dealer.stand(3)
    dealer.enter("report wrong-decision 3")
    irregular.expect_held("box 3", "5.6.2", "reconstruct", "continue")
    irregular.remedy_by_supervisor("reconstruct")
    dealer.card()
    dealer.stand(3)
    dealer.dealers_hand()
    irregular.expect_settled(
        "AS KD 9D KS 5D 4C 8C",
        "1a main win 150.00 (3.19)",
        f"1a pandemonium win {5 * multiplier}.00 (3.19.1)",
        "3a main win 50.00 (4.3.2)",
    )

    # A card was misread; then one comes that does not belong to the set.
    irregular.deal("9S 6D 8H 10D", box_1=HUNDRED)
    dealer.supervisor("correct 1 6S", why="the camera shows a six")
    assert hands_of(dealer.status, 1) == [("6S 8H", 14)]
    dealer.enter("done")  # the correction is complete
    dealer.card()
    irregular.expect_held("TD does not belong to the set", "5.1.1", "void")
    irregular.remedy_by_supervisor("void")
    irregular.expect_settled("6S 6D 8H TD%", "1a main returned 0.00 (5.1.1)")
    irregular.check_journal()


def test_rws(table: MakeDealer) -> None:
    irregular = _irregular(RWS, table)
    dealer = irregular.dealer

    # The cards were placed wrongly; they are put right. The next one lies face up: put away.
    irregular.deal("9D 6H 5C 4S^ 3D KD AC", box_1=HUNDRED)
    dealer.enter("report misdeal")
    irregular.expect_held("dealt or placed incorrectly", "5.1.2", "reconstruct", "void")
    irregular.remedy_by_supervisor("reconstruct")
    irregular.expect_play()
    dealer.card()
    irregular.expect_held("4S lay face up", "A-56", "use", "discard", "void", "void-hand 1")
    irregular.remedy_by_supervisor("discard")
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    irregular.expect_settled("9D 6H 5C 4S^ 3D KD AC", "1a main stand_off 0.00 (3.18.4)")

    # Two cards at once: the supervisor names the first. Box 2 had asked for a card, not doubled.
    irregular.deal("2S 6S 9H 3S 5S JC 5D 4C 3C 8C", box_1=HUNDRED, box_2=HUNDRED)
    dealer.card()
    dealer.draw_with_the_last()
    named = ("use JC", "use 5D", "discard", "discard JC", "discard 5D", "void")
    hands = ("void-hand 1", "void-hand 2")
    irregular.expect_held("5D left the shoe together", "A-56", *named, *hands, *SEEN)
    irregular.remedy_by_supervisor("use 5D")
    assert hands_of(dealer.status, 1) == [("2S 3S 5D JC", 20)]
    dealer.stand(1)
    dealer.enter("double 2 100")
    dealer.card()
    dealer.enter("report wrong-decision 2")
    irregular.expect_held("box 2", "A-56", "reconstruct", "continue")
    irregular.remedy_by_supervisor("reconstruct")
    dealer.enter("hit 2")  # the four is the next card
    dealer.card()
    dealer.stand(2)
    dealer.dealers_hand()
    irregular.expect_settled(
        "2S 6S 9H 3S 5S JC 5D& 4C 3C 8C",
        "1a main win 100.00 (3.18.2)",
        "2a main win 100.00 (3.18.2)",
    )

    # The power fails while the button is armed for a Pontoon. A five was an eight. Then a card
    # comes that does not belong to the set: all of it goes back.
    seats = {"box_1": {"main": 100, "pandemonium": 5}, "box_3": {"main": 50}}
    irregular.deal("AS 5D 9D KS 6D 4C", **seats)
    irregular.power_cut()
    irregular.expect_held("started anew in the middle of round 3", "A-61", "resume", "void")
    dealer.supervisor("resume")
    dealer.press()
    dealer.paid()
    dealer.supervisor("correct 2 8D", why="the camera shows an eight")
    assert hands_of(dealer.status, 3) == [("8D 6D", 14)]
    dealer.enter("done")
    dealer.card(other_back=True)
    irregular.expect_held("of another design", "5.1.1", "void")
    irregular.remedy_by_supervisor("void")
    irregular.expect_settled(
        "AS 8D 9D KS 6D 4C%",
        "1a main returned 0.00 (5.1.1)",
        "1a pandemonium returned 0.00 (5.1.1)",
        "3a main returned 0.00 (5.1.1)",
    )
    irregular.check_journal()


def test_plus(table: MakeDealer) -> None:
    irregular = _irregular(PLUS, table)
    dealer = irregular.dealer

    # The dealer's card lies face up: it is used. Two cards at once: the player selects, and box 2
    # takes its bet back. The other card is the dealer's; so is one too many, which is discarded.
    irregular.deal("4S KD 8H^ 3C 4D JC 5D 9S", box_1=HUNDRED, box_2={"main": 50})
    irregular.expect_play()
    dealer.card()
    dealer.draw_with_the_last()
    choices = ("choose 1 JC", "choose 1 5D", *LEAVE, *SEEN)
    irregular.expect_held("5D left the shoe together", "5.12", *choices, dealer=choices)
    dealer.enter("choose 1 5D")
    dealer.enter("choose 2 return")
    dealer.stand(1)
    dealer.draw(force=True)
    irregular.expect_held(
        "9S was dealt to the dealer's finished hand", "5.10.2", "discard", dealer=("discard",)
    )
    dealer.enter("discard")
    irregular.expect_settled(
        "4S KD 8H^ 3C 4D JC 5D& 9S",
        "2a main returned 0.00 (5.7.3)",
        "1a main lose -100.00 (3.27.3)",
    )

    # The power fails when nothing is won or lost yet: the round is void, and cannot go on.
    irregular.deal("KS 9D 7H", box_1=HUNDRED)
    irregular.power_cut()
    irregular.expect_held("started anew in the middle of round 2", "5.4.2", "void")
    with pytest.raises(RefusedByController, match="permitted are void"):
        dealer.supervisor("resume")
    irregular.remedy_by_supervisor("void")
    irregular.expect_settled("KS 9D 7H", "1a main returned 0.00 (5.4.2)")

    # A pair is lost, and the power fails: now the round is concluded. A hand was taken to stand; it
    # decides again, on a card that was misread.
    irregular.deal("KS 9D 2H 6C 9C", box_1={"main": 100, "pair": 10})
    irregular.power_cut()
    irregular.expect_held("started anew in the middle of round 3", "5.4.1", "resume")
    dealer.supervisor("resume")
    dealer.supervisor("correct 3 3H", why="the camera shows a three")
    dealer.stand(1)
    dealer.enter("report wrong-decision 1")
    irregular.expect_held("box 1", "5.9", "reconstruct", "continue")
    irregular.remedy_by_supervisor("reconstruct")
    assert "choose 1 return" in dealer.status["permitted"]
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    irregular.expect_settled(
        "KS 9D 3H 6C 9C",
        "1a pair lose -10.00 (3.14)",
        "1a main win 100.00 (3.27.2)",
    )
    irregular.check_journal()
