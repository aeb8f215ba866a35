"""Commands beyond a client's role, as the journal of a table notes them."""

from __future__ import annotations

import pytest

from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.state.table import Table
from tests.table.live.driver import Live


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
