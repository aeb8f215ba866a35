"""Cards that may not come, one upon the other, and holds beside them."""

from __future__ import annotations

import pytest

from controller.table.model import Refused
from controller.table.steps import Malformed
from tests.table.live.driver import (
    DAMAGED,
    FACE_UP,
    FOREIGN,
    LOCKED,
    TOGETHER,
    Live,
    dealt,
    live,
)


def _hand(table: Live, box: str = "1") -> str:
    cards: str = table.status()["boxes"][box]["hands"][0]["cards"]
    return cards


@pytest.mark.parametrize(
    ("text", "flags", "fault", "shown", "remedies"),
    [
        ("??", 0, "card-unread", "??", ["card CARD", "void"]),
        ("TC", 0, "card-foreign", "TC%", ["void"]),
        ("5C", FOREIGN, "card-foreign", "5C%", ["void"]),
        ("??", FOREIGN, "card-foreign", "??%", ["void"]),
        ("5C", LOCKED, "card-locked", "5C", ["use", "discard", "void"]),
        ("5C", TOGETHER, "cards-together", "5C&", ["use", "discard", "void"]),
        ("5C", FACE_UP, "card-face-up", "5C^", ["use", "discard", "void"]),
        ("5C", FACE_UP | LOCKED, "card-locked", "5C^", ["use", "discard", "void"]),
    ],
)
def test_a_card_that_may_not_be_played(
    text: str, flags: int, fault: str, shown: str, remedies: list[str]
) -> None:
    table = dealt("9C 7D")
    table.slip(text, flags)
    held = table.status()["held"]
    assert (held["fault"], held["cards"], held["remedies"]) == (fault, [shown], remedies)
    assert _hand(table) == "9C"
    assert table.rows() == ("HELD: SUPERVISOR", fault.upper().replace("-", " "))


def test_a_damaged_card_is_played() -> None:
    table = dealt("9C 7D")
    table.slip("5C", DAMAGED)
    assert _hand(table) == "9C 5C"


@pytest.mark.parametrize(
    ("rank", "suit", "fault"),
    [(0, 3, "unread"), (9, 0, "unread"), (14, 0, "foreign"), (5, 5, "foreign"), (255, 255, "")],
)
def test_half_read_is_unread_and_impossible_is_foreign(rank: int, suit: int, fault: str) -> None:
    table = dealt("9C 7D")
    fields = {"rank": rank, "suit": suit, "flags": 0, "card_uid": 0, "remaining": 9}
    table.device("shoe", "CARD", **fields)
    assert table.status()["held"]["fault"] == f"card-{fault or 'foreign'}"


def test_used_it_is_played_and_discarded_it_is_gone() -> None:
    table = dealt("9C 7D")
    table.slip("5C", LOCKED)
    table.order("use")
    assert (_hand(table), table.state) == ("9C 5C", "play.decide")
    table.slip("3C", FACE_UP)
    table.order("discard")
    assert (_hand(table), table.state) == ("9C 5C", "play.decide")
    table.deal("3C")
    assert [str(card) for card in table.table.drawn] == ["9C", "7D", "5C", "3C^", "3C"]


def test_a_card_that_was_used_keeps_the_mark_it_came_with() -> None:
    table = dealt("9C 7D")
    table.slip("5C", FACE_UP | TOGETHER)
    table.order("use")
    assert (_hand(table), str(table.table.drawn[-1])) == ("9C 5C", "5C^&")


def test_what_a_void_round_returns_is_in_the_order_of_boxes_bettors_and_hands() -> None:
    wagers = "1 main 10,1b main 10,1 pair 5,1b pair 5,1 pandemonium 2,2 main 10"
    table = dealt("9C 9S AD 2D 3D", wagers)
    table.say("insure 1 5", "surrender 1b")
    told = [(s["box"], s["bettor"], s["kind"]) for s in table.order("void").settlements]
    assert told == [
        (1, "a", "pair"),
        (1, "a", "pandemonium"),
        (1, "a", "main"),
        (1, "a", "insurance"),
        (1, "b", "pair"),
        (1, "b", "main"),
        (2, "a", "main"),
    ]


@pytest.mark.parametrize("command", ["place 1 {}", "wager 1 main {}", "insure 1 {}"])
def test_a_number_of_any_length_is_malformed(command: str) -> None:
    table = dealt("9C 7D")
    with pytest.raises(Malformed):
        table.enter(command.format("9" * 5000))
    with pytest.raises(Malformed):
        table.order("pay " + "9" * 5000)


def test_an_unread_card_is_named_and_checked() -> None:
    table = dealt("9C 7D", decks=1)
    table.slip("??")
    for name, why in (("9C", "all 1 of this shoe have come"), ("TC", "the set has no tens")):
        with pytest.raises(Refused, match=why):
            table.order(f"card {name}")
    with pytest.raises(Malformed, match="not a card"):
        table.order("card 9X")
    for command in ("use", "discard"):
        with pytest.raises(Refused, match=f"cannot be {command}.*permitted are card CARD, void"):
            table.order(command)
    with pytest.raises(Refused, match="left the shoe unread"):
        table.order("resume")
    table.order("card 5C", by=None, why=None)
    assert _hand(table) == "9C 5C"
    with pytest.raises(Refused, match="no card waits"):
        table.order("card 5C")


