"""What devices say of themselves, and the shuffler."""

from __future__ import annotations

import pytest

from tests.table.live.driver import Live, dealt, live


@pytest.mark.parametrize(
    ("state", "word"), [(4, "jam"), (5, "door open"), (6, "fault"), (9, "unknown state")]
)
def test_the_shufflers_troubles(state: int, word: str) -> None:
    table = Live().play("shuffle 1")
    outcome = table.device("shuffler", "SHUFFLER_STATE", state=state, set=1, count=0, progress=0)
    assert table.wants().shuffle is None
    if state < 7:
        said = f"the shuffler has stopped: {word} (set 1)"
        assert outcome.notes == [said]
        assert said in table.status()["prompt"]


def test_a_shuffle_is_wanted_until_it_runs() -> None:
    table = Live().play("shuffle 2")
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
    table = Live().play("shuffle 1")
    table.device("shuffler", "CARD_DISCREPANCY", rank=9, suit=2, difference=-1)
    assert table.outcomes[-1].notes == ["shuffler: 1 9D missing"]
    table.device("shuffler", "CARD_DISCREPANCY", rank=0, suit=9, difference=2)
    assert table.outcomes[-1].notes == ["shuffler: 2 a foreign card too many"]
    outcome = table.device("shuffler", "SHUFFLE_DONE", set=1, count=384, result=result)
    assert table.wants().shuffle is None
    notes = [f"shuffler: set 1 is not to be played: {words}"] if words else []
    assert outcome.notes == notes


def test_devices_that_are_not_configured_are_not_heard() -> None:
    table = live(devices=("shoe",))
    table.device("jackpot", "FAULT", faults=1)
    table.up("jackpot")
    table.device("shuffler", "SHUFFLER_STATE", state=1, set=1, count=0, progress=0)
    table.device("keypad", "SHOE_STATE", state=0, remaining=0)
    assert sorted(table.status()["devices"]) == ["shoe"]
    assert table.status()["held"] is None


def test_a_device_that_refuses_holds_the_round_until_it_may_be_told_again() -> None:
    table = dealt("9C 9D 7H 8C 8D", "1 main 10, 2 main 10")
    before = table.wants().resumed
    table.apply("refused", {"command": "GATE", "code": 5}, device="shoe")
    held = table.status()["held"]
    assert held["fault"] == "device-refuses"
    assert held["reason"] == "the card shoe refuses GATE (a fault of its own): look at it"
    assert table.wants().gate_cards == 0
    table.order("resume")
    assert (table.wants().gate_cards, table.wants().resumed) == (1, before + 1)


def test_a_device_that_refuses_between_rounds_holds_nothing() -> None:
    table = Live()
    table.apply("refused", {"command": "ARM", "code": 5}, device="jackpot")
    table.apply("refused", {"command": "GATE", "code": 4}, device="nobody")
    assert table.status()["held"] is None


def test_a_journal_that_does_not_replay_holds_the_table_until_it_is_looked_at() -> None:
    table = Live()
    dumped = table.settings.dump()
    body = {"boot_id": "boot-1", "settings": dumped, "differences": ["entry 7 (CARD): state"]}
    table.apply("start", body)
    held = table.status()["held"]
    assert held["fault"] == "journal-differs"
    assert "entry 7 (CARD): state" in held["reason"]
    table.order("resume")
    assert table.status()["held"] is None
