"""The screens of ``watch`` as they are committed, and what holds for each of any size.

The texts in ``screens`` are written by ``python -m pages.watch.pictures``, as are the pictures of
the documentation: look at both when they change.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.live.layout import page_shown, screen
from controller.cli.live.seen import SeenTable
from controller.cli.live.spans import in_ascii, text_of
from controller.game.round.result_fields import SettlementResult
from pages.watch.moments import MOMENTS, SIZES, full, held_table, playing
from pages.watch.pictures import DRAWN, page_on_screen, picture_of, text_file, text_on, texts

moments = st.sampled_from(list(MOMENTS))
widths, heights = st.integers(60, 220), st.integers(20, 70)


@pytest.mark.parametrize(("moment", "page", "size"), list(texts()))
def test_a_screen_is_as_it_was(moment: str, page: str, size: tuple[int, int]) -> None:
    async def whole() -> str:
        async with page_on_screen(MOMENTS[moment](), page, size) as pilot:
            return text_on(pilot)

    assert asyncio.run(whole()) == text_file(moment, page, size).read_text("utf-8")


def test_a_picture_has_nothing_from_elsewhere() -> None:
    moment, page, size = DRAWN[0]

    async def whole() -> str:
        async with page_on_screen(MOMENTS[moment](), page, size) as pilot:
            return picture_of(pilot)

    picture = asyncio.run(whole())
    assert "font-face" not in picture
    assert picture.count("http") == picture.count("http://www.w3.org/2000/svg") == 1
    assert "METER" in picture


def told(seen: SeenTable, width: int, height: int, page: int | None = None) -> list[str]:
    return [text_of(line) for line in screen(seen, width, height, page)]


@given(moments, widths, heights, st.integers(0, 8))
def test_every_screen_fits_and_has_its_links_at_the_foot(
    moment: str, width: int, height: int, page: int
) -> None:
    seen = MOMENTS[moment]()
    lines = told(seen, width, height, page)
    assert len(lines) == height
    assert max(map(len, lines)) <= width
    foot = "\n".join(lines[-9:])
    for device in seen.state["devices"]:
        assert device in foot


@given(widths, st.integers(24, 70))
def test_every_box_and_wager_is_on_some_page(width: int, height: int) -> None:
    seen = full()
    last = page_shown(seen, width, height, 99)
    lines = [line for page in range(last + 1) for line in told(seen, width, height, page)]
    every = " ".join(lines)
    for number, box in seen.state["boxes"].items():
        assert f"box {number}" in every
        for bettor, placed in box["wagers"].items():
            assert f" {bettor} main {str(placed['main']).removesuffix('.00')}" in every
    assert "lines more" not in every


def test_the_page_with_the_box_in_turn_is_shown_until_another_is_wanted() -> None:
    seen = full()
    seen.state["turn"] = {"box": 7, "hand": 1}
    assert any("box 7: TURN" in line for line in told(seen, 80, 24))
    assert not any("box 7: TURN" in line for line in told(seen, 80, 24, 0))
    seen.state["turn"] = None
    assert page_shown(seen, 80, 24) == 0


def test_without_a_turn_the_page_with_the_box_at_the_jackpot_is_shown() -> None:
    seen = full()
    seen.state["turn"] = None
    seen.state["offer"] = {"box": 5}
    seen.state["meter"] = {"box": 7, "multiplier": 25}
    assert page_shown(seen, 80, 24) == 2
    seen.state["meter"] = None
    assert page_shown(seen, 80, 24) == 1
    seen.state["offer"] = None
    assert page_shown(seen, 80, 24) == 0


@pytest.mark.parametrize("paid", [True, False])
def test_what_is_to_be_paid_stands_before_what_is_taken_and_is_never_cut_to_a_line(
    paid: bool,
) -> None:
    seen = full()
    taken = {**seen.state["owed"][0], "outcome": "lose", "net": "-1000.00", "odds": ""}
    pay = {**taken, "outcome": "win", "net": "150.00"}
    odds = {**pay, "net": None}
    by_box = {5: pay, 7: odds} if paid else {}
    seen.state["owed"] = [
        cast("SettlementResult", {**by_box.get(box, taken), "box": box}) for box in range(1, 8)
    ]
    lines = told(seen, 80, 24)
    at = next(number for number, line in enumerate(lines) if "OWED" in line)
    if paid:
        assert lines[at].startswith(
            " OWED NOW box 5: pay 150.00; box 7: what the odds say; box 1: "
        )
        assert lines[at + 1].startswith("   ")
    else:
        assert lines[at].startswith(" OWED NOW box 1: take 1000.00; box 2: ")
        assert not lines[at + 1].startswith("   ")


def test_where_there_is_little_room_sums_stand_for_wagers_and_what_is_cut_says_so() -> None:
    seen = replace(full(), trouble="gone")
    seen.state["held"] = held_table().state["held"]
    assert any("a 90.00 in 3; b 105.00 in 3" in line for line in told(seen, 80, 24))
    assert not any("lines more" in line for line in told(seen, 80, 24))
    assert any("lines more" in line for line in told(seen, 80, 22))


def test_what_holds_the_table_stands_first() -> None:
    lines = told(held_table(), 80, 24)
    assert lines[0].startswith(" HELD  card-unread: the shoe could not read a card")
    assert lines[1].startswith(" next step: Leave the card where it was dealt.")
    assert any(line.startswith(" supervisor may: card CARD, void") for line in lines[:6])


@pytest.mark.parametrize("size", SIZES)
def test_a_long_next_step_is_whole_on_the_faults_page(size: tuple[int, int]) -> None:
    seen = held_table()
    assert seen.state["held"]
    seen.state["held"]["next_step"] = "Do this. " * 60
    lines = told(seen, *size)
    assert len(lines) == size[1]
    assert any("links" in line for line in lines)


def test_text_from_a_device_is_shown_and_neither_obeyed_nor_read_as_markup() -> None:
    seen = playing()
    device = dict(seen.state["devices"]["shoe"])
    reason = "[bold red]x[/] \x1b[2J\u202e end"
    seen.state["devices"]["shoe"] = {**device, "link": "down", "reason": reason}

    async def whole() -> str:
        async with page_on_screen(seen, "", (120, 40)) as pilot:
            return text_on(pilot)

    text = asyncio.run(whole())
    assert r"[bold red]x[/] \x1b[2J\u202e end" in text


def test_a_terminal_that_is_not_utf_8_gets_ascii() -> None:
    for line in in_ascii(screen(full(), 80, 24)):
        assert text_of(line).isascii()


def test_without_colour_the_words_are_the_same() -> None:
    async def whole(colour: bool) -> str:
        async with page_on_screen(held_table(), "", (80, 24), colour=colour) as pilot:
            return text_on(pilot)

    assert asyncio.run(whole(colour=False)) == asyncio.run(whole(colour=True))
