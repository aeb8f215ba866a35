"""Rounds opened under version 2 of the engine: they are played on, and replayed, as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.files.rules import load_rules
from controller.round import play
from controller.round.permitted import permitted
from controller.round.refusal import Refused
from controller.round.state import Round
from controller.round.wagers import Sheet
from controller.rules.cards import parse_card, write_cards
from controller.rules.engine import BEFORE, PRESENT
from controller.rules.loader import RulesError, build_rules, dump_rules, parse_rules
from tests.round.played import DIVISION_15, LIMITS, MBS, PLUS, moved


def _before(rules: str, *moves: str, boxes: int = 2) -> Round:
    sheet = Sheet()
    for box in range(1, boxes + 1):
        sheet.set("main", box, "a", 1000)
    rnd = play.begin(replace(load_rules(rules), engine=BEFORE), LIMITS, sheet)
    for move in moves:
        rnd = moved(rnd, move)
    return rnd


def test_a_card_is_corrected_at_once() -> None:
    rnd = _before(MBS, "9S 8S 7D 5H 6H", "correct 1 9C")
    assert rnd.edits == ()
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9C 5H"
    assert rnd.remarks == ["card 1 of the round was read 9S, it is 9C"]


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (("9S 8S 7D 5H 6H", "correct 6 9C"), "there is no card 6"),
        (("9S 8S 7D 5H 6H", "correct 1 TC"), "the set has no tens"),
        (("9S 8S 7D 5H 6H", "correct 1 9S"), "card 1 is 9S already"),
        (("AS 8S 7D KH 6H", "correct 1 9S"), "a wager has been settled on the strength of AS"),
        (("8C 8S 7D 8H 6H", "split 1", "correct 1 9S"), "what was done could not have been"),
        (("9S 8S 7D 5H 6H", "lies 1 2"), "not in a round that was opened before"),
        (("9S 8S 7D 5H 6H", "stand 1", "report passed-over 2"), "its turn is to come"),
    ],
)
def test_what_cannot_be_corrected(moves: tuple[str, ...], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        _before(MBS, *moves)


def test_a_card_too_many_of_its_kind_is_dealt_when_it_was_misread() -> None:
    rnd = _before(MBS, "9S 8S 7D 5H 6H")
    rnd = play.lay_aside(rnd, [parse_card("2C")], "count", asked=True)
    rnd = moved(rnd, "correct 6 3C")
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9S 5H 3C"


def test_cards_that_wait_are_renamed_in_their_remedies() -> None:
    rnd = _before(DIVISION_15, "9S 8S 7D 5H 6H")
    rnd = play.lay_aside(rnd, [parse_card("2C")], "face-up", asked=True)
    rnd = moved(moved(rnd, "discard"), "correct 6 3C")
    assert write_cards([card for given in rnd.log for card in given.cards]) == "9S 8S 7D 5H 6H 3C"


def test_a_decision_behind_a_settlement_is_not_taken_back() -> None:
    rnd = _before(DIVISION_15, "9S 8S 7D KH 6H", "hit 1", "KC", "report wrong-decision 1")
    with pytest.raises(Refused, match="permitted: void-hand 2"):
        moved(rnd, "reconstruct")


def test_the_dealers_late_card_pays_no_super_bonus_any_more() -> None:
    rnd = _before(
        PLUS, "7C 9D 7C", "report dealer-no-card", "continue", "hit 1", "7C", "7D", boxes=1
    )
    assert [(settled.kind, settled.net) for settled in rnd.settlements] == [("main", 2000)]


def test_the_dealers_late_card_is_not_taken_when_nothing_is_open() -> None:
    """Box 1 is bust, and box 2 takes its bet back; box 1 is offered nothing."""
    moves = ("9S 8S 7D 8H 6H", "hit 1", "KC", "report dealer-no-card", "use")
    rnd = _before(MBS, *moves)
    assert rnd.state == "play.dealer_card"
    assert permitted(rnd)[:1] == ["choose 2 return"]
    assert moved(rnd, "choose 2 return").state == "settled"


def test_what_was_reconstructed_is_played_again_without_finding_a_hand_anew() -> None:
    rnd = _before(PLUS, "9S 8S 7D 5H 6H", "hit 1", "2C", "report wrong-decision 1", "reconstruct")
    assert "options" in [given.what for given in rnd.log]
    assert play.play_again(rnd, rnd.log).state == rnd.state == "play.decide"


def test_of_a_box_passed_over_the_decisions_since_count() -> None:
    rnd = _before(
        MBS, "9S 8S 7S 7D 5H 6H 4C", "stand 1", "stand 2", "report passed-over 1", boxes=3
    )
    assert rnd.irregularity is not None  # only the next hand has been acted on
    moved(rnd, "reconstruct")


@pytest.mark.parametrize(
    ("moves", "may"),
    [((), ["reconstruct", "void"]), (("hit 1", "2C"), ["reconstruct", "continue"])],
)
def test_a_misdeal_is_void_only_before_a_subsequent_card(
    moves: tuple[str, ...], may: list[str]
) -> None:
    rnd = _before(MBS, "9S 8S 7D 5H 6H", *moves, "report misdeal")  # 5.6.1 and 5.6.2
    assert permitted(rnd) == may


def test_only_a_journal_says_for_which_engine_a_set_is_read() -> None:
    rules = load_rules(MBS)
    data = dump_rules(rules)
    assert build_rules(data, "a journal").engine == PRESENT
    del data["engine"]
    assert build_rules(data, "a journal").engine == BEFORE
    with pytest.raises(RulesError, match="engine = 9: expected 2, 3, 4"):
        build_rules({**data, "engine": 9}, "a journal")
    with pytest.raises(RulesError, match="engine is not a rule file's to say"):
        parse_rules("engine = 3", "mine")
