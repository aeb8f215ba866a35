"""What the pages show where a script of theirs is of another version, was cut off, or ends in an
error: never an old picture, and no tap counts; they come back by themselves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from console.configuration import LANGUAGES
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SCREENS, SMALL, not_accessible, too_wide
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import TouchingDealer
from tests.console.test_sign import deal_a_pontoon, end_round
from tests.console.words.code_lists import ROOT, page_file

pytestmark = pytest.mark.needs("chromium")

WITHIN_MS: Final = 1500
"""A second, and what a machine that runs other tests may take longer."""

PAUSES_MS: Final = (1000, 2000, 4000)
LOADED_AGAIN_MS: Final = 7000
NOT_LIVE: Final = "Not live: touch nothing"
FELT: Final = ("export function felt(table, api = {}) {", 'table.state === "betting"')
SETTINGS: Final = ("export function settings(api) {", "true")
SIGN: Final = ("function middle({ meter: shown, between: rests, ...table }) {", "rests")
"""Where a script is to end in an error, and when."""


def broken(name: str, where: tuple[str, str]) -> Callable[[BrowserContext], None]:
    """Hand a page this script so that it ends in an error when it draws."""
    begins, when = where
    script = page_file(name)
    assert begins in script
    body = script.replace(begins, f'{begins} if ({when}) throw new Error("of another version");')

    def answer(route: Route) -> None:
        route.fulfill(body=body, content_type="text/javascript")

    return lambda context: asked_for(context, name, answer)


def missing(name: str) -> Callable[[BrowserContext], None]:
    return lambda context: asked_for(context, name, lambda route: route.abort())


def asked_for(context: BrowserContext, name: str, answer: Callable[[Route], None]) -> None:
    """Have that answered so, and the page's clock turned by the test."""
    context.clock.install()
    context.route(f"**/static/{name}", answer)


def whole_again(page: Page, name: str) -> None:
    page.context.unroute(f"**/static/{name}")


@contextmanager
def loaded_again(page: Page) -> Iterator[None]:
    """What is done within has the page loaded once more."""
    page.evaluate("void (window.loadedBefore = true)")
    yield
    page.wait_for_function("() => window.loadedBefore === undefined")


def test_a_table_that_cannot_be_drawn_is_not_live_and_no_tap_counts(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("of another version")
    page = visits.open(console_table.url, SMALL, prepare=broken("felt.js", FELT))
    dealer = TouchingDealer(console_table, page)
    commands: list[Any] = []
    page.on("request", lambda asked: commands.append(asked) if "/command" in asked.url else None)
    opens = dealer.key("open")
    expect(opens).to_have_attribute("aria-disabled", "false")
    place = opens.bounding_box()
    assert place
    console_table.dealer.open_bets()
    expect(page.locator(".overlay")).to_contain_text(NOT_LIVE, timeout=WITHIN_MS)
    assert page.locator("[data-command], [data-at]").count() == 0
    page.touchscreen.tap(place["x"] + 10, place["y"] + 10)
    assert commands == []
    whole_again(page, "felt.js")
    with loaded_again(page):
        for pause_ms in PAUSES_MS:
            with page.expect_request("**/events"):
                page.clock.fast_forward(pause_ms)
    expect(page.locator(".overlay")).to_have_count(0)
    dealer.box(1)
    dealer.chip(25)
    for _ in range(2):
        console_table.dealer.enter("undo")


def test_a_sign_that_cannot_be_drawn_shows_no_old_multiplier(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("of another version")
    deal_a_pontoon(console_table.dealer)
    multiplier = console_table.dealer.press()
    page = visits.open(f"{console_table.url}sign", SMALL, prepare=broken("sign.js", SIGN))
    expect(page.locator(".figure")).to_have_text(f"{multiplier}×")
    end_round(console_table.dealer)
    expect(page.locator(".ask")).to_contain_text("Please ask the dealer.", timeout=WITHIN_MS)
    expect(page.locator(".meter, .last")).to_have_count(0)


def test_a_dialog_that_cannot_be_drawn_and_an_error_elsewhere_are_doubts_that_end(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    for words in ("of another version", "nobody caught this"):
        visits.expect(words)
    page = visits.open(console_table.url, SMALL, prepare=broken("settings.js", SETTINGS))
    expect(page.locator(".felt")).to_be_visible()
    expect(page.locator(".overlay")).to_have_count(0)
    page.locator("header .small").last.tap()
    expect(page.locator(".overlay")).to_contain_text(NOT_LIVE, timeout=WITHIN_MS)
    expect(page.locator(".felt")).to_be_visible()
    expect(page.locator(".overlay, .dialog")).to_have_count(0)
    for deed in ("Promise.reject(error)", "queueMicrotask(() => { throw error; })"):
        page.evaluate(f'() => {{ const error = new Error("nobody caught this"); {deed}; }}')
        expect(page.locator(".overlay")).to_contain_text(NOT_LIVE, timeout=WITHIN_MS)
        expect(page.locator(".overlay")).to_have_count(0)


@pytest.mark.parametrize(("path", "name"), [("", "cards.js"), ("", "en.json"), ("sign", "live.js")])
def test_a_page_that_came_in_part_says_so_and_comes_by_itself(
    console_table: ConsoleBesideTable, visits: Visits, path: str, name: str
) -> None:
    for words in ("net::ERR_", "Failed to fetch"):
        visits.expect(words)
    page = visits.open(f"{console_table.url}{path}", SMALL, prepare=missing(name))
    says = "Please ask the dealer." if path else NOT_LIVE
    expect(page.locator(".ask, .overlay")).to_contain_text(says)
    for screen in SCREENS:
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        assert too_wide(page) == []
        visits.picture(page, f"no-scripts-{path or 'dealer'}-{screen.name}")
    assert not_accessible(page) == []
    whole_again(page, name)
    with loaded_again(page):
        page.clock.fast_forward(LOADED_AGAIN_MS)
    expect(page.locator(".ladder, .felt")).to_be_visible()
    expect(page.locator(".ask, .overlay")).to_have_count(0)


def test_a_page_needs_no_script_but_its_own(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("net::ERR_")
    page = visits.open(console_table.url, SMALL, prepare=missing("boot.js"))
    expect(page.locator(".felt")).to_be_visible()
    expect(page.locator(".overlay")).to_have_count(0)


def test_a_step_of_a_round_that_cannot_be_drawn_leaves_no_other_one_there(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("of another version")
    where = ("export function whoDialog(api) {", "true")
    page = visits.open(f"{console_table.url}rounds", prepare=broken("supervisor.js", where))
    page.locator("[data-go=sign-in]").click()
    expect(page.locator(".overlay")).to_contain_text("This page is not shown yet")
    whole_again(page, "supervisor.js")
    page.locator(".overlay a").click()
    page.locator("[data-go=sign-in]").click()
    expect(page.locator(".dialog")).to_be_visible()


def test_what_stands_there_without_scripts_says_what_the_pages_say() -> None:
    for name, keys in {
        "dealer.html": ("ui.not-live", "ui.try-now"),
        "sign.html": ("sign.not-live", "sign.ask"),
    }.items():
        page = page_file(name)
        for language in LANGUAGES:
            words = json.loads((ROOT / f"console/words/{language}.json").read_text("utf-8"))
            assert [key for key in keys if words[key] not in page] == []
