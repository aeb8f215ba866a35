"""The devices as models, by what the conformance run does not ask of them (protocol section 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.cards import Card, parse_card, parse_cards, shuffled
from simulators.jackpot import Display, Jackpot
from simulators.keypad import Keypad
from simulators.model import BAD_BODY, BUSY, NOT_NOW, UNKNOWN_TYPE
from simulators.shoe import Shoe
from simulators.shuffler import Shuffler
from tests.simulators.body import NotedBody, asked, passes


@pytest.fixture
def unit(body: NotedBody) -> Jackpot:
    return Jackpot(body)


def show(unit: Jackpot, offer: int, multiplier: int, spin_ms: int = 0) -> object:
    return asked(unit, "SHOW", offer_id=offer, multiplier=multiplier, spin_ms=spin_ms)


def arm(unit: Jackpot, offer: int, box: int = 1) -> object:
    return asked(unit, "ARM", offer_id=offer, box=box)


def test_button_already_down_makes_no_press(unit: Jackpot, body: NotedBody) -> None:
    unit.do_hold()
    arm(unit, 7)
    passes(unit, body, 1)
    unit.do_release()
    assert body.events == []
    assert unit.do_press()["counted"]


def test_disarmed_and_unpressed_offer_may_be_armed_again(unit: Jackpot) -> None:
    arm(unit, 7)
    asked(unit, "DISARM", offer_id=7)
    assert arm(unit, 7) == {}


def test_blanked_offer_is_shown_again_with_the_same_multiplier_only(
    unit: Jackpot, body: NotedBody
) -> None:
    show(unit, 7, 25)
    passes(unit, body, 0)
    asked(unit, "BLANK")
    assert show(unit, 7, 50) == NOT_NOW
    assert show(unit, 7, 25) == {}
    passes(unit, body, 0)
    assert body.names() == ["SHOWN", "SHOWN"]


@pytest.mark.parametrize(("mode", "read"), [("dark", 0), ("wrong", 26)])
def test_faulty_display_tells_what_it_shows(
    unit: Jackpot, body: NotedBody, mode: str, read: int
) -> None:
    unit.do_display(mode)
    show(unit, 7, 25)
    passes(unit, body, 0)
    assert body.events == [("SHOWN", {"offer_id": 7, "multiplier": read})]


def test_a_mute_unit_shows_and_says_nothing(unit: Jackpot, body: NotedBody) -> None:
    unit.do_display("mute")
    show(unit, 7, 25)
    passes(unit, body, 0)
    assert body.events == []
    assert unit.visible_state()["shown"] == 25
    assert asked(unit, "METER")["multiplier"] == 25


def test_zero_is_a_bad_body(unit: Jackpot) -> None:
    assert arm(unit, 0) == BAD_BODY
    assert show(unit, 0, 5) == BAD_BODY
    assert show(unit, 5, 0) == BAD_BODY
    assert asked(unit, "DISARM", offer_id=0) == BAD_BODY
    assert asked(unit, "TEST_PATTERN", pattern=3) == BAD_BODY


def test_pattern_only_while_nothing_is_meant(unit: Jackpot, body: NotedBody) -> None:
    assert asked(unit, "TEST_PATTERN", pattern=1) == {}
    assert unit.ping_state() == 4
    assert arm(unit, 7) == {}
    assert asked(unit, "TEST_PATTERN", pattern=1) == NOT_NOW
    show(unit, 7, 5, 100)
    assert asked(unit, "TEST_PATTERN", pattern=1) == NOT_NOW
    passes(unit, body, 1)
    assert asked(unit, "TEST_PATTERN", pattern=0) == NOT_NOW


def test_without_controller_it_disarms_and_keeps_showing(unit: Jackpot, body: NotedBody) -> None:
    show(unit, 7, 25)
    passes(unit, body, 0)
    unit.abandoned()
    assert unit.visible_state()["shown"] == 25
    arm(unit, 8)
    unit.abandoned()
    assert not unit.do_press()["counted"]


def test_stuck_button_is_told_once_and_recovers(unit: Jackpot, body: NotedBody) -> None:
    unit.do_hold()
    passes(unit, body, 20)
    assert body.events[0] == ("STUCK", {"held_ms": 5000})
    assert body.events[1] == ("FAULT", {"faults": 1 << 5})
    unit.do_release()
    assert body.events[2:] == [("FAULT", {"faults": 0})]


def test_hand_that_presses_by_itself(body: NotedBody) -> None:
    unit = Jackpot(body, pace_ms=500)
    arm(unit, 7)
    passes(unit, body, 2)
    assert body.names() == ["PRESS"]


def test_it_shows_and_has_no_button() -> None:
    body = NotedBody()
    display = Display(body)
    assert asked(display, "ARM", offer_id=7, box=1) == UNKNOWN_TYPE
    assert asked(display, "DISARM", offer_id=7) == UNKNOWN_TYPE
    with pytest.raises(ValueError, match="no button"):
        display.do_press()
    assert asked(display, "SHOW", offer_id=7, multiplier=25, spin_ms=0) == {}
    display.tick()
    assert display.visible_state()["shown"] == 25
    assert body.events == [("SHOWN", {"offer_id": 7, "multiplier": 25})]
    assert (display.kind, asked(display, "BLANK")) == (3, {})


@pytest.fixture
def body() -> NotedBody:
    return NotedBody()


def shoe_with(body: NotedBody, cards: str, **options: int) -> Shoe:
    return Shoe(body, parse_cards(cards.split()), **options)


def test_allowance_counts_down_and_locks(body: NotedBody) -> None:
    shoe = shoe_with(body, "AH 2D 3C KS")
    with pytest.raises(ValueError, match="gate is locked"):
        shoe.do_draw()
    assert asked(shoe, "GATE", unlocked=1, cards=2) == {"last_event": 0}
    shoe.do_draw(count=2)
    assert shoe.ping_state() == 1
    assert body.events[0] == (
        "CARD",
        {"rank": 1, "suit": 3, "flags": 0, "card_uid": 1, "remaining": 3},
    )
    shoe.do_draw(force=True)
    assert body.events[2][1]["flags"] == 8
    assert asked(shoe, "GATE", unlocked=0, cards=0) == {"last_event": 3}


def test_cards_are_stacked_and_slipped_in(body: NotedBody) -> None:
    """Stacked ones are the shoe's own: as many as before. Slipped in, they are more."""
    shoe = shoe_with(body, "AH 2D 3C KS 2D")
    assert shoe.do_stack("2D 9Sb") == {"remaining": 5}
    assert shoe.visible_state()["next"] == ["2D", "9Sb", "AH", "2D", "3C"]
    assert shoe.do_slip(["KS", "KS"]) == {"remaining": 7}
    assert shoe.visible_state()["next"][:3] == ["KS", "KS", "2D"]
    assert body.events == []


