"""What devices say of themselves, and the shuffler."""

from __future__ import annotations

import pytest

from tests.table.live.driver import Live, live


@pytest.mark.parametrize(
    ("state", "word"), [(4, "jam"), (5, "door open"), (6, "fault"), (9, "unknown state")]
)
def test_the_shufflers_troubles(state: int, word: str) -> None:
    table = Live()
    table.say("shuffle 1")
    outcome = table.device("shuffler", "SHUFFLER_STATE", state=state, set=1, count=0, progress=0)
    assert table.wants().shuffle is None
    if state < 7:
        assert outcome.notes == [f"shuffler: {word} (set 1)"]
        assert f"shuffler: {word} (set 1)" in table.status()["prompt"]


def test_a_shuffle_is_wanted_until_it_runs() -> None:
    table = Live()
    table.say("shuffle 2")
    table.device("shuffler", "SHUFFLER_STATE", state=1, set=2, count=384, progress=0)
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=1, count=384, progress=10)
    assert table.wants().shuffle == 2
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=2, count=384, progress=10)
    assert table.wants().shuffle is None


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (0, ""),
        (1, "cards are missing"),
        (2, "there are cards too many"),
        (3, "a card cannot be read"),
        (4, "a foreign card is among them"),
        (77, "it is not complete"),
    ],
)
def test_what_came_out_of_the_shuffler(result: int, words: str) -> None:
    table = Live()
    table.say("shuffle 1")
    table.device("shuffler", "CARD_DISCREPANCY", rank=9, suit=2, difference=-1)
    assert table.outcomes[-1].notes == ["shuffler: 1 9D missing"]
    table.device("shuffler", "CARD_DISCREPANCY", rank=0, suit=9, difference=2)
    assert table.outcomes[-1].notes == ["shuffler: 2 a foreign card too many"]
    outcome = table.device("shuffler", "SHUFFLE_DONE", set=1, count=384, result=result)
    assert table.wants().shuffle is None
    notes = [f"shuffler: set 1 is not to be played: {words}"] if words else []
    assert outcome.notes == notes


def test_a_fault_that_goes_is_told_no_longer() -> None:
    table = Live()
    table.device("jackpot", "FAULT", faults=1)
    assert "the jackpot unit reports: power" in table.status()["prompt"]
    table.device("jackpot", "FAULT", faults=0)
    assert table.status()["devices"]["jackpot"]["faults"] == ""
    assert "power" not in table.status()["prompt"]


def test_devices_that_are_not_configured_are_not_heard() -> None:
    table = live(devices=("shoe",))
    table.device("jackpot", "FAULT", faults=1)
    table.up("jackpot")
    table.device("shuffler", "SHUFFLER_STATE", state=1, set=1, count=0, progress=0)
    table.device("keypad", "SHOE_STATE", state=0, remaining=0)
    assert sorted(table.status()["devices"]) == ["shoe"]
    assert table.status()["held"] is None
