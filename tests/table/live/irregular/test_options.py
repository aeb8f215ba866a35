"""Options behind a remedy: whose they are, how long they stay, what comes back with a bet."""

from __future__ import annotations

import pytest

from controller.round.refusal import Refused
from tests.table.live.driver import DIV, MBS, PLUS, Live, live


def told(table: Live) -> list[tuple[int, str, str, int | None]]:
    """Every settlement as it was told."""
    assert table.table.rnd
    return [(s.box, s.kind, s.outcome, s.net) for s in table.table.rnd.told]


def bust_by_error(*reports: str) -> Live:
    """Box 1 is bust by a card that it had not asked for, and the cards stay (Plus 5.10.1)."""
    table = live("1 main 10, 2 main 10, 3 main 10", PLUS)
    table.deal("KC KD 9D 7D 8C 8H 6D")
    table.say("hit 1")
    table.deal("9H")
    table.say("report wrong-decision 1")
    table.order("continue")
    table.say(*reports)
    return table


def test_the_bet_that_the_error_has_lost_is_the_supervisors_to_return() -> None:
    table = bust_by_error()
    permitted = table.status()["permitted"]
    assert [step for step in permitted if step.startswith("choose")] == [
        "choose 2 return",
        "choose 3 return",
    ]
    with pytest.raises(Refused, match="takes settlements back"):
        table.say("choose 1 return")
    table.order("choose 1 return")
    assert told(table) == [
        (1, "main", "lose", -1000),
        (1, "main", "reversed", 1000),
        (1, "main", "returned", 0),
    ]


def test_its_insurance_goes_back_with_it() -> None:
    table = live("1 main 10, 2 main 10", PLUS)
    table.deal("KC 9D AD 8C 8H")
    table.say("insure 1 5", "done", "hit 1")
    table.deal("9H")
    table.say("report wrong-decision 1")
    table.order("continue")
    table.order("choose 1 return")
    assert told(table)[-2:] == [(1, "main", "returned", 0), (1, "insurance", "returned", 0)]


def test_a_later_report_of_something_else_moves_it_to_nobody() -> None:
    table = bust_by_error("report wrong-payment 2")
    with pytest.raises(Refused, match="permitted: choose 1 return, choose 2 return"):
        table.order("choose 2b return")
    table.say("stand 2", "stand 3")
    table.deal("6S 7S")
    with pytest.raises(Refused):
        table.order("choose 2 return")


@pytest.mark.parametrize("report", ["late-bet 2", "bet-taken-back 2"])
def test_a_report_that_needs_nobody_leaves_the_options_open(report: str) -> None:
    table = bust_by_error(f"report {report}")
    assert "choose 2 return" in table.status()["permitted"]
    table.order("choose 1 return")


def test_a_report_in_between_does_not_cut_off_what_is_void() -> None:
    """Division 15, 16.5(a): one hand after the other."""
    table = live("1 main 10, 2 main 10", DIV)
    table.deal("9C 9D 7D 8C 8H")
    table.say("report misdeal")
    table.order("void-hand 1")
    table.say("report late-bet 2")
    table.order("void-hand 2")
    assert {outcome for _, _, outcome, _ in told(table)} == {"returned"}


def test_nothing_is_permitted_twice() -> None:
    table = live("1 main 10, 2 main 10, 2 pandemonium 5, 2b main 10, 3 main 10", MBS)
    table.deal("8H JC 8H QS 4H AH AH")
    table.slip("5C")
    table.press()
    table.draw(25)
    table.say("choose 1 refuse")
    table.order("choose 3 refuse")
    table.shown(25)
    table.order("lies 2 1")
    table.order("choose 2 return")
    permitted = table.status()["permitted"]
    assert permitted.count("done") == 1