def test_cutting_card_last_card_and_marks(body: NotedBody) -> None:
    shoe = shoe_with(body, "AHu ?? 9Db", cut=1)
    asked(shoe, "GATE", unlocked=1, cards=0)
    shoe.do_draw()
    shoe.do_draw(together=True)
    shoe.do_draw(unread=True)
    assert body.names() == ["CARD", "CARD", "CUTTING_CARD", "CARD", "SHOE_STATE"]
    cards = [fields for name, fields in body.events if name == "CARD"]
    assert [card["flags"] for card in cards] == [1, 2, 4]
    assert [card["rank"] for card in cards] == [1, 0, 0]
    assert shoe.ping_state() == 0


def test_hand_that_deals_by_itself_draws_what_is_allowed(body: NotedBody) -> None:
    shoe = shoe_with(body, "AH 2D 3C KS", pace_ms=400)
    passes(shoe, body, 5)
    assert body.events == []
    asked(shoe, "GATE", unlocked=1, cards=3)
    passes(shoe, body, 5)
    assert len(body.events) == 3


def test_bad_bodies_of_a_shoe(body: NotedBody) -> None:
    shoe = shoe_with(body, "AH")
    assert asked(shoe, "GATE", unlocked=2, cards=0) == BAD_BODY
    assert asked(shoe, "SIGNAL", colour=4, blink=0) == BAD_BODY
    assert asked(shoe, "ARM", offer_id=1, box=1) == 1


