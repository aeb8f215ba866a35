"""What a start says of the time before it: the last stop, another program or configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from controller.game.commands.values import Malformed
from tests.table.live.driver import Live, dealt

SAME = {
    "program": "11" * 32,
    "libraries": "22" * 32,
    "configuration": "33" * 32,
    "rules": "44" * 32,
    "readings": "66" * 32,
    "weights": "55" * 32,
}
CUT_OFF = "the controller was not stopped in good order before this start"


def start(table: Live, values: Mapping[str, str] | None = None, **changed: str) -> list[str]:
    body: dict[str, Any] = {
        "boot_id": "boot-1",
        "settings": table.settings.dump(),
        "versions": {},
        "digests": {**SAME, **changed},
        "configuration": dict(values or {}),
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
        (
            "readings",
            "configuration-changed",
            "readings of the rules abababababab, before 666666666666",
        ),
        ("weights", "configuration-changed", "weights abababababab, before 555555555555"),
    ],
)
def test_what_has_changed_waits_for_a_supervisor_who_says_who_and_why(
    what: str, fault: str, said: str
) -> None:
    table = stopped()
    [note] = start(table, None, **{what: "ab" * 32})
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
    assert start(table, None, **{what: "ab" * 32}) == []


OF_THE_FILE = {"table.max": "5000", "table.min": "10", "multiplier.weights.5": "12"}


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({**OF_THE_FILE, "table.max": "500"}, "table.max was 5000, is 500"),
        ({**OF_THE_FILE, "table.box_max": "9"}, "table.box_max was not there, is 9"),
        ({"table.max": "5000", "table.min": "10"}, "weights.5 was 12, is not there any more"),
        (OF_THE_FILE, "configuration file cdcdcdcdcdcd, before 333333333333"),
        ({f"devices.d{n}.baud": "9600" for n in range(9)}, "was not there, is 9600; 4 more values"),
    ],
)
def test_of_a_changed_file_key_old_value_and_new_value_are_told(
    now: dict[str, str], said: str
) -> None:
    table = Live()
    start(table, OF_THE_FILE)
    table.apply("stop", {})
    [note] = start(table, now, configuration="cd" * 32)
    assert note.endswith(said)
    assert table.status()["held"]["reason"].endswith(said)


def test_a_change_that_nobody_has_accepted_is_told_beside_the_next() -> None:
    table = Live()
    values = dict(OF_THE_FILE)
    start(table, values)
    for number, most in enumerate(("2500", "2000", "1500")):
        table.apply("stop", {})
        values = {**values, "table.max": most}
        start(table, values, configuration=f"a{number}" * 32)
    assert table.status()["held"]["reason"].endswith(
        "table.max was 2000, is 1500; earlier, not accepted yet: table.max was 2500, is 2000; "
        "earlier, not accepted yet: table.max was 5000, is 2500"
    )
    for number in range(15):
        start(table, {**values, "table.max": str(number)}, configuration=f"{number:02}" * 32)
    reason = table.status()["held"]["reason"]
    assert (len(reason) < 600, reason[-1]) == (True, "…"), "what is cut says so"


def test_where_the_values_before_are_not_known_the_digests_are_told() -> None:
    table = stopped()
    [note] = start(table, OF_THE_FILE, configuration="cd" * 32)
    assert note.endswith("configuration file cdcdcdcdcdcd, before 333333333333")


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
