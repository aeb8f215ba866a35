"""The sign beside a table in play: what guests see of it, and when it says nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hil_tests.bench.setup import TRICK, setup_for
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import LARGE, SCREENS, SMALL, Screen, not_accessible, too_wide
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.pictures.camera import left_in_english
from hil_tests.people.dealer import Dealer

pytestmark = pytest.mark.needs("chromium")

HOUSE = "Welcome to table P12"
SIGN = {"sign": f'{{words = ["{HOUSE}"], languages = ["en"]}}'}
TAGS = {"en": "en", "zh": "zh-Hans", "ms": "ms"}
WEIGHED = ["100×", "50×", "25×", "20×", "10×", "5×", "3×", "2×"]


@pytest.fixture(scope="module")
def table() -> Iterator[ConsoleBesideTable]:
    with ConsoleBesideTable(settings=SIGN) as made:
        assert made.dealer.state == "idle"  # its connection is there before the first test
        yield made


def deal_a_pontoon(dealer: Dealer) -> None:
    """The initial deal with a Pontoon on box 3, whose player is to press."""
    dealer.deal_round("AS 9S 7C KS 8S 9C", {3: {"main": 100, "pandemonium": 10}, 5: {"main": 100}})


def opened(table: ConsoleBesideTable, visits: Visits, screen: Screen = LARGE) -> Page:
    page = visits.open(f"{table.url}sign", screen)
    expect(page.locator("h1")).to_have_text("Table P12")
    return page


def off_screen(page: Page) -> list[str]:
    """What leaves the screen, where nobody can scroll, or the part of the sign that it is in."""
    outside = page.evaluate("""() => [...document.querySelectorAll("#sign *")].filter((one) => {
        const place = one.getBoundingClientRect();
        const part = (one.closest(".top, .middle, .foot") ?? one).getBoundingClientRect();
        const bottom = Math.min(innerHeight, part.bottom), top = Math.max(0, part.top);
        return place.bottom > bottom + 0.5 || place.top < top - 0.5 ||
            place.right > innerWidth + 0.5;
    }).map((one) => `outside: ${one.outerHTML.slice(0, 120)}`)""")
    return [*outside, *too_wide(page)]


def test_between_rounds_it_has_limits_rules_and_a_ladder_without_odds(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    for screen in SCREENS:
        page = opened(table, visits, screen)
        expect(page.locator(".ladder li")).to_have_text(WEIGHED)
        sizes = page.evaluate("""() => [...document.querySelectorAll(".ladder li")].map((one) => {
            const { width, height } = one.getBoundingClientRect();
            const style = getComputedStyle(one);
            return [Math.round(width), Math.round(height), style.fontSize, style.color].join(" ");
        })""")
        assert len(set(sizes)) == 1, sizes
        expect(page.locator(".rules")).to_contain_text("Pontoon pays 3 to 2.")
        expect(page.locator(".limits dd")).to_have_text(["10 – 5000", "1 – 500"])
        expect(page.locator(".house")).to_have_text(HOUSE)
        assert off_screen(page) == []
        visits.picture(page, f"sign-between-{screen.name}")
    assert not_accessible(page) == []


def test_it_shows_what_the_meter_showed_and_no_card(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = table.dealer
    page = opened(table, visits, SMALL)
    deal_a_pontoon(dealer)
    expect(page.locator(".about")).to_have_text("A round is in play.")
    told = json.dumps(told_to(table, page))
    assert not any(card in told for card in ("AS", "KS", "9S", "8S")), told
    multiplier = dealer.press()
    for screen in SCREENS:
        other = opened(table, visits, screen)
        expect(other.locator(".figure")).to_have_text(f"{multiplier}×")
        expect(other.locator(".winner")).to_have_text("Box 3")
        expect(other.locator(".last li").first).to_have_text(f"{multiplier}× Box 3")
        assert off_screen(other) == []
        visits.picture(other, f"sign-meter-{screen.name}")
    assert not_accessible(page) == []
    end_round(dealer)


@pytest.mark.parametrize("asked", ["zh", "ms", "en,zh,ms"])
def test_each_language_and_all_of_them_have_room(
    table: ConsoleBesideTable, visits: Visits, asked: str
) -> None:
    dealer = table.dealer
    page = visits.open(f"{table.url}sign?lang={asked}", LARGE)
    first = asked.partition(",")[0]
    expect(page.locator("html")).to_have_attribute("lang", TAGS[first])
    expect(page.locator(".rules")).to_have_count(len(asked.split(",")))
    found = []

    def look(state: str) -> None:
        found.extend(left_in_english(page))
        for screen in SCREENS:
            page.set_viewport_size({"width": screen.width, "height": screen.height})
            visits.picture(page, f"sign-{state}-{asked}-{screen.name}")
            found.extend(f"{state}, {screen.name}: {words}" for words in off_screen(page))
        found.extend(not_accessible(page))

    deal_a_pontoon(dealer)
    expect(page.locator(".about")).to_be_visible()
    dealer.press()
    expect(page.locator(".figure")).to_be_visible()
    look("meter")
    end_round(dealer)
    expect(page.locator(".ladder")).to_be_visible()
    look("between")
    assert not found, "\n".join(found)


def end_round(dealer: Dealer) -> None:
    dealer.paid()
    dealer.stand(5)
    dealer.dealers_hand()
    dealer.next()


def told_to(table: ConsoleBesideTable, page: Page) -> Any:
    return page.evaluate("""() => new Promise((done) => {
        const source = new EventSource("/sign/events");
        source.addEventListener("state", ({ data }) => { source.close(); done(JSON.parse(data)); });
    })""")


def test_not_live_it_says_so_and_hides_the_meter_then_is_live_again(
    disturbed_table: ConsoleBesideTable, visits: Visits
) -> None:
    table, dealer = disturbed_table, disturbed_table.dealer
    deal_a_pontoon(dealer)
    page = opened(table, visits, SMALL)
    multiplier = dealer.press()
    expect(page.locator(".figure")).to_have_text(f"{multiplier}×")
    visits.expect("ERR_")  # the browser says that the server went away
    table.program.kill()
    expect(page.locator(".ask")).to_contain_text("Please ask the dealer.", timeout=1500)
    expect(page.locator(".meter")).to_have_count(0)
    assert off_screen(page) + not_accessible(page) == []
    visits.picture(page, "sign-not-live-1024x600")
    table.start_console()
    expect(page.locator(".figure")).to_have_text(f"{multiplier}×")
    table.bench.kill_controller()
    expect(page.locator(".ask")).to_contain_text("Please ask the dealer.", timeout=1500)
    expect(page.locator(".meter")).to_have_count(0)
    table.bench.start_controller()
    dealer.wait_for_devices()
    expect(page.locator(".figure")).to_have_text(f"{multiplier}×")
    end_round(dealer)
    expect(page.locator(".ladder")).to_be_visible()
    expect(page.locator(".last li")).to_have_text([f"{multiplier}× Box 3"])


def test_it_moves_each_minute_and_reloads_once_a_day_between_rounds(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    page = opened(table, visits, SMALL)
    page.clock.install()
    page.reload()
    expect(page.locator(".ladder")).to_be_visible()
    page.evaluate("window.firstLoad = true")
    deal_a_pontoon(table.dealer)
    expect(page.locator(".about")).to_have_text("A round is in play.")
    page.clock.fast_forward("01:00")
    assert page.evaluate("getComputedStyle(document.getElementById('sign')).transform") != "none"
    page.clock.fast_forward("24:00:00")
    page.clock.fast_forward("01:00")
    assert page.evaluate("window.firstLoad") is True  # a round is in play
    table.dealer.press()
    end_round(table.dealer)
    expect(page.locator(".ladder")).to_be_visible()
    with page.expect_navigation():
        page.clock.fast_forward("01:00")
    expect(page.locator(".ladder")).to_be_visible()
    assert page.evaluate("window.firstLoad") is None


def test_where_no_unit_is_there_is_no_ladder(visits: Visits) -> None:
    visits.expect("ERR_INCOMPLETE_CHUNKED_ENCODING")  # the table goes before the page
    with ConsoleBesideTable(setup_for(TRICK)) as table:
        page = opened(table, visits)
        expect(page.locator(".rules")).to_contain_text("Five Card Trick")
        expect(page.locator(".limits dd")).to_have_text(["10 – 5000"])
        expect(page.locator(".ladder")).to_have_count(0)
        expect(page.locator(".last")).to_have_count(0)
        assert off_screen(page) == []
