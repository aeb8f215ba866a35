"""The supervisor's commands: read, refused with what is permitted, journaled with who and why; and
commands beyond a client's role."""

from __future__ import annotations

import pytest

from controller.game.commands.values import Malformed
from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.state.table import Table
from hil_tests.benches.driven_table import LOCKED
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, dealt


@pytest.mark.parametrize(
    "command", ["", "go", "resume now", "card", "card 9", "pay", "pay x", "pay -5", "use 9X"]
)
def test_what_cannot_be_read(command: str) -> None:
    table = dealt("9C 7D")
    with pytest.raises(Malformed, match="expected"):
        table.order(command)


@pytest.mark.parametrize("by", [None, "", "Sue"])
@pytest.mark.parametrize("why", [None, "", "wrong shoe"])
def test_void_needs_who_and_why(by: str | None, why: str | None) -> None:
    table = dealt("9C 7D")
    if by and why:
        assert table.order("void", by, why).notes == ["supervisor: void by Sue: wrong shoe"]
        return
    with pytest.raises(Malformed, match="void needs who and why: --by NAME --why TEXT"):
        table.order("void", by, why)


@pytest.mark.parametrize(
    ("rules", "clause"),
    [
        (RWS, "5.1"),
        (PLUS, "5.17"),
        (MBS, "5.1.1"),
        (DIV, "A-71"),
        (FIVE, "matrix 3.5"),
    ],
)
def test_a_round_that_the_supervisor_voids_cites_its_document(rules: str, clause: str) -> None:
    [returned] = dealt("9C 7D", rules=rules).order("void").settlements
    assert (returned["outcome"], returned["clause"]) == ("returned", clause)


def test_others_tell_who_and_why_where_it_is_told() -> None:
    table = dealt("9C 7D", rules=RWS)
    table.slip("5C", LOCKED)
    assert table.order("use", None, None).notes == ["supervisor: use"]
    table.slip("2C", LOCKED)
    outcome = table.order("discard", "Sue", "fell out")
    assert outcome.notes == ["supervisor: discard by Sue: fell out"]
    assert [answer.refused for answer in outcome.answered] == [""]


def test_what_waits_for_the_gate_is_told_of_the_void() -> None:
    table = dealt("9C 7D 5H")
    table.key("S")
    table.key("B")
    waiting = table.table.entering.entries
    outcome = table.order("void")
    [first, _] = outcome.answered
    assert (first.entry, first.refused) == (waiting, "the round was voided meanwhile")
    assert table.rows()[1] == "NO: ROUND VOIDED"
    table.lock()
    assert table.state == "void"


@pytest.mark.parametrize(
    ("known", "who"),
    [
        ({"uid": 1000, "pid": 77, "count": 1}, "eve (uid 1000, process 77)"),
        ({"uid": None, "pid": None, "count": 3}, "eve, 3 times"),
    ],
)
def test_an_attempt_is_noted_with_who_made_it_and_changes_nothing(
    known: dict[str, int | None], who: str
) -> None:
    table = Live()
    before = table.status()
    body = {"user": "eve", "what": "void", "why": "not a supervisor", **known}
    assert table.apply("refused-attempt", body).notes == [f"refused {who}: void (not a supervisor)"]
    assert table.status() == before


def test_a_table_that_was_never_started_takes_no_wager() -> None:
    with pytest.raises(ValueError, match="the table has not been started"):
        apply(Table(), read_event("dealer", {"command": "wager 1 main 10", "user": "dora"}))
