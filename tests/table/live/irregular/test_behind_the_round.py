"""Behind the end of a round, and behind a remedy: what the supervisor may still say."""

from __future__ import annotations

import pytest

from controller.game.round.refusal import Refused
from controller.table.entering.supervisors_list import supervisor_commands
from tests.table.live.driver import DIV, RWS, dealt


def test_a_card_too_many_was_the_dealers_in_truth() -> None:
    table = dealt("KS 9D 8S")
    table.say("stand 1")
    table.deal("8D")
    assert table.state == "settled"
    table.slip("8C")
    table.say("discard")
    table.order("correct 4 3D")
    table.order("lies 5 dealer")
    table.order("done")
    assert table.status()["dealer"]["cards"] == "9D 3D 8C"
    assert [made["outcome"] for made in table.status()["settlements"]] == [
        "win",
        "reversed",
        "lose",
    ]


def test_hands_that_are_void_too_are_the_supervisors_to_name() -> None:
    table = dealt("9C 8C 7D 5H 6H", "1 main 10, 2 main 10", rules=DIV)
    table.order("report misdeal")
    table.order("void-hand 1")
    assert table.status()["held"] is None
    assert {"void-hand 2", "continue"}.isdisjoint(table.status()["permitted"])
    with pytest.raises(Refused, match="the supervisor's to give"):
        table.say("continue")
    assert {"void-hand 2", "continue"} <= set(supervisor_commands(table.table))
    table.order("void-hand 2")
    assert table.state == "settled"


def test_a_card_that_comes_before_a_correction_is_judged_waits_behind_it() -> None:
    table = dealt("KS QH 5C KS 6D", "1 main 10, 2 main 10", rules=RWS)
    table.say("lies 5 out")
    table.slip("4C")
    assert table.status()["held"]["fault"] == "one-card"
    assert table.status()["held"]["cards"] == ["4C"]


def test_a_press_has_a_correction_judged_first() -> None:
    table = dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10", rules=RWS)
    assert table.wants().meter is not None
    table.order("correct 1 9D")
    assert table.wants().meter is None
    table.press(1)
    assert table.state == "play.decide"
    assert table.table.jackpot.offer is None


def test_what_waits_behind_the_round_is_put_away_first() -> None:
    table = dealt("KS 9D 8S")
    table.say("stand 1")
    table.deal("8D")
    table.slip("4C")
    with pytest.raises(Refused, match="discard it first"):
        table.say("correct 1 QS")
    with pytest.raises(Refused, match="discard it first"):
        table.order("report wrong-decision 1")


def test_a_card_that_comes_while_a_report_is_open_behind_the_round() -> None:
    table = dealt("KS 9D 8S")
    table.say("stand 1")
    table.deal("8D")
    table.order("report wrong-decision 1")
    table.slip("4C")
    table.order("continue")
    table.say("discard")
    assert table.state == "settled"
    table.order("correct 5 5C")
    table.order("done")


def test_another_command_of_the_supervisor_has_a_correction_judged_first() -> None:
    table = dealt("9C 8C 7D 6D 5H", "1 main 10, 2 main 10")
    table.order("correct 4 5D")
    table.order("report wrong-payment 1")
    assert not table.table.rnd.irregular.edits  # type: ignore[union-attr]
    assert table.status()["boxes"]["1"]["hands"][0]["cards"] == "9C 5D"
