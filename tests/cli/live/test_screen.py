"""The full screen, as lines: the table from above, what stands across it, and what keys do."""

from __future__ import annotations

import asyncio
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from controller.cli.live.feed import Feed
from controller.cli.live.screen import STYLES, FullScreen, felt_lines, table_lines
from controller.cli.table.status import Look
from controller.table.showing.layout import closing
from controller.table.showing.status_fields import Status
from pages import moments
from tests.table.live.driver import Live


def feed_of(state: Status, unanswered_s: float = 0.0) -> Feed:
    return Feed(Path("no-socket"), state, may_ask=False, unanswered_s=unanswered_s)


def told(feed: Feed, width: int = 80, height: int = 24) -> list[str]:
    return [line.plain for line in table_lines(feed, width, height)]


def place_of(lines: list[str], text: str) -> tuple[int, int]:
    """Row and column at which a text begins."""
    [row] = [number for number, line in enumerate(lines) if text in line]
    return row, lines[row].index(text)


@given(
    st.sampled_from(list(moments.MOMENTS)), st.integers(60, 220), st.integers(20, 70), st.booleans()
)
def test_every_screen_fits_and_says_what_holds(
    moment: str, width: int, height: int, frozen: bool
) -> None:
    state = moments.MOMENTS[moment]()
    lines = told(feed_of(state, 4.0 if frozen else 0.0), width, height)
    assert len(lines) == height
    assert max(map(len, lines[:-1])) <= width
    assert lines[-1].startswith(" r round  d devices  q quit")
    assert ("NOT LIVE" in lines[-1]) == frozen
    assert lines[0].startswith(" FROZEN: the controller has not" if frozen else "Table P12")
    assert any("HELD, " in line for line in lines) == bool(state.get("held"))


def test_hold_multiplier_payment_and_account_fill_their_lines() -> None:
    state: Status = {**moments.closing(), "held": moments.held_table()["held"]}
    state["meter"] = moments.playing()["meter"]
    state["conditions"] = {"disk-low": ""}
    lines = table_lines(feed_of(state), 80, 40)
    looks: tuple[tuple[str, Look], ...] = (
        ("HELD, card-unread", "alarm"),
        ("supervisor may: card CARD, void", "alarm"),
        ("`card 9D`", "alarm"),
        ("25x for box 1", "meter"),
        ("box 3: pay 50.00, take 20.00", "pay"),
        ("ROUND 118 CAME TO 1a +165.00", "pay"),
    )
    for text, look in looks:
        [line] = [line for line in lines if text in line.plain]
        assert (line.style, len(line.plain)) == (STYLES[look], 80)
    assert lines[-2].plain == "! also: disk-low"


def test_nobody_answers_and_the_last_changes_stand() -> None:
    feed = feed_of(moments.between(), 12.0)
    feed.observe()
    lines = told(feed)
    assert lines[0].startswith(" FROZEN: the controller has not answered since ")
    assert any(line.endswith("! no controller: it does not answer") for line in lines)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_the_hands_lie_as_on_the_layout(width: int) -> None:
    """Box 1 at the dealer's left, the middle ones further from him, he himself nearest."""
    lines = [line.plain for line in felt_lines(moments.full(), width)]
    cards = ["9♠ 7♥", "A♠ Q♥", "8♠ 5♣", "K♣ 5♦", "7♣ 2♦", "J♦ 9♥", "2♣ 3♠"]
    places = [place_of(lines, hand) for hand in cards]
    assert [column for _, column in places] == sorted({column for _, column in places})
    rows = [row for row, _ in places]
    assert rows == rows[::-1]
    assert rows[0] > rows[1] >= rows[3]
    assert place_of(lines, "dealer 6♣")[0] == len(lines) - 1
    assert ">3" in "".join(lines)
    assert max(map(len, lines)) <= width


def test_boxes_at_which_nobody_plays_have_places_too() -> None:
    """Of a real table of seven boxes, of which two play: else box 3 would lie where 7 is."""
    table = Live().play("open", "wager 1 main 50", "wager 3 main 50", "close", "9C 7D 6S")
    lines = [line.plain for line in felt_lines(cast("Status", table.status()), 120)]
    full = [line.plain for line in felt_lines(moments.full(), 120)]
    assert place_of(lines, "9♣")[1] == place_of(full, "9♠ 7♥")[1]
    assert place_of(lines, "7♦")[1] == place_of(full, "8♠ 5♣")[1]


def test_without_room_or_cards_there_is_no_table_from_above() -> None:
    assert felt_lines(moments.full(), 60) == []
    assert felt_lines(moments.between(), 120) == []
    assert not any("dealer 6♣ 6" in line for line in told(feed_of(moments.playing())))
    assert any("dealer 6♣ 6" in line for line in told(feed_of(moments.playing()), 80, 40))


def test_keys_open_scroll_and_close_a_page_and_what_holds_stays_above() -> None:
    async def whole() -> None:
        console = Console(file=StringIO(), width=80, height=24, force_terminal=True)
        shown = FullScreen(feed_of(moments.held_table()), console)
        async with asyncio.TaskGroup() as shown.tasks:
            table = shown.drawn()
            shown.press(b"r")
            shown.press(b"d")
            assert "asking the controller" in shown.drawn()[0].plain
            shown.touched.clear()
            await shown.touched.wait()
            page = shown.drawn()[0].plain
            assert page.startswith("  HELD, card-unread")
            assert "No counters: no-socket" in page
            shown.press(b"\x1b[6~")
            shown.press(b"x")
            assert page == shown.drawn()[0].plain, "there is no more of it"
            shown.press(b"\x1b")
            assert shown.drawn() == table

    asyncio.run(whole())


def test_a_terminal_that_is_not_utf_8_gets_letters() -> None:
    state: Status = {**moments.full(), "prompt": "wait …"}
    console = Console(file=TextIOWrapper(BytesIO(), "ascii"), width=120, height=40)
    text = FullScreen(feed_of(state), console).drawn()[0].plain
    assert text.isascii()
    assert "8S 5C 6D" in text
    assert "wait ?" in text


def test_text_from_a_device_is_shown_and_neither_obeyed_nor_read_as_markup() -> None:
    state = moments.playing()
    reason = "[bold red]x[/] \x1b[2J\u202e end"
    state["devices"]["shoe"] = {**state["devices"]["shoe"], "link": "down", "reason": reason}
    assert r"[bold red]x[/] \x1b[2J\u202e end" in "\n".join(told(feed_of(state), 120, 40))


@pytest.mark.parametrize("at_stake", [None, "5.00"])
def test_what_is_not_known_to_be_settled_is_not_closed(at_stake: str | None) -> None:
    state = moments.closing()
    assert len(list(closing(state))) == 2
    state["account"][0]["at_stake"] = at_stake
    assert list(closing(state)) == []


def test_a_sum_by_the_odds_leaves_the_house_out() -> None:
    state = moments.closing()
    state["account"] = [{**state["account"][0], "net": None}]
    assert list(closing(state)) == ["ROUND 118 CAME TO 1a by the odds"]
