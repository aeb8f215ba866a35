"""A table of each document at which much goes wrong, as a shift would see it.

Devices see some of it, people report the rest. Who puts it right, and how, differs from document to
document; what lies on the table, what is paid and what the journal shows are looked at every time.
The tables without side wagers are in :mod:`hil_tests.test_irregular_tables_without_sides`.
"""

from __future__ import annotations

import pytest

from controller.control.client import Rejected
from hil_tests.bench import MBS, PLUS, RWS, setup_for
from hil_tests.conftest import MakeDealer
from hil_tests.story import Story

pytestmark = pytest.mark.needs_bench("hands")

HUNDRED = {"main": 100}
SEEN = ("report together CARD",)


def _story(rules: str, table: MakeDealer) -> Story:
    return Story(table(setup_for(rules, spin_ms=0)))


def test_mbs(table: MakeDealer) -> None:
    story = _story(MBS, table)
    dealer = story.dealer

    # Box 2's second card lies face up: it is played, and nobody is asked. Box 1 draws two at once:
    # he chooses, box 2 withdraws, and the other card is the dealer's.
    story.deal("5S KS 9D 6S 8H^ KC 9C", box_1=HUNDRED, box_2={"main": 50})
    story.on()
    dealer.card()
    dealer.draw_with_the_last()
    choices = ("choose 1 KC", "choose 1 9C", *SEEN)
    story.held("9C left the shoe together", "5.23.1", *choices, dealer=choices)
    dealer.say("choose 1 9C")
    story.on()
    dealer.say("choose 2 return")
    dealer.stand(1)
    story.comes_to(
        "5S KS 9D 6S 8H^ KC 9C&",
        "2a main returned 0.00 (5.25)",
        "1a main win 100.00 (4.3.2)",
    )

    # The power fails while the button is armed for a Pontoon. Box 3 is misunderstood.
    seats = {"box_1": {"main": 100, "pandemonium": 5}, "box_3": {"main": 50}}
    story.deal("AS KD 9D KS 5D 4C 8C", **seats)
    story.power_cut()
    story.held("started anew in the middle of round 2", "5.29.2", "resume")
    dealer.supervisor("resume")
    multiplier = dealer.press()
    dealer.paid()
    dealer.stand(3)
    dealer.say("report wrong-decision 3")
    story.held("box 3", "5.6.2", "reconstruct", "continue")
    story.supervisor("reconstruct")
    dealer.card()
    dealer.stand(3)
    dealer.dealers_hand()
    story.comes_to(
        "AS KD 9D KS 5D 4C 8C",
        "1a main win 150.00 (3.19)",
        f"1a pandemonium win {5 * multiplier}.00 (3.19.1)",
        "3a main win 50.00 (4.3.2)",
    )

    # A card was misread; then one comes that does not belong to the set.
    story.deal("9S 6D 8H 10D", box_1=HUNDRED)
    dealer.supervisor("correct 1 6S", why="the camera shows a six")
    assert dealer.status["boxes"]["1"]["hands"] == [{"cards": "6S 8H", "total": 14}]
    dealer.card()
    story.held("TD does not belong to the set", "5.1.1", "void")
    story.supervisor("void")
    story.comes_to("6S 6D 8H TD%", "1a main returned 0.00 (5.1.1)")
    story.is_written_down()


