"""What keys do, at a table on which nothing moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from controller.cli.live.app import WatchApp
from controller.cli.live.seen import Counted, SeenTable, ToldRound
from drivers.link_counters import MEANINGS
from pages.watch.moments import degraded, full, held_table, playing
from pages.watch.pictures import Still, page_on_screen, text_on


def after(
    *keys: str, seen: Callable[[], SeenTable] = full, size: tuple[int, int] = (80, 24)
) -> str:
    """The screen after these keys."""

    async def whole() -> str:
        async with page_on_screen(seen(), "", size) as pilot:
            await press(pilot, *keys)
            return text_on(pilot)

    return asyncio.run(whole())


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize(
    ("keys", "boxes"),
    [
        ((), "boxes 1 to 3, page 1"),
        (("n",), "boxes 4 to 6, page 2"),
        (("pagedown", "right"), "box 7, page 3"),
        (("n", "n", "n", "n"), "box 7, page 3"),
        (("n", "n", "p"), "boxes 4 to 6, page 2"),
        (("p", "p"), "boxes 1 to 3, page 1"),
        (("n", "0"), "boxes 1 to 3, page 1"),
    ],
)
def test_pages_of_boxes(keys: tuple[str, ...], boxes: str) -> None:
    assert f"{boxes} of 3" in after(*keys)


@pytest.mark.parametrize("key", ["d", "r", "f", "c", "question_mark"])
def test_escape_leads_back_to_the_table(key: str) -> None:
    assert after(key, "escape", seen=playing) == after(seen=playing)


def test_a_page_that_is_open_is_not_opened_again() -> None:
    assert after("question_mark", "question_mark", "escape") == after()


def held_twice() -> SeenTable:
    seen = held_table()
    assert seen.state["held"]
    seen.state["held"]["faults"] = ["card-unread", "device-replaced"]
    return seen


@pytest.mark.parametrize("key", ["down", "j", "pagedown", "space"])
def test_a_long_page_scrolls_and_what_holds_stays_above(key: str) -> None:
    async def whole() -> tuple[str, str, str]:
        async with page_on_screen(held_twice(), "", (80, 24)) as pilot:
            await press(pilot, "f")
            first = text_on(pilot)
            await press(pilot, *[key] * 6)
            moved = text_on(pilot)
            await press(pilot, *["pageup"] * 6)
            return first, moved, text_on(pilot)

    first, moved, back = asyncio.run(whole())
    assert first != moved
    assert moved.startswith(" HELD")
    assert back == first


def test_other_rounds() -> None:
    assert "── round 118 " in after("r")
    assert "── round 117 " in after("r", "left")
    assert "── round 118 " in after("r", "left", "right", "right")


class Playing(Still):
    """A table whose last round with a card is 117 of 118, until its first card comes."""

    def __init__(self) -> None:
        super().__init__(full())
        self.dealt = False
        self.asked: list[str] = []

    async def round(self, number: str) -> ToldRound:
        """Which one that was."""
        self.asked.append(number)
        latest = 118 if self.dealt else 117
        return ToldRound([f"asked: {number}"], latest if number == "last" else int(number))


async def test_the_round_that_is_shown_is_the_one_in_the_heading_and_left_is_the_one_before() -> (
    None
):
    table = Playing()
    app = WatchApp(table, ascii_only=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "r")
        assert "── round 117 " in text_on(pilot)
        await press(pilot, "left")
        assert "── round 116 " in text_on(pilot)
        await press(pilot, "right")
        assert "── round 117 " in text_on(pilot)


async def test_the_last_round_is_followed_while_it_is_played_and_another_one_is_left() -> None:
    table = Playing()
    app = WatchApp(table, ascii_only=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "r")
        table.dealt, table.seen = True, full()
        app.look()
        await press(pilot, "down")
        assert "── round 118 " in text_on(pilot)
        await press(pilot, "left")
        table.seen = full()
        app.look()
        await press(pilot, "down")
        assert "── round 117 " in text_on(pilot)
        assert table.asked == ["last", "last", "117"]


async def test_a_round_is_told_also_where_cards_come_faster_than_answers() -> None:
    class Slow(Playing):
        """Every answer takes until it is given leave."""

        def __init__(self) -> None:
            super().__init__()
            self.may = asyncio.Event()

        async def round(self, number: str) -> ToldRound:
            await self.may.wait()
            return await super().round(number)

    table = Slow()
    app = WatchApp(table, ascii_only=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await pilot.pause()
        for _ in range(3):
            table.seen = full()
            app.look()
            await pilot.pause()
        table.may.set()
        await press(pilot, "down")
        assert "── round 117 " in text_on(pilot)
        app.look()
        await press(pilot, "down")
        assert table.asked == ["last", "last"], "and again for what has come meanwhile"


def test_a_digit_opens_a_device_and_others_nothing() -> None:
    assert "── device keypad " in after("d", "4")
    assert "── devices " in after("d", "9", "x")


def test_traffic_with_and_without_pings() -> None:
    assert "-> PING" in after("d", "1", seen=degraded, size=(120, 40))
    without = after("d", "1", "p", seen=degraded, size=(120, 40))
    assert "traffic without PINGs" in without
    assert "-> PING" not in without


def test_counters_leave_room_for_traffic() -> None:
    def many() -> SeenTable:
        seen = degraded()
        return replace(seen, counted=Counted(hour={"shoe": dict.fromkeys(MEANINGS, 1)}))

    text = after("d", "1", seen=many)
    assert " more: devices list --stats" in text
    assert "-> EVENT_ACK" in text


async def test_a_page_is_laid_out_anew_when_the_terminal_is() -> None:
    async with page_on_screen(held_table(), "fault", (80, 24)) as pilot:
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert text_on(pilot).count("\n") == 40
        assert max(map(len, text_on(pilot).splitlines())) == 120


def test_q_ends_it() -> None:
    async def whole() -> int | None:
        app = WatchApp(Still(playing()))
        async with app.run_test() as pilot:
            await pilot.press("d", "q")
        return app.return_code

    assert asyncio.run(whole()) == 0


async def test_a_last_turn_of_the_clock_behind_the_end_shows_nothing() -> None:
    app = WatchApp(Still(playing()))
    app.look()
    assert app.screen_stack == []
