"""Tables of the two documents without side wagers, at which much goes wrong: two more.

Division 15 tells who puts right what; the five-card trick is silent, and the supervisor decides.
"""

from __future__ import annotations

import pytest

from hil_tests.bench.setup import DIVISION_15, TRICK, setup_for
from hil_tests.rig.opening import MakeDealer
from hil_tests.tables.irregular import IrregularTable
from hil_tests.tables.scripted import hands_of

pytestmark = pytest.mark.needs_bench("hands")

HUNDRED = {"main": 100}
SEEN = ("report together CARD",)
DRAWN = ("use", "report drawn seen", "report empty-box BOX")
REFUSABLE = ("use", "choose 1 refuse", "report empty-box BOX")
OTHER = ("continue", "void", "void-hand 1", "reconstruct")


def _irregular(rules: str, table: MakeDealer) -> IrregularTable:
    return IrregularTable(table(setup_for(rules, spin_ms=0)))


def test_division_15(table: MakeDealer) -> None:
    irregular = _irregular(DIVISION_15, table)
    dealer = irregular.dealer

    # A card lies face up: the dealer puts it away. One is drawn in error and seen: box 1 refuses
    # it, box 2 takes it. One too many comes to the dealer's hand.
    irregular.deal("5S 5H 9D 8S 6H 4C^ 3C KC 8D 2C", box_1=HUNDRED, box_2={"main": 50})
    dealer.card()
    irregular.expect_held("4C lay face up", "16.1", "discard", dealer=("discard",))
    dealer.enter("discard")
    dealer.card()
    assert hands_of(dealer.status, 1) == [("5S 8S 3C", 16)]
    dealer.draw_under_the_lid()
    irregular.expect_held("KC was drawn while the gate was locked", "16.2", *DRAWN, dealer=DRAWN)
    dealer.enter("report drawn seen")
    irregular.expect_held("a card was drawn in error: KC", "16.4", *REFUSABLE, dealer=REFUSABLE)
    dealer.enter("choose 1 refuse")
    dealer.enter("use")
    dealer.enter("hit 2")
    dealer.card()
    dealer.draw(force=True)
    irregular.expect_held(
        "2C was dealt to the dealer's finished hand", "16.3", "discard", dealer=("discard",)
    )
    dealer.enter("discard")
    irregular.expect_settled(
        "5S 5H 9D 8S 6H 4C^ 3C KC 8D 2C",
        "2a main win 50.00 (9.2)",
        "1a main lose -100.00 (5.1(g))",
    )

    # Two cards at once, of which the document knows nothing; then the power fails. Cards lie
    # before the wrong player and nobody knows which: his hand is void.
    irregular.deal("KS KD 9H 2S 8D 3D 5D 7C", box_1=HUNDRED, box_2={"main": 50})
    dealer.card()
    dealer.draw_with_the_last()
    named = ("use 3D", "use 5D", "discard", "discard 3D", "discard 5D", "void")
    irregular.expect_held(
        "5D left the shoe together", "A-66", *named, "void-hand 1", "void-hand 2", *SEEN
    )
    irregular.remedy_by_supervisor("use 5D")
    dealer.stand(1)
    irregular.power_cut()
    irregular.expect_held("started anew in the middle of round 2", "A-61", "resume", "void")
    dealer.supervisor("resume")
    dealer.enter("report misdeal")
    irregular.expect_held(
        "dealt or placed incorrectly", "16.5", "reconstruct", "void-hand 1", "void-hand 2"
    )
    irregular.remedy_by_supervisor("void-hand 1")
    dealer.stand(2)  # the three is the dealer's
    dealer.dealers_hand()
    irregular.expect_settled(
        "KS KD 9H 2S 8D 3D 5D& 7C", "1a main returned 0.00 (16.5)", "2a main lose -50.00 (5.1(g))"
    )

    # A card was misread, and one is foreign. Insurance was not offered: it is, now.
    irregular.deal("KS AD 9S 5H 6C KC", box_1=HUNDRED)
    dealer.supervisor("correct 3 3S", why="the camera shows a three")
    dealer.end_offer()
    dealer.card(other_back=True)
    irregular.expect_held("of another design", "A-66", "use", "discard", "void", "void-hand 1")
    irregular.remedy_by_supervisor("discard")
    dealer.enter("report missed-insurance 1")
    irregular.expect_play()
    dealer.enter("insure 1 50")
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    irregular.expect_settled(
        "KS AD 3S 5H% 6C KC", "1a insurance win 100.00 (10.5)", "1a main lose -100.00 (5.1(g))"
    )
    irregular.check_journal()


