"""Behind the end of a round, and behind a remedy: what the supervisor may still say."""

from __future__ import annotations

import pytest

from controller.round.refusal import Refused
from controller.table.entering.supervising import supervisor_commands
from tests.table.live.driver import DIV, dealt


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