def test_rws(table: MakeDealer) -> None:
    story = _story(RWS, table)
    dealer = story.dealer

    # The cards were placed wrongly; they are put right. The next one lies face up: put away.
    story.deal("9D 6H 5C 4S^ 3D KD AC", box_1=HUNDRED)
    dealer.say("report misdeal")
    story.held("dealt or placed incorrectly", "5.1.2", "reconstruct", "void")
    story.supervisor("reconstruct")
    story.on()
    dealer.card()
    story.held("4S lay face up", "A-56", "use", "discard", "void", "void-hand 1")
    story.supervisor("discard")
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    story.comes_to("9D 6H 5C 4S^ 3D KD AC", "1a main stand_off 0.00 (3.18.4)")

    # Two cards at once: the supervisor names the first. Box 2 had asked for a card, not doubled.
    story.deal("2S 6S 9H 3S 5S JC 5D 4C 3C 8C", box_1=HUNDRED, box_2=HUNDRED)
    dealer.card()
    dealer.draw_with_the_last()
    named = ("use JC", "use 5D", "discard", "discard JC", "discard 5D", "void")
    hands = ("void-hand 1", "void-hand 2")
    story.held("5D left the shoe together", "A-56", *named, *hands, *SEEN)
    story.supervisor("use 5D")
    assert dealer.status["boxes"]["1"]["hands"] == [{"cards": "2S 3S 5D JC", "total": 20}]
    dealer.stand(1)
    dealer.double(2, 100)
    dealer.card()
    dealer.say("report wrong-decision 2")
    story.held("box 2", "A-56", "reconstruct", "continue")
    story.supervisor("reconstruct")
    dealer.say("hit 2")  # the four is the next card
    dealer.card()
    dealer.stand(2)
    dealer.dealers_hand()
    story.comes_to(
        "2S 6S 9H 3S 5S JC 5D& 4C 3C 8C",
        "1a main win 100.00 (3.18.2)",
        "2a main win 100.00 (3.18.2)",
    )

    # The power fails while the button is armed for a Pontoon. A five was an eight. Then a card
    # comes that does not belong to the set: all of it goes back.
    seats = {"box_1": {"main": 100, "pandemonium": 5}, "box_3": {"main": 50}}
    story.deal("AS 5D 9D KS 6D 4C", **seats)
    story.power_cut()
    story.held("started anew in the middle of round 3", "A-61", "resume", "void")
    dealer.supervisor("resume")
    dealer.press()
    dealer.paid()
    dealer.supervisor("correct 2 8D", why="the camera shows an eight")
    assert dealer.status["boxes"]["3"]["hands"] == [{"cards": "8D 6D", "total": 14}]
    dealer.card(other_back=True)
    story.held("of another design", "5.1.1", "void")
    story.supervisor("void")
    story.comes_to(
        "AS 8D 9D KS 6D 4C%",
        "1a main returned 0.00 (5.1.1)",
        "1a pandemonium returned 0.00 (5.1.1)",
        "3a main returned 0.00 (5.1.1)",
    )
    story.is_written_down()


def test_plus(table: MakeDealer) -> None:
    story = _story(PLUS, table)
    dealer = story.dealer

    # The dealer's card lies face up: it is used. Two cards at once: the player selects, and box 2
    # takes its bet back. The other card is the dealer's; so is one too many, which is discarded.
    story.deal("4S KD 8H^ 3C 4D JC 5D 9S", box_1=HUNDRED, box_2={"main": 50})
    story.on()
    dealer.card()
    dealer.draw_with_the_last()
    choices = ("choose 1 JC", "choose 1 5D", *SEEN)
    story.held("5D left the shoe together", "5.12", *choices, dealer=choices)
    dealer.say("choose 1 5D")
    dealer.say("choose 2 return")
    dealer.stand(1)
    dealer.draw(force=True)
    story.held(
        "9S was dealt to the dealer's finished hand", "5.10.2", "discard", dealer=("discard",)
    )
    dealer.say("discard")
    story.comes_to(
        "4S KD 8H^ 3C 4D JC 5D&",
        "2a main returned 0.00 (5.7.3)",
        "1a main lose -100.00 (3.27.3)",
    )

    # The power fails when nothing is won or lost yet: the round is void, and cannot go on.
    story.deal("KS 9D 7H", box_1=HUNDRED)
    story.power_cut()
    story.held("started anew in the middle of round 2", "5.4.2", "void")
    with pytest.raises(Rejected, match="permitted are void"):
        dealer.supervisor("resume")
    story.supervisor("void")
    story.comes_to("KS 9D 7H", "1a main returned 0.00 (5.4.2)")

    # A pair is lost, and the power fails: now the round is concluded. A hand was taken to stand; it
    # decides again, on a card that was misread.
    story.deal("KS 9D 2H 6C 9C", box_1={"main": 100, "pair": 10})
    story.power_cut()
    story.held("started anew in the middle of round 3", "5.4.1", "resume")
    dealer.supervisor("resume")
    dealer.supervisor("correct 3 3H", why="the camera shows a three")
    dealer.stand(1)
    dealer.say("report wrong-decision 1")
    story.held("box 1", "5.9", "reconstruct", "continue")
    story.supervisor("reconstruct")
    assert "choose 1 return" in dealer.status["permitted"]
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    story.comes_to(
        "KS 9D 3H 6C 9C",
        "1a pair lose -10.00 (3.14)",
        "1a main win 100.00 (3.27.2)",
    )
    story.is_written_down()
