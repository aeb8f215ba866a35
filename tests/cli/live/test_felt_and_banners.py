"""The table from above with its suits, and what stands across the whole screen."""

from __future__ import annotations

from typing import cast

import pytest

from controller.cli.live.felt import felt
from controller.cli.live.layout import multiplier, payment, screen
from controller.cli.live.spans import Line, in_ascii, text_of
from controller.game.round.result_fields import BettorsAccount
from controller.game.rules.cards import suited
from controller.table.showing.layout import closing
from controller.table.showing.status_fields import Status
from pages.watch import moments
from tests.table.live.driver import Live


def told(lines: list[Line]) -> list[str]:
    return [text_of(line) for line in lines]


def at(lines: list[str], text: str) -> tuple[int, int]:
    """Row and column at which a text begins."""
    [row] = [number for number, line in enumerate(lines) if text in line]
    return row, lines[row].index(text)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_the_hands_lie_as_on_the_layout(width: int) -> None:
    """Box 1 at the dealer's left, the middle ones further from him, he himself nearest."""
    lines = told(felt(moments.full().state, width))
    cards = ["9♠ 7♥", "A♠ Q♥", "8♠ 5♣", "K♣ 5♦", "7♣ 2♦", "J♦ 9♥", "2♣ 3♠"]
    places = [at(lines, hand) for hand in cards]
    assert [column for _, column in places] == sorted({column for _, column in places})
    rows = [row for row, _ in places]
    assert rows == rows[::-1]
    assert rows[0] > rows[1] >= rows[3]
    assert at(lines, "dealer 6♣")[0] == len(lines) - 1
    assert "▶3" in "".join(lines)
    assert max(map(len, lines)) <= width


def test_a_place_at_which_nobody_plays_stays_free() -> None:
    lines = told(felt(moments.playing().state, 120))
    assert at(lines, " 2 ")[1] < at(lines, "▶3")[1] < at(lines, " 4 ")[1]


def test_boxes_at_which_nobody_plays_have_places_too() -> None:
    """Of a real table of seven boxes, of which two play: else box 3 would lie where 7 is."""
    table = Live()
    table.say("open", "wager 1 main 50", "wager 3 main 50", "close")
    table.deal("9C 7D 6S")
    lines = told(felt(cast("Status", table.status()), 120))
    full = told(felt(moments.full().state, 120))
    assert at(lines, "9♣")[1] == at(full, "9♠ 7♥")[1]
    assert at(lines, "7♦")[1] == at(full, "8♠ 5♣")[1]


def test_without_room_or_cards_there_is_no_table_from_above() -> None:
    assert felt(moments.full().state, 60) == []
    assert felt(moments.between().state, 120) == []
    assert not any("dealer 6♣ 6" in line for line in told(screen(moments.playing(), 80, 24)))
    assert any("dealer 6♣ 6" in line for line in told(screen(moments.playing(), 80, 40)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("AS 10D QH 2C", "A♠ 10♦ Q♥ 2♣"),
        ("box 3.2 + 3C (11)", "box 3.2 + 3♣ (11)"),
        ("?? JS", "?? J♠"),
        ("wager 3a main 50, POD 10", "wager 3a main 50, POD 10"),
        ("SHOE-10D1 11D", "SHOE-10D1 11D"),
    ],
)
def test_suits_have_their_signs(text: str, shown: str) -> None:
    assert suited(text) == shown


def test_a_terminal_that_is_not_utf_8_has_letters() -> None:
    lines = "\n".join(told(in_ascii(screen(moments.full(), 120, 60))))
    assert "8S 5C 6D" in lines
    assert lines.isascii()


def test_what_is_typed_keeps_its_letters() -> None:
    seen = moments.held_table()
    seen.state["permitted"] = ["card 9D"]
    text = "\n".join(told(screen(seen, 120, 40)))
    assert "card 9D" in text
    assert "`card 9D`" in text


@pytest.mark.parametrize(
    ("look", "lines"),
    [
        ("meter", multiplier(moments.playing().state, 80)),
        ("pay", payment(moments.playing().state, 80, 2)),
        (
            "alarm",
            [line for line in screen(moments.held_table(), 80, 24) if line[0].look == "alarm"],
        ),
    ],
)
def test_hold_multiplier_and_payment_fill_their_lines(look: str, lines: list[Line]) -> None:
    assert lines
    for line in lines:
        assert {piece.look for piece in line} == {look}
        assert len(text_of(line)) == 80


def test_an_offer_is_said_until_the_meter_has_its_figure() -> None:
    state = moments.playing().state
    assert told(multiplier(state, 40)) == [" METER 25x FOR BOX 1".ljust(40)]
    state["meter"] = None
    assert told(multiplier(state, 40)) == [" BUTTON OFFERED TO BOX 1".ljust(40)]


def test_the_closing_account_comes_once_nothing_lies_any_more() -> None:
    state = moments.closing().state
    assert "; ".join(closing(state)) == (
        "ROUND 118 CAME TO 1a +165.00, 3a +48.00, 3b -25.00, 5a +190.00; the house -378.00"
    )
    lines = told(screen(moments.closing(), 80, 24))
    assert at(lines, "OWED NOW")[0] < at(lines, "ROUND 118 CAME TO")[0]
    state["account"][0]["at_stake"] = "10.00"
    assert list(closing(state)) == []


@pytest.mark.parametrize("at_stake", [None, "5.00"])
def test_what_is_not_known_to_be_settled_is_not_closed(at_stake: str | None) -> None:
    one = {"box": 1, "bettor": "a", "at_stake": at_stake, "now": None, "net": None}
    state: Status = {"account": [cast("BettorsAccount", one)]}
    assert list(closing(state)) == []


def test_a_sum_by_the_odds_leaves_the_house_out() -> None:
    one = {"box": 1, "bettor": "a", "at_stake": "0.00", "now": None, "net": None}
    state: Status = {"round": 3, "account": [cast("BettorsAccount", one)]}
    assert list(closing(state)) == ["ROUND 3 CAME TO 1a by the odds"]
