"""The jackpot unit's rules, one by one (protocol section 5), and the display: its meter alone."""

from __future__ import annotations

import pytest

from simulators.jackpot import Display, Jackpot
from simulators.model import BAD_BODY, BUSY, NOT_NOW, UNKNOWN_TYPE
from tests.simulators.body import NotedBody, asked, passes


@pytest.fixture
def body() -> NotedBody:
    return NotedBody()


@pytest.fixture
def unit(body: NotedBody) -> Jackpot:
    return Jackpot(body)


def show(unit: Jackpot, offer: int, multiplier: int, spin_ms: int = 0) -> object:
    return asked(unit, "SHOW", offer_id=offer, multiplier=multiplier, spin_ms=spin_ms)


def arm(unit: Jackpot, offer: int, box: int = 1) -> object:
    return asked(unit, "ARM", offer_id=offer, box=box)


def test_only_the_first_press_after_arming_counts(unit: Jackpot, body: NotedBody) -> None:
    unit.do_press()
    assert arm(unit, 7) == {}
    assert arm(unit, 7) == {}
    assert [unit.do_press()["counted"] for _ in range(3)] == [True, False, False]
    assert body.events == [("PRESS", {"offer_id": 7})]
    assert unit.ping_state() == 0
    assert asked(unit, "METER")["pressed"] == 1


def test_button_already_down_makes_no_press(unit: Jackpot, body: NotedBody) -> None:
    unit.do_hold()
    arm(unit, 7)
    passes(unit, body, 1)
    unit.do_release()
    assert body.events == []
    assert unit.do_press()["counted"]


def test_disarm_tells_the_last_event_before_it(unit: Jackpot, body: NotedBody) -> None:
    arm(unit, 7)
    assert asked(unit, "DISARM", offer_id=8) == {"last_event": 0}
    assert unit.visible_state()["armed"] == 7
    unit.do_press()
    assert asked(unit, "DISARM", offer_id=7) == {"last_event": 1}


def test_pressed_or_shown_offers_are_never_armed_again(unit: Jackpot, body: NotedBody) -> None:
    arm(unit, 7)
    unit.do_press()
    assert arm(unit, 7) == NOT_NOW
    show(unit, 8, 25)
    passes(unit, body, 0)
    assert arm(unit, 8) == NOT_NOW
    asked(unit, "BLANK")
    assert arm(unit, 8) == NOT_NOW
    assert arm(unit, 9) == {}


def test_disarmed_and_unpressed_offer_may_be_armed_again(unit: Jackpot) -> None:
    arm(unit, 7)
    asked(unit, "DISARM", offer_id=7)
    assert arm(unit, 7) == {}


def test_show_spins_then_tells_what_it_reads(unit: Jackpot, body: NotedBody) -> None:
    assert show(unit, 7, 25, 4000) == {}
    assert unit.ping_state() == 2
    assert asked(unit, "METER")["multiplier"] == 0
    assert show(unit, 7, 25, 4000) == {}
    assert show(unit, 7, 50) == NOT_NOW
    assert show(unit, 8, 50) == BUSY
    assert arm(unit, 8) == BUSY
    assert asked(unit, "BLANK") == BUSY
    passes(unit, body, 3.9)
    assert body.events == []
    passes(unit, body, 0.2)
    assert body.events == [("SHOWN", {"offer_id": 7, "multiplier": 25})]
    assert show(unit, 7, 25) == {}
    passes(unit, body, 5)
    assert len(body.events) == 1
    assert asked(unit, "METER") == {
        "state": 3,
        "offer_id": 7,
        "box": 0,
        "multiplier": 25,
        "pressed": 0,
    }


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
