"""What a start says of the time before it: the last stop, another program or configuration."""

from __future__ import annotations

from typing import Any

import pytest

from controller.round.steps.step import Malformed
from tests.table.live.driver import Live, dealt

SAME = {
    "program": "11" * 32,
    "libraries": "22" * 32,
    "configuration": "33" * 32,
    "rules": "44" * 32,
    "weights": "55" * 32,
}
CUT_OFF = "the controller was not stopped in good order before this start"


def start(table: Live, **changed: str) -> list[str]:
    body: dict[str, Any] = {
        "boot_id": "boot-1",
        "settings": table.settings.dump(),
        "versions": {},
        "digests": {**SAME, **changed},
    }
    return table.apply("start", body).notes


def stopped() -> Live:
    """A table that was started with digests once, and stopped in good order."""
    table = Live()
    start(table)
    table.apply("stop", {})
    return table


def test_the_same_program_goes_on_without_a_word() -> None:
    table = stopped()
    assert start(table) == []
    assert table.status()["held"] is None


def test_a_first_start_has_nothing_to_be_compared_with() -> None:
    table = Live()
    assert start(table) == [CUT_OFF]
    assert table.status()["held"] is None


def test_a_start_without_a_stop_before_it_is_said() -> None:
    table = stopped()
    assert start(table) == []
    assert start(table) == [CUT_OFF]
    assert table.status()["held"] is None


@pytest.mark.parametrize(
    ("what", "fault", "said"),
    [
        ("program", "program-changed", "program abababababab, before 111111111111"),
        ("libraries", "program-changed", "libraries abababababab, before 222222222222"),
        (
            "configuration",
            "configuration-changed",
            "configuration file abababababab, before 333333333333",
        ),
        ("rules", "configuration-changed", "rule file abababababab, before 444444444444"),
        ("weights", "configuration-changed", "weights abababababab, before 555555555555"),
    ],
)
def test_what_has_changed_waits_for_a_supervisor_who_says_who_and_why(
    what: str, fault: str, said: str
) -> None:
    table = stopped()
    [note] = start(table, **{what: "ab" * 32})
    assert note.endswith(said)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == (fault, ["resume"])
    assert table.wants().gate_cards == 0
    for by, why in ((None, None), ("Sue", None), (None, "seen")):
        with pytest.raises(Malformed, match="needs who"):
            table.order("resume", by=by, why=why)
    table.order("resume", by="Sue", why="approved under 118/26")
    assert table.status()["held"] is None
    table.apply("stop", {})
    assert start(table, **{what: "ab" * 32}) == []


def test_a_hold_for_another_program_outlasts_further_starts() -> None:
    table = stopped()
    start(table, program="ab" * 32)
    table.apply("stop", {})
    assert start(table, program="ab" * 32) == []
    assert table.status()["held"]["fault"] == "program-changed"


def test_program_and_configuration_are_told_each_by_itself_in_mid_round() -> None:
    table = dealt("9C 7D")
    start(table)
    table.apply("stop", {})
    start(table, program="ab" * 32, rules="cd" * 32, weights="")
    assert [hold.fault for hold in table.table.holds.standing] == [
        "program-changed",
        "configuration-changed",
    ]
    assert "weights none, before 555555555555" in table.status()["held"]["reason"]
    assert table.wants().gate_cards == 0


def test_a_start_of_an_older_version_tells_neither() -> None:
    table = stopped()
    table.start()
    assert table.outcomes[-1].notes == []
    assert table.status()["held"] is None
