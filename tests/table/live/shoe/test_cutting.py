"""Who cuts the shuffled cards (``shoe.cut``; Division 15, 7.3 and 7.4)."""

from __future__ import annotations

import dataclasses

import pytest

from controller.files.rules import load_rules
from controller.table.entering.supervising import supervisor_commands
from hil_tests.benches.driven_table import FOREIGN
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live

NAMES_NOBODY = (MBS, RWS, PLUS, FIVE)


def _cutting_card(table: Live) -> None:
    table.device("shoe", "CUTTING_CARD", remaining=60)


def _loaded(table: Live) -> None:
    table.shoe((0, 0), (1, 384))


def _two_boxes(rules: str = DIV) -> Live:
    return Live(rules).play("open", "wager 2 main 10", "wager 5 main 10", "close")


def test_the_player_cuts_on_whose_box_it_came() -> None:
    table = _two_boxes()
    table.play("9C 8C 7D 9H 8H", "stand 2")
    _cutting_card(table)  # where a card would be box 5's
    assert "cuts" not in table.status()["prompt"]
    table.say("stand 5")
    _cutting_card(table)  # of two the first counts
    table.deal("KD")
    told = "box 5 cuts (7.3(b)); who declines, clockwise (7.4)"
    assert told in table.status()["prompt"]
    table.say("next")
    assert told in table.status()["prompt"]
    assert table.rows() == ("SHUFFLE FIRST", "BOX 5 CUTS")
    _loaded(table)
    assert "cuts" not in table.status()["prompt"]
    assert "CUTS" not in table.rows()[1]


def test_in_the_initial_deal_it_is_the_box_whose_card_was_due() -> None:
    table = _two_boxes()
    table.deal("9C 8C 7D 9H")
    _cutting_card(table)
    table.play("8H", "stand 2", "stand 5", "KD")
    assert "box 5 cuts (7.3(b))" in table.status()["prompt"]


@pytest.mark.parametrize("dealers_first", [True, False])
def test_the_player_farthest_right_cuts_where_it_came_to_the_dealer(dealers_first: bool) -> None:
    table = _two_boxes()
    table.deal("9C 8C")
    if dealers_first:
        _cutting_card(table)
    table.play("7D 9H 8H", "stand 2", "stand 5")
    if not dealers_first:
        _cutting_card(table)
    table.deal("KD")
    assert "box 5 cuts (7.3(c))" in table.status()["prompt"]


def test_while_insurance_is_open_it_comes_to_the_next_hand() -> None:
    table = _two_boxes()
    table.deal("9C 8C AD 9H 8H")
    _cutting_card(table)
    table.play("done", "stand 2", "stand 5", "KD")
    assert "box 2 cuts (7.3(b))" in table.status()["prompt"]


def test_before_play_the_first_player_cuts() -> None:
    table = Live(DIV).play("sue: close-table")
    told = "the first player at the table cuts (7.3(a)); who declines, clockwise (7.4)"
    assert told in table.status()["prompt"]
    table.play("sue: open-table", "inspected")
    assert told in table.status()["prompt"]
    assert table.rows()[1] == "FIRST PLAYER CUTS"
    _loaded(table)
    assert "cuts" not in table.status()["prompt"]


def test_before_the_first_shoe_of_all_the_first_player_cuts() -> None:
    table = Live(DIV, devices=())
    assert "cuts" not in table.status()["prompt"]
    table = Live(DIV)
    table.table.shoe.book.counted = False  # none was loaded yet
    assert "the first player at the table cuts (7.3(a))" in table.status()["prompt"]


def test_of_the_first_card_of_a_round_the_document_names_nobody() -> None:
    table = _two_boxes()
    _cutting_card(table)
    assert "the cutting card has come" in table.status()["prompt"]
    assert "cuts" not in table.status()["prompt"]


@pytest.mark.parametrize("rules", NAMES_NOBODY)
def test_other_documents_do_not_say_who_cuts(rules: str) -> None:
    table = Live(rules).play("sue: close-table")
    assert "cuts" not in table.status()["prompt"]


def test_a_house_may_say_so_by_one_clause() -> None:
    rules = load_rules(MBS)
    cut = dataclasses.replace(rules.shoe.cut, value="who_had_the_card", clause="house 4")
    rules = dataclasses.replace(rules, shoe=dataclasses.replace(rules.shoe, cut=cut))
    table = Live(MBS)
    table.start(new=dataclasses.replace(table.settings, rules=rules))
    table.order("close-table")
    told = "the first player at the table cuts (house 4); who declines, clockwise (house 4)"
    assert told in table.status()["prompt"]


