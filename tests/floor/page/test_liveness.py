"""A page in a browser is never taken for live when it is not: its server killed, hanging, back."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL
from hil_tests.floor.at_play import TableAtPlay
from hil_tests.floor.house import House
from tests.floor.page.standing import StandingPage

pytestmark = pytest.mark.needs("postgresql", "chromium")

STATIC: Final = Path(__file__).parents[3] / "floor" / "page" / "static"
WAIT_MS: Final = 30_000
WITHIN_S: Final = 1.0
BUSY_S: Final = 0.5
"""What a machine that runs other tests may take longer."""

_NOTE_WHEN_STALE: Final = """() => {
  window.staleAt = null;
  new MutationObserver(() => {
    if (window.staleAt === null && document.body.classList.contains("stale")) staleAt = Date.now();
  }).observe(document.body, {attributes: true, attributeFilter: ["class"]});
}"""


@contextmanager
def soon_stale(page: Page) -> Iterator[None]:
    """What is done within has the page say within a second that it is not live."""
    expect(page.locator("#liveness")).to_have_text("Live")
    page.evaluate(_NOTE_WHEN_STALE)
    begun = time.time()
    yield
    expect(page.locator("#liveness")).to_contain_text("Not live since")
    assert page.evaluate("window.staleAt") / 1000 - begun <= WITHIN_S + BUSY_S


def test_a_page_whose_server_is_killed_says_so_and_comes_back_by_itself(
    disturbed: StandingPage, visits: Visits
) -> None:
    visits.expect("net::ERR_")  # the browser's own words for a server that is away
    page = visits.open(disturbed.url, SMALL)
    with soon_stale(page):
        disturbed.program.kill()
    visits.picture(page, "floor-not-live")
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    disturbed.start()
    expect(page.locator("#liveness")).to_have_text("Live")
    expect(page.locator("body")).not_to_have_class("stale")


def test_a_page_whose_server_hangs_says_so_and_goes_on_with_it(
    disturbed: StandingPage, visits: Visits
) -> None:
    visits.expect("net::ERR_")
    page = visits.open(disturbed.url, SMALL)
    with disturbed.hanging() as hang:
        with soon_stale(page):
            hang()
        expect(page.locator("#liveness")).to_contain_text("says nothing")
    expect(page.locator("#liveness")).to_have_text("Live")


def test_a_state_that_cannot_be_drawn_is_not_shown_for_live(
    standing: StandingPage, visits: Visits
) -> None:
    visits.expect("of another version")
    begins = "export function card(table, now) {"
    script = (STATIC / "card.js").read_text("utf-8")
    assert begins in script
    body = script.replace(
        begins, f'{begins} if (window.breaks) throw new Error("of another version");'
    )

    def prepare(context: BrowserContext) -> None:
        answer = {"body": body, "content_type": "text/javascript"}
        context.route("**/static/card.js", lambda route: route.fulfill(**answer))

    page = visits.open(standing.url, SMALL, prepare=prepare)
    expect(page.locator("#liveness")).to_have_text("Live")
    page.evaluate("window.breaks = true")
    expect(page.locator("#liveness")).to_contain_text("what came cannot be shown")
    expect(page.locator(".table")).to_have_count(0)
    page.evaluate("window.breaks = false")
    expect(page.locator("#liveness")).to_have_text("Live")
    expect(page.locator(".table").first).to_be_visible()


def test_a_table_at_play_is_followed(visits: Visits) -> None:
    with (
        closing(House()) as house,
        closing(TableAtPlay(house, 1, seed=7, pace_s=0.05)) as table,
    ):
        table.put_up()
        page = visits.open(house.start_page(), SMALL)
        table.play()
        card = page.locator(".table")
        expect(card).to_contain_text("mirrored all")
        expect(card.locator(".mark")).to_have_text("SETTLED", timeout=WAIT_MS)
        card.get_by_role("link", name="P1").tap()
        expect(page.get_by_role("heading", level=1)).to_have_text("Table P1")
        expect(page.locator("#now .figures dd").first).to_have_text(
            re.compile("^[2-9],"), timeout=WAIT_MS
        )
        page.locator("#rest").get_by_role("link", name="1", exact=True).tap()
        expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 at table P1")
