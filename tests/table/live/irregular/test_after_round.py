"""What an irregularity leaves to be put right at the end of the round."""

from __future__ import annotations

import pytest

from controller.game.round.refusal import Refused
from tests.table.live.driver import MBS, RWS, Live
from tests.table.live.rule_sets import DIVISION_15, PLUS, TRICK, table_of


def _in_play(rules: str) -> Live:
    table = table_of(rules)
    table.say("open", "wager 1 main 10", "close")
    table.deal("9C 7D 9H")
    return table


def _finish(table: Live) -> None:
    table.say("stand 1")
    table.deal("KD")
    assert table.state == "settled"
    table.say("next")


def _reshuffled(rules: str) -> Live:
    table = _in_play(rules)
    table.order("report shoe-empty")
    assert "reshuffle" in table.status()["held"]["remedies"]
    table.order("reshuffle")
    _finish(table)
    return table


@pytest.mark.parametrize("rules", [MBS, RWS, TRICK])
def test_a_round_finished_with_the_discards_is_followed_by_a_shuffle(rules: str) -> None:
    table = _reshuffled(rules)
    with pytest.raises(Refused, match="the discards were shuffled in this round"):
        table.say("open")


def test_or_the_shuffled_discards_go_on() -> None:
    table = _reshuffled(DIVISION_15)
    table.say("open")


@pytest.mark.parametrize(
    ("rules", "phase"),
    [(DIVISION_15, "betting"), (MBS, "void"), (RWS, "void"), (PLUS, "void"), (TRICK, "void")],
)
def test_a_round_that_begins_with_its_first_card_is_not_void_before_it(
    rules: str, phase: str
) -> None:
    table = table_of(rules)
    table.say("open", "wager 1 main 10", "close")
    table.order("void", by="Tan", why="wrong table")
    assert table.state == phase
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "10.00"}}


@pytest.mark.parametrize("trigger", ["cutting-card-passed", "cutting-card-missing"])
def test_a_cutting_card_that_was_passed_over_is_followed_by_a_shuffle(trigger: str) -> None:
    table = _in_play(DIVISION_15)
    table.say(f"report {trigger}")
    assert table.status()["held"] is None
    _finish(table)
    with pytest.raises(Refused, match="no shuffle has followed the cutting card"):
        table.say("open")