def test_five_card_trick(table: MakeDealer) -> None:
    irregular = _irregular(TRICK, table)
    dealer = irregular.dealer

    # A bought card lies face up: it is used. Box 2 bought too, and a card was entered.
    irregular.deal("5S 6S 9D 4H 6H 3C^ 7D 8S 8C", box_1=HUNDRED, box_2={"main": 50})
    dealer.enter("buy 1 50")
    dealer.card()
    hands = ("void-hand 1", "void-hand 2")
    irregular.expect_held("3C lay face up", "matrix 3.5", "use", "discard", "void", *hands)
    irregular.remedy_by_supervisor("use")
    assert hands_of(dealer.status, 1) == [("5S 4H 3C", 12)]
    dealer.card()
    dealer.stand(1)
    dealer.card()
    dealer.enter("report wrong-decision 2")
    irregular.expect_held("box 2", "matrix 3.5", "continue", "void", *hands, "reconstruct")
    irregular.remedy_by_supervisor("reconstruct")
    dealer.enter("buy 2 50")  # the eight is the next card
    dealer.stand(2)
    dealer.dealers_hand()
    irregular.expect_settled(
        "5S 6S 9D 4H 6H 3C^ 7D 8S 8C",
        "1a main win 100.00 ([D-stays])",
        "1a buy win 50.00 ([D-stays]; A-46)",
        "2a main win 50.00 ([D-stays])",
        "2a buy win 50.00 ([D-stays]; A-46)",
    )

    # Two cards at once: the supervisor names the first. The power fails; a card was misread.
    irregular.deal("9S TD 2H 5D 9C 8H", box_1=HUNDRED)
    dealer.card()
    dealer.draw_with_the_last()
    named = ("use 5D", "use 9C", "discard", "discard 5D", "discard 9C", "void", "void-hand 1")
    irregular.expect_held("9C left the shoe together", "matrix 3.5", *named, *SEEN)
    irregular.remedy_by_supervisor("use 9C")
    dealer.supervisor("correct 3 AH", why="the camera shows an ace")
    assert hands_of(dealer.status, 1) == [("9S AH 9C", 19)]
    irregular.power_cut()
    irregular.expect_held("started anew in the middle of round 2", "A-61", "resume", "void")
    dealer.supervisor("resume")
    dealer.stand(1)
    dealer.dealers_hand()
    irregular.expect_settled("9S TD AH 5D 9C& 8H", "1a main win 100.00 ([D-bust])")

    # A queen of another design is discarded. The cards were placed wrongly: the round is void.
    irregular.deal("9S 9D 3H QC 8C", box_1=HUNDRED)
    dealer.card(other_back=True)
    irregular.expect_held(
        "of another design", "matrix 3.5", "use", "discard", "void", "void-hand 1"
    )
    irregular.remedy_by_supervisor("discard")
    dealer.card()
    dealer.enter("report misdeal")
    irregular.expect_held("dealt or placed incorrectly", "matrix 3.5", *OTHER)
    irregular.remedy_by_supervisor("void")
    irregular.expect_settled("9S 9D 3H QC% 8C", "1a main returned 0.00 (matrix 3.5)")
    irregular.check_journal()