def test_how_the_cut_is_made_is_told() -> None:
    table = Live(DIV).play("sue: close-table")
    assert "a deck or more from either end (7.5)" in table.status()["prompt"]


def test_of_cards_that_are_exchanged_the_player_farthest_left_cuts() -> None:
    """7.3(d), 7.7: between rounds, and no shuffle is due."""
    table = _two_boxes()
    table.play("9C 8C 7D 9H 8H", "stand 2", "stand 5", "KD", "next")
    assert "cuts" not in table.status()["prompt"]
    table.shoe((0, 0))
    assert "box 2 cuts (7.3(d)); who declines, clockwise (7.4)" in table.status()["prompt"]
    assert table.rows()[1] == "BOX 2 CUTS"
    table.shoe((1, 384))
    assert "cuts" not in table.status()["prompt"]


def _runs_out(rules: str) -> Live:
    """Box 2 has stood, box 5 has doubled, and there is no card for it."""
    table = _two_boxes(rules)
    table.play("9C 4C 7D 8H 5H", "stand 2", "double 5 10")
    table.shoe((0, 0))
    return table


def test_the_discards_are_cut_by_the_player_whose_hand_is_next() -> None:
    """MBS 5.19; its clause has no other remedy, before and after."""
    table = _runs_out(MBS)
    assert table.status()["held"]["remedies"] == ["reshuffle"]
    told = table.order("reshuffle").notes[0]
    cut = "they are riffle shuffled once and cut by the player of box 5, who is next (5.19)"
    assert told == f"the discards go back into the shoe: {cut}"
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-empty", [])
    assert held["reason"] == f"the discards go back into the empty card shoe: {cut}"
    table.refuses_order("void", "is finished with the shuffled discards: load them")
    table.shoe((1, 379))
    assert table.status()["held"] is None
    assert "void" in map(str, supervisor_commands(table.table))
    table.deal("9H")
    assert table.state == "play.withdraw"


@pytest.mark.parametrize(
    ("rules", "remedies"), [(MBS, ["void"]), (RWS, ["void"]), (DIV, ["discard", "void"])]
)
def test_a_foreign_card_makes_the_round_void_also_where_discards_are_awaited(
    rules: str, remedies: list[str]
) -> None:
    """Its own clause does (MBS 5.1.1); the one of the discards alone has no such remedy (MBS 5.19).
    Nothing could be said while the shoe was opened for a card that was not read."""
    table = _runs_out(rules)
    table.order("reshuffle")
    table.shoe((1, 379))
    table.slip("??", FOREIGN)
    table.shoe((0, 0))
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("card-foreign", remedies)
    table.order("void")
    assert (table.state, table.status()["held"]) == ("void", None)


def test_the_discards_are_cut_as_after_a_round() -> None:
    """Division 15, 16.7 with 7.3(b): the cutting card came where a card was due to box 2."""
    table = _two_boxes(DIV)
    table.deal("9C 4C 7D 8H 5H")
    _cutting_card(table)
    table.say("stand 2", "double 5 10")
    table.shoe((0, 0))
    table.order("reshuffle")
    reason = table.status()["held"]["reason"]
    assert "box 2 cuts (7.3(b)); who declines, clockwise (7.4)" in reason
    assert reason.endswith("(16.7)")


@pytest.mark.parametrize("rules", [RWS, PLUS])
def test_where_the_document_says_nothing_of_discards_nobody_is_named(rules: str) -> None:
    table = _runs_out(rules)
    if rules == PLUS:  # 5.5.3: the round is void
        assert table.status()["held"]["remedies"] == ["void"]
        return
    table.order("reshuffle")
    held = table.status()["held"]
    assert held["reason"] == "the discards go back into the empty card shoe"
    assert held["remedies"] == ["void"]  # A-56 has it


def test_in_the_five_card_trick_nobody_is_named_either() -> None:
    """Matrix 3.5: that the discards go on is a default, and how they are cut is nowhere."""
    table = _two_boxes(FIVE)
    table.play("9C KC 7D 8H KH 2D", "stand 2", "stand 5")
    table.shoe((0, 0))
    assert table.status()["held"]["remedies"] == ["reshuffle", "void"]
    table.order("reshuffle")
    assert table.status()["held"]["reason"] == "the discards go back into the empty card shoe"
