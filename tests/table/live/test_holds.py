"""Cards that may not come, one upon the other, and holds beside them."""

from __future__ import annotations

import pytest

from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from hil_tests.benches.driven_table import DAMAGED, FACE_UP, FOREIGN, LOCKED, TOGETHER
from tests.table.live.driver import DIV, Live, dealt, live

DRAWN = ["report drawn seen", "report empty-box BOX"]


@pytest.mark.parametrize(
    ("text", "flags", "fault", "shown", "remedies"),
    [
        ("??", 0, "card-unread", "??", ["card CARD", "void"]),
        ("TC", 0, "card-foreign", "TC%", ["void"]),
        ("5C", FOREIGN, "card-foreign", "5C%", ["void"]),
        ("??", FOREIGN, "card-foreign", "??%", ["void"]),
        ("5C", LOCKED, "card-locked", "5C", ["use", *DRAWN]),
        ("5C", FACE_UP | LOCKED, "card-locked", "5C^", ["use", *DRAWN]),
    ],
)
def test_a_card_that_may_not_be_played(
    text: str, flags: int, fault: str, shown: str, remedies: list[str]
) -> None:
    table = dealt("9C 7D")
    table.slip(text, flags)
    held = table.status()["held"]
    assert (held["fault"], held["cards"], held["remedies"]) == (fault, [shown], remedies)
    assert table.hand() == "9C"
    by_dealer = fault == "card-locked"
    asks = "HELD: SEE SCREEN" if by_dealer else "HELD: SUPERVISOR"
    assert table.rows() == (asks, fault.upper().replace("-", " "))
    assert table.status()["permitted"] == (remedies if by_dealer else [])


def test_a_card_that_lay_face_up_is_played_where_the_document_says_so() -> None:
    table = dealt("9C 7D")
    [note] = table.slip("5C", FACE_UP).notes
    assert note == "a card lay face up in the shoe: the card is used as the next card (5.5)"
    assert (table.hand(), table.status()["held"]) == ("9C 5C", None)


def test_of_two_cards_together_neither_has_a_place() -> None:
    table = dealt("9C 7D")
    table.slip("5C", TOGETHER)
    held = table.status()["held"]
    assert (held["fault"], held["cards"]) == ("cards-together", ["7D", "5C&"])
    assert held["remedies"] == ["use 7D", "use 5C", "report together CARD"]
    assert table.status()["dealer"]["cards"] == ""
    assert (table.hand(), table.state) == ("9C", "held.deal.dealer_card")


def test_a_damaged_card_is_played() -> None:
    table = dealt("9C 7D")
    table.slip("5C", DAMAGED)
    assert table.hand() == "9C 5C"


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
    table = dealt("9C 7D", rules=DIV)
    table.slip("5C", LOCKED)
    table.order("use")
    assert (table.hand(), table.state) == ("9C 5C", "play.decide")
    table.slip("3C", FACE_UP)
    table.order("discard")
    assert (table.hand(), table.state) == ("9C 5C", "play.decide")
    table.deal("3C")
    assert [str(card) for card in table.table.dealing.drawn] == ["9C", "7D", "5C", "3C^", "3C"]


def test_a_card_that_was_used_keeps_the_mark_it_came_with() -> None:
    table = dealt("9C 7D", rules=DIV)
    table.slip("5C", FACE_UP | LOCKED)
    table.order("use")
    assert (table.hand(), str(table.table.dealing.drawn[-1])) == ("9C 5C", "5C^")