def test_a_read_card_is_not_named() -> None:
    table = dealt("9C 7D")
    table.slip("5C", LOCKED)
    with pytest.raises(Refused, match="the card that waits was read: 5C"):
        table.order("card 6C")


def test_a_named_card_may_still_not_be_played() -> None:
    table = dealt("9C 7D")
    table.slip("??", LOCKED)
    table.order("card 5C")
    assert table.status()["held"]["fault"] == "card-locked"
    table.order("use")
    assert _hand(table) == "9C 5C"


def test_one_more_than_the_decks_hold() -> None:
    table = dealt("9C 7D", decks=1)
    table.slip("9C")
    held = table.status()["held"]
    assert held["fault"] == "card-excess"
    assert "9C has come 2 times from 1 decks" in held["reason"]
    assert held["remedies"] == ["void"]
    table.order("void")
    assert table.state == "void"


def test_cards_behind_a_held_one_wait_in_order() -> None:
    table = live("1 main 10, 2 main 10")
    table.deal("9C 8C")
    table.slip("??")
    table.slip("5C", TOGETHER)
    table.slip("??", LOCKED)
    assert table.status()["held"]["cards"] == ["??", "5C&", "??"]
    table.order("card 7D")
    assert table.status()["dealer"]["cards"] == "7D"
    assert table.status()["held"]["cards"] == ["5C&", "??"]
    table.order("use")
    assert _hand(table) == "9C 5C"
    table.order("card 6C")
    assert table.status()["held"]["fault"] == "card-locked"
    table.order("discard")
    assert (table.state, table.wants().gate_cards) == ("deal.second_cards", 1)


def test_a_card_between_rounds_can_only_be_put_away() -> None:
    table = Live()
    table.slip("??", LOCKED)
    assert table.status()["held"]["remedies"] == ["card CARD"]
    table.order("card 5C")
    assert table.status()["held"]["remedies"] == ["discard"]
    with pytest.raises(Refused, match="held"):
        table.say("open")
    table.order("discard")
    table.slip("TC")
    table.order("discard")
    table.say("open")
    assert table.table.used == {("5", "C") and next(iter(table.table.used)): 1}


def test_other_holds_stand_beside_a_held_card_and_are_all_told() -> None:
    table = dealt("9C 7D")
    table.slip("??")
    table.start("boot-2")
    table.up("shoe", new_session=True, since="21:04")
    table.up("jackpot", new_session=True)
    held = table.status()["held"]
    assert held["fault"] == "card-unread"
    for told in ("unread", "started anew in the middle", "card shoe", "jackpot unit"):
        assert told in held["reason"]
    table.order("card 5C")
    assert (_hand(table), table.state) == ("9C 5C", "held.play.decide")
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("power-failure", ["resume", "void"])
    with pytest.raises(Refused, match="no card waits"):
        table.order("use")
    table.order("resume")
    assert table.state == "play.decide"


def test_a_card_held_upon_another_hold_comes_first() -> None:
    table = dealt("9C 7D")
    table.up("keypad", new_session=True)
    table.slip("5C", LOCKED)
    assert table.status()["held"]["fault"] == "card-locked"
    table.order("discard")
    assert table.status()["held"]["fault"] == "device-restarted"


def test_a_device_that_flaps_is_told_once() -> None:
    table = dealt("9C 7D")
    for minute in range(5):
        table.up("keypad", new_session=True, since=f"21:0{minute}")
    reason = table.status()["held"]["reason"]
    assert reason.count("dealer keypad") == 1
    assert "21:04" in reason


def test_a_card_drawn_before_the_hold_reached_the_gate_is_played() -> None:
    table = dealt("9C 7D")
    table.up("keypad", new_session=True)
    table.slip("5C")  # left through the gate that was open then
    assert (_hand(table), table.state) == ("9C 5C", "held.play.decide")


def test_cards_that_wait_at_a_void_have_left_the_shoe() -> None:
    table = dealt("9C 7D", decks=1)
    table.slip("5C", LOCKED)
    table.slip("TC")
    table.order("void")
    table.say("next", "open", "close")
    table.deal("6C 6D")
    table.slip("5C")
    assert table.status()["held"]["fault"] == "card-excess"


def test_a_void_tells_what_it_reverses() -> None:
    table = dealt("AC 7D KC", "1 main 10, 1 pandemonium 5, 1 pair 5")
    outcome = table.order("void", by="Sue", why="wrong shoe")
    assert outcome.notes == [
        "reversed by void: box 1a hand 1 pair: lose -5.00 (3.15.1)",
        "reversed by void: box 1a hand 1 main: win 3:2 15.00 (3.19)",
        "supervisor: void by Sue: wrong shoe",
    ]
    assert table.wants().meter is None