@given(st.integers(1, 13), st.integers(1, 4), st.sets(st.sampled_from("utbd")))
def test_cards_are_read_as_they_are_written(rank: int, suit: int, marks: set[str]) -> None:
    flags = sum({"u": 1, "t": 2, "b": 4, "d": 16}[mark] for mark in marks)
    card = Card(rank, suit, flags)
    assert parse_card(str(card)) == card


@given(st.integers(1, 8), st.integers())
def test_shoe_without_tens_is_whole_and_repeatable(decks: int, seed: int) -> None:
    cards = shuffled(decks, seed)
    assert cards == shuffled(decks, seed)
    assert len(cards) == 48 * decks
    assert all(card.rank != 10 for card in cards)
    assert len({(card.rank, card.suit) for card in cards}) == 48
    assert len(shuffled(decks, seed, tens=True)) == 52 * decks


def test_keypad_takes_no_keys_without_controller(body: NotedBody) -> None:
    keypad = Keypad(body)
    body.served = False
    assert keypad.visible_state()["rows"] == ["NO CONTROLLER", ""]
    assert keypad.do_key("B3")["taken"] == 0
    body.served = True
    keypad.greeted()
    asked(keypad, "TEXT", row=1, text="PLACE BETS")
    asked(keypad, "LAMPS", lit=0b101 | 1 << 16)
    keypad.do_switch(supervisor=True)
    keypad.do_key("B#")
    assert [fields for _, fields in body.events] == [
        {"key": "B", "supervisor": 1},
        {"key": "#", "supervisor": 1},
    ]
    seen = keypad.visible_state()
    assert (seen["rows"], seen["lamps"], seen["hold"]) == (["", "PLACE BETS"], [1, 3], True)
    keypad.greeted()
    assert keypad.visible_state()["rows"] == ["", "PLACE BETS"]
    keypad.abandoned()
    assert keypad.visible_state()["rows"][0] == "NO CONTROLLER"
    assert asked(keypad, "TEXT", row=2, text="") == BAD_BODY


def test_shuffle_reports_and_ends_ready(body: NotedBody) -> None:
    shuffler = Shuffler(body, cards=384, shuffle_ms=12_000)
    assert asked(shuffler, "START", set=1) == {}
    assert asked(shuffler, "START", set=1) == {}
    assert asked(shuffler, "START", set=2) == BUSY
    assert asked(shuffler, "RELEASE", set=1) == NOT_NOW
    passes(shuffler, body, 20)
    assert body.names() == [*["SHUFFLER_STATE"] * 3, "SHUFFLE_DONE", "SHUFFLER_STATE"]
    assert [fields["progress"] for name, fields in body.events if "STATE" in name] == [
        0,
        416,
        833,
        1000,
    ]
    assert body.events[3][1] == {"set": 1, "count": 384, "result": 0}
    assert asked(shuffler, "RELEASE", set=1) == {}
    assert asked(shuffler, "START", set=1) == NOT_NOW
    assert asked(shuffler, "START", set=3) == BAD_BODY


def test_planted_card_is_found(body: NotedBody) -> None:
    shuffler = Shuffler(body, shuffle_ms=1000)
    shuffler.do_plant(1, "10C", +1)
    asked(shuffler, "START", set=1)
    passes(shuffler, body, 2)
    assert body.events[1] == ("CARD_DISCREPANCY", {"rank": 10, "suit": 1, "difference": 1})
    assert body.events[2][1] == {"set": 1, "count": 385, "result": 2}
    assert shuffler.ping_state() == 1


def test_door_stops_the_shuffle(body: NotedBody) -> None:
    shuffler = Shuffler(body)
    asked(shuffler, "START", set=1)
    shuffler.do_door(open=True)
    assert shuffler.ping_state() == 5
    assert asked(shuffler, "START", set=1) == NOT_NOW
    shuffler.do_door(open=False)
    assert asked(shuffler, "ABORT") == {}
    assert shuffler.ping_state() == 1
