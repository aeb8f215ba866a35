"""What is said of two states, one behind the other."""

from __future__ import annotations

from typing import Any

import pytest

from controller.table.showing.changes import Change, changes
from controller.table.showing.layout import sums
from controller.table.showing.status_fields import ShownBox, Status
from pages.moments import MOMENTS, between, held_table, playing
from tests.table.live.driver import MBS, Live, dealt


def said(old: Any, new: Any) -> list[str]:
    return [change.text for change in changes(old, new)]


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_nothing_is_said_where_nothing_has_changed(moment: str) -> None:
    assert list(changes(MOMENTS[moment](), MOMENTS[moment]())) == []


def test_a_hold_comes_and_goes() -> None:
    calm, hold = playing(), held_table()
    text = "HELD, card-unread: the shoe could not read a card, the second for box 3"
    assert list(changes(calm, hold)) == [Change(text, alarm=True)]
    assert said(hold, calm) == ["no longer held"]


def test_a_round_from_its_opening() -> None:
    told = said({**between(), "round": 117}, playing())
    assert told[0] == "round 118 opened"
    for text in (
        "wager 3b pair 5",
        "box 3.2: 8D 3C (11)",
        "dealer: 6C (6)",
        "the jackpot button is offered to box 1",
        "METER 25x for box 1",
        "settled 1a main: pay 150.00 at 3:2",
        "now play",
    ):
        assert text in told


def test_an_opening_that_is_undone_is_told_without_what_stands_again() -> None:
    settled = playing()
    opened: Status = {**between(), "round": 119}
    assert said(opened, settled) == ["round 119 taken back", "now play"]
    assert said(settled, {**settled, "round": 119})[0] == "round 119 opened"
    assert said({}, {"round": 1}) == ["round 1 opened"]


def hands(*cards: str) -> Status:
    return {
        "round": 1,
        "boxes": {"2": {"hands": [{"cards": one, "total": 0} for one in cards], "wagers": {}}},
    }


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (hands("AS"), hands("AS KD 2C"), ["box 2 + KD 2C"]),
        (hands("AS KD"), hands("AS 9D"), ["box 2: AS 9D"]),
        (hands("8S 8D"), hands("8S", "8D"), ["box 2: 8S", "box 2.2: 8D"]),
        (hands("AS"), hands(""), []),
    ],
)
def test_cards(old: Status, new: Status, text: list[str]) -> None:
    assert said(old, new) == text


def wagers(**placed: str | None) -> Status:
    return {"round": 1, "boxes": {"2": {"hands": [], "wagers": {"a": placed}}}}


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (wagers(), wagers(main="10.00"), ["wager 2a main 10"]),
        (wagers(main="10.00"), wagers(main="12.50"), ["wager 2a main 12.50"]),
        (wagers(main="10.00"), wagers(), ["wager 2a main taken out"]),
        (wagers(), wagers(pair=None), ["wager 2a pair on"]),
    ],
)
def test_wagers(old: Status, new: Status, text: list[str]) -> None:
    assert said(old, new) == text


def device(**fields: object) -> Status:
    return {"round": 1, "devices": {"shoe": {"link": "up", "serial": "S1", **fields}}}


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (device(), device(link="down", reason="no port"), ["shoe down: no port"]),
        (device(link="down", reason="no port"), device(), ["shoe up"]),
        (device(), device(faults="lid open"), ["shoe reports lid open"]),
        (device(faults="lid open"), device(faults=""), ["shoe reports no fault any more"]),
        (device(), device(serial="S2"), ["shoe is another unit: S2"]),
        (device(), device(serial=None), []),
        ({"round": 1}, device(), []),
        ({"round": 1}, device(faults="lid open"), ["shoe reports lid open"]),
    ],
)
def test_links(old: Status, new: Status, text: list[str]) -> None:
    assert said(old, new) == text


def test_conditions_and_shoe() -> None:
    calm: Status = {"round": 1, "conditions": {}, "shoe": {"set": 1}}
    stands: Status = {
        "round": 1,
        "conditions": {"disk-low": "12 days left", "clock-unset": ""},
        "shoe": {"set": None, "shuffle_due": True},
    }
    assert said(calm, stands) == [
        "disk-low: 12 days left",
        "clock-unset",
        "set unknown is in the shoe",
        "a shuffle is due",
    ]
    assert said(stands, {**calm, "shoe": {"shuffle_due": True}}) == [
        "disk-low is over",
        "clock-unset is over",
    ]


def test_settlements_that_go_on_are_told_once_and_those_of_another_hand_by_it() -> None:
    old = playing()
    more = {**old["owed"][1], "hand": 2, "box": 3}
    assert said(old, {**old, "owed": [*old["owed"], more]}) == [
        "settled 3a.2 main: pay 150.00 at 3:2"
    ]
    assert said(old, {**old, "owed": [more]}) == ["settled 3a.2 main: pay 150.00 at 3:2"]


def _steps(table: Live, *commands: str) -> list[str]:
    """What is said of each command."""
    told = []
    for command in commands:
        before = table.status()
        table.say(command)
        told += said(before, table.status())
    return told


def test_what_is_taken_back_is_told() -> None:
    """A follow, insurance, a double taken back were told when they came, and stayed so."""
    table = Live(MBS).play("open", "wager 1 main 100", "wager 1b main 50", "wager 2 main 50")
    assert _steps(table, "undo") == ["wager 2a main taken out"]
    table.play("close", "8C AS 8H")
    assert _steps(table, "insure 1b 25", "undo") == [
        "insurance: 1b insures 1b 25",
        "insurance taken back: 1b insures 1b 25",
    ]
    table.say("done", "double 1 100")
    assert _steps(table, "double 1b 20", "undo", "undo") == [
        "box 1 b double 20",
        "box 1 b double taken back",
        "box 1 a double taken back",
        "box 1 doubled: taken back",
    ]


def test_what_is_settled_is_not_told_as_taken_back() -> None:
    table = dealt("9C AS 8H", "1 main 100").play("insure 1 50", "done", "stand 1")
    before = table.status()
    table.deal("KD")
    assert not [text for text in said(before, table.status()) if "taken back" in text]


def test_what_was_decided_for_a_hand_is_taken_back_and_a_wager_stands() -> None:
    wagers = {"a": {"main": "10.00", "pair": "5.00"}}
    cards: Any = {"cards": "7S 4C", "total": 11}
    doubled: Any = {"boxes": {"1": {"hands": [{**cards, "marks": ["doubled"]}], "wagers": wagers}}}
    again: Any = {"boxes": {"1": {"hands": [{**cards, "marks": []}], "wagers": wagers}}}
    assert said(doubled, again) == ["box 1 doubled: taken back"]
    assert said(again, doubled) == ["box 1 doubled"]
    lies: Any = {"hands": again["boxes"]["1"]["hands"], "wagers": {"a": {"main": "10.00"}}}
    assert said(again, {"boxes": {"1": lies}}) == [], "what has gone was settled, which is told"


def test_sums_are_of_all_that_a_bettor_has_at_a_box() -> None:
    box: ShownBox = {
        "hands": [{"cards": "7S 4C", "total": 11, "stakes": {"a": {"main": "10.00"}}}],
        "wagers": {"a": {"main": "10.00", "pair": "5.00"}},
        "insurance": {"b": [{"of": "1a", "amount": "2.50"}]},
    }
    assert sums(box) == ["a 15.00 in 2", "b 2.50"]
