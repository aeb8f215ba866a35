"""Tables of the two documents without side wagers, at which much goes wrong: two more stories.

Division 15 tells who puts right what; the five-card trick is silent, and the supervisor decides.
"""

from __future__ import annotations

import pytest

from hil_tests.bench import DIVISION_15, TRICK, setup_for
from hil_tests.conftest import MakeDealer
from hil_tests.story import Story

pytestmark = pytest.mark.needs_bench("hands")

HUNDRED = {"main": 100}
SEEN = ("report together CARD",)
DRAWN = ("use", "report drawn seen", "report empty-box BOX")
REFUSABLE = ("use", "choose 1 refuse", "report empty-box BOX")
OTHER = ("continue", "void", "void-hand 1", "reconstruct")


def _story(rules: str, table: MakeDealer) -> Story:
    return Story(table(setup_for(rules, spin_ms=0)))


def test_division_15(table: MakeDealer) -> None:
    story = _story(DIVISION_15, table)
    dealer = story.dealer

    # A card lies face up: the dealer puts it away. One is drawn in error and seen: box 1 refuses
    # it, box 2 takes it. One too many comes to the dealer's hand.
    story.deal("5S 5H 9D 8S 6H 4C^ 3C KC 8D 2C", box_1=HUNDRED, box_2={"main": 50})
    dealer.card()
    story.held("4C lay face up", "16.1", "discard", dealer=("discard",))
    dealer.say("discard")
    dealer.card()
    assert dealer.status["boxes"]["1"]["hands"] == [{"cards": "5S 8S 3C", "total": 16}]
    dealer.draw_under_the_lid()
    story.held("KC was drawn while the gate was locked", "16.2", *DRAWN, dealer=DRAWN)
    dealer.say("report drawn seen")
    story.held("a card was drawn in error: KC", "16.4", *REFUSABLE, dealer=REFUSABLE)
    dealer.say("choose 1 refuse")
    dealer.say("use")
    dealer.say("hit 2")
    dealer.card()
    dealer.draw(force=True)
    story.held("2C was dealt to the dealer's finished hand", "16.3", "discard", dealer=("discard",))
    dealer.say("discard")
    story.comes_to(
        "5S 5H 9D 8S 6H 4C^ 3C KC 8D",
        "2a main win 50.00 (9.2)",
        "1a main lose -100.00 (5.1(g))",
    )

    # Two cards at once, of which the document knows nothing; then the power fails. Cards lie
    # before the wrong player and nobody knows which: his hand is void.
    story.deal("KS KD 9H 2S 8D 3D 5D 7C", box_1=HUNDRED, box_2={"main": 50})
    dealer.card()
    dealer.draw_with_the_last()
    named = ("use 3D", "use 5D", "discard", "discard 3D", "discard 5D", "void")
    story.held("5D left the shoe together", "A-66", *named, "void-hand 1", "void-hand 2", *SEEN)
    story.supervisor("use 5D")
    dealer.stand(1)
    story.power_cut()
    story.held("started anew in the middle of round 2", "A-61", "resume", "void")
    dealer.supervisor("resume")
    dealer.say("report misdeal")
    story.held("dealt or placed incorrectly", "16.5", "reconstruct", "void-hand 1", "void-hand 2")
    story.supervisor("void-hand 1")
    dealer.stand(2)  # the three is the dealer's
    dealer.dealers_hand()
    story.comes_to(
        "KS KD 9H 2S 8D 3D 5D& 7C", "1a main returned 0.00 (16.5)", "2a main lose -50.00 (5.1(g))"
    )

    # A card was misread, and one is foreign. Insurance was not offered: it is, now.
    story.deal("KS AD 9S 5H 6C KC", box_1=HUNDRED)
    dealer.supervisor("correct 3 3S", why="the camera shows a three")
    dealer.done()
    dealer.card(other_back=True)
    story.held("of another design", "A-66", "use", "discard", "void", "void-hand 1")
    story.supervisor("discard")
    dealer.say("report missed-insurance 1")
    story.on()
    dealer.insure(1, 50)
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    story.comes_to(
        "KS AD 3S 5H% 6C KC", "1a insurance win 100.00 (10.5)", "1a main lose -100.00 (5.1(g))"
    )
    story.is_written_down()


def test_five_card_trick(table: MakeDealer) -> None:
    story = _story(TRICK, table)
    dealer = story.dealer

    # A bought card lies face up: it is used. Box 2 bought too, and a card was entered.
    story.deal("5S 6S 9D 4H 6H 3C^ 7D 8S 8C", box_1=HUNDRED, box_2={"main": 50})
    dealer.say("buy 1 50")
    dealer.card()
    hands = ("void-hand 1", "void-hand 2")
    story.held("3C lay face up", "matrix 3.5", "use", "discard", "void", *hands)
    story.supervisor("use")
    assert dealer.status["boxes"]["1"]["hands"] == [{"cards": "5S 4H 3C", "total": 12}]
    dealer.card()
    dealer.stand(1)
    dealer.card()
    dealer.say("report wrong-decision 2")
    story.held("box 2", "matrix 3.5", "continue", "void", *hands, "reconstruct")
    story.supervisor("reconstruct")
    dealer.say("buy 2 50")  # the eight is the next card
    dealer.stand(2)
    dealer.dealers_hand()
    story.comes_to(
        "5S 6S 9D 4H 6H 3C^ 7D 8S 8C",
        "1a main win 100.00 ([D-stays])",
        "1a buy win 50.00 ([D-stays]; A-46)",
        "2a main win 50.00 ([D-stays])",
        "2a buy win 50.00 ([D-stays]; A-46)",
    )

    # Two cards at once: the supervisor names the first. The power fails; a card was misread.
    story.deal("9S TD 2H 5D 9C 8H", box_1=HUNDRED)
    dealer.card()
    dealer.draw_with_the_last()
    named = ("use 5D", "use 9C", "discard", "discard 5D", "discard 9C", "void", "void-hand 1")
    story.held("9C left the shoe together", "matrix 3.5", *named, *SEEN)
    story.supervisor("use 9C")
    dealer.supervisor("correct 3 AH", why="the camera shows an ace")
    assert dealer.status["boxes"]["1"]["hands"] == [{"cards": "9S AH 9C", "total": 19}]
    story.power_cut()
    story.held("started anew in the middle of round 2", "A-61", "resume", "void")
    dealer.supervisor("resume")
    dealer.stand(1)
    dealer.dealers_hand()
    story.comes_to("9S TD AH 5D 9C& 8H", "1a main win 100.00 ([D-bust])")

    # A queen of another design is discarded. The cards were placed wrongly: the round is void.
    story.deal("9S 9D 3H QC 8C", box_1=HUNDRED)
    dealer.card(other_back=True)
    story.held("of another design", "matrix 3.5", "use", "discard", "void", "void-hand 1")
    story.supervisor("discard")
    dealer.card()
    dealer.say("report misdeal")
    story.held("dealt or placed incorrectly", "matrix 3.5", *OTHER)
    story.supervisor("void")
    story.comes_to("9S 9D 3H QC% 8C", "1a main returned 0.00 (matrix 3.5)")
    story.is_written_down()
