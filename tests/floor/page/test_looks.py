"""The pages as people see them, in a browser: three screens, light, dark and on paper. Pictures of
all of them: ``make test ARGS="--pictures FOLDER tests/floor/page"``."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import (
    LARGE,
    SCREENS,
    Screen,
    not_accessible,
    not_by_keyboard,
    on_paper,
    too_wide,
)
from tests.floor.page.standing import StandingPage

pytestmark = pytest.mark.needs("postgresql", "chromium")

PAGES: Final = {
    "floor": ("/", ".tables li"),
    "table": ("/tables/P2", "#rest table"),
    "round": ("/tables/P2/rounds/1", "table"),
    "report": ("/report", "main table"),
}
"""Where each is, and what is there once it is whole."""


def opened(
    name: str, standing: StandingPage, visits: Visits, screen: Screen = LARGE, *, dark: bool = False
) -> Page:
    path, there = PAGES[name]
    page = visits.open(f"{standing.url}{path}", screen, dark=dark)
    expect(page.locator(there).first).to_be_visible()
    if page.locator("#liveness").count():
        expect(page.locator("#liveness")).to_have_text("Live")
    return page


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_every_page_fits_each_screen(
    standing: StandingPage, visits: Visits, screen: Screen
) -> None:
    wrong: list[tuple[str, ...]] = []
    for name in PAGES:
        page = opened(name, standing, visits, screen)
        wrong += [(name, words) for words in (*too_wide(page), *not_accessible(page))]
        visits.picture(page, f"{name}-{screen.name}-light")
        page.emulate_media(color_scheme="dark")
        wrong += [(name, "dark", words) for words in not_accessible(page, "color-contrast")]
        visits.picture(page, f"{name}-{screen.name}-dark")
    assert wrong == []


def test_every_page_fits_on_paper(standing: StandingPage, visits: Visits) -> None:
    for name in PAGES:
        page = opened(name, standing, visits, dark=True)
        with on_paper(page):
            assert too_wide(page) == [], name
            visits.picture(page, f"{name}-paper")


@pytest.mark.parametrize("name", PAGES)
def test_all_is_reached_by_keyboard(standing: StandingPage, visits: Visits, name: str) -> None:
    assert not_by_keyboard(opened(name, standing, visits)) == []