def test_what_a_void_round_returns_is_in_the_order_of_boxes_bettors_and_hands() -> None:
    wagers = "1 main 10,1b main 10,1 pair 5,1b pair 5,1 pandemonium 2,2 main 10"
    table = dealt("9C 9S AD 2D 3D", wagers).play("insure 1 5", "surrender 1b")
    told = [
        (s["box"], s["bettor"], s["kind"])
        for s in table.order("void").settlements
        if s["outcome"] == "returned"
    ]
    assert told == [
        (1, "a", "main"),
        (1, "a", "pair"),
        (1, "a", "pandemonium"),
        (1, "a", "insurance"),
        (1, "b", "main"),
        (1, "b", "pair"),
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
        table.refuses_order(f"card {name}", why)
    with pytest.raises(Malformed, match="not a card"):
        table.order("card 9X")
    for command in ("use", "discard"):
        table.refuses_order(command, f"cannot be {command}.*permitted are card CARD, void")
    table.refuses_order("resume", "left the shoe unread")
    table.order("card 5C", by=None, why=None)
    assert table.hand() == "9C 5C"
    table.refuses_order("card 5C", "no card waits")


def test_a_read_card_is_not_named() -> None:
    table = dealt("9C 7D")
    table.slip("5C", LOCKED)
    for text in ("5D", "??"):
        table.refuses_order("card 6C", "not the first: permitted are use, report drawn seen")
        table.slip(text)


def test_a_foreign_card_without_a_name_is_put_away_where_the_document_is_silent() -> None:
    table = dealt("9C 7D", rules=DIV)
    table.slip("??", FOREIGN)
    assert table.status()["held"]["remedies"] == ["discard", "void"]
    table.refuses_order("card 5C", "the card that waits was read")
    table.play("sue: discard", "5C", "sue: correct 3 6C", "done")
    assert table.hand() == "9C 6C"
    assert [str(card) for card in table.table.dealing.drawn] == ["9C", "7D", "??%", "6C"]


def test_a_named_card_may_still_not_be_played() -> None:
    table = dealt("9C 7D")
    table.slip("??", LOCKED)
    table.order("card 5C")
    assert table.status()["held"]["fault"] == "card-locked"
    table.say("use")
    assert table.hand() == "9C 5C"


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
    table = live("1 main 10, 2 main 10").play("9C 8C")
    table.slip("??")
    table.slip("5C", TOGETHER)
    table.slip("??", LOCKED)
    assert table.status()["held"]["cards"] == ["??", "5C&", "??"]
    table.order("card 7D")
    assert table.status()["held"]["cards"] == ["7D", "5C&", "??"]
    table.order("use 7D")
    assert table.status()["dealer"]["cards"] == "7D"
    assert (table.hand(), table.status()["held"]["cards"]) == ("9C", ["??"])
    table.order("card 6C")
    assert table.status()["held"]["fault"] == "card-locked"
    table.say("use")
    assert (table.hand(), table.hand(2)) == ("9C 5C", "8C 6C")


def test_a_card_between_rounds_can_only_be_put_away() -> None:
    table = Live()
    table.slip("??", LOCKED)
    assert table.status()["held"]["remedies"] == ["card CARD"]
    table.order("card 5C")
    assert table.status()["held"]["remedies"] == ["discard"]
    table.refuses("open", "held")
    table.order("discard")
    table.slip("TC")
    table.order("discard")
    table.refuses("open", r"does not belong to the set \(after round 0\)")
    table.play("sue: play-on", "open")
    assert table.table.shoe.used == {("5", "C") and next(iter(table.table.shoe.used)): 1}


def test_other_holds_stand_beside_a_held_card_and_are_all_told() -> None:
    table = dealt("9C 7D")
    table.slip("??")
    table.start("boot-2")
    table.up("shoe", new_session=True, since="21:04")
    table.up("jackpot", new_session=True)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"], held["cards"]) == ("power-failure", ["resume"], ["??"])
    for told in ("started anew in the middle", "card shoe", "jackpot unit"):
        assert told in held["reason"]
    table.refuses_order("use", "use is not permitted; permitted: continue")
    table.order("resume")  # and with it the other devices
    assert table.status()["held"]["fault"] == "card-unread"
    table.order("card 5C")
    assert (table.hand(), table.state) == ("9C 5C", "play.decide")


def test_a_card_held_upon_another_hold_comes_first() -> None:
    table = dealt("9C 7D")
    table.up("keypad", new_session=True)
    table.slip("5C", LOCKED)
    assert table.status()["held"]["fault"] == "card-locked"
    assert (table.status()["awaiting"], table.status()["permitted"]) == ("supervisor", [])
    with pytest.raises(Refused, match="the table is held"):
        table.enter("use")
    table.order("use")
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
    assert (table.hand(), table.state) == ("9C 5C", "held.play.decide")


def test_cards_that_wait_at_a_void_have_left_the_shoe() -> None:
    table = dealt("9C 7D", decks=1)
    table.slip("TC")
    table.slip("5C", LOCKED)
    table.play("sue: void", "sue: play-on", "next", "open", "close", "6C 6D")
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
