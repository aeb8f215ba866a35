"""The language of a page: as it is configured, by its address, or chosen by touch. That every
screen is whole in each of them is seen by ../test_every_screen.py."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import LARGE, SMALL
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import TouchingDealer

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def table() -> Iterator[ConsoleBesideTable]:
    with ConsoleBesideTable(settings={"language": '"ms"'}) as made:
        yield made


def test_a_page_speaks_as_configured_until_another_language_is_chosen(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = TouchingDealer.at_page(table, visits)
    page = dealer.page
    expect(page.locator("html")).to_have_attribute("lang", "ms")
    dealer.open()
    dealer.box(1)
    dealer.chip(100)
    expect(page.locator(".key-undo")).to_contain_text("Taruhan Petak 1 utama 100")
    page.locator(".top button").last.tap()
    page.locator("[data-language=zh]").tap()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator(".key-undo")).to_contain_text("下注 第1格 主注 100")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")


def test_an_address_names_the_language_until_another_is_chosen(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    page = visits.open(f"{table.url}?lang=zh", SMALL)
    expect(page.locator(".says")).to_contain_text("下注")
    page.locator(".top button").last.tap()
    page.locator("[data-language=en]").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.reload()
    expect(page.locator(".says")).to_contain_text("Bets are open")
    assert "lang" not in page.url


def test_an_address_with_no_language_that_there_is_changes_nothing(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    page = visits.open(f"{table.url}?lang=tlh", SMALL)
    expect(page.locator("html")).to_have_attribute("lang", "ms")


def test_chinese_is_drawn_by_a_font_that_has_it(table: ConsoleBesideTable, visits: Visits) -> None:
    page = visits.open(f"{table.url}sign?lang=zh", LARGE)
    expect(page.locator(".rules")).to_contain_text("庄家")
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": ".rules"})["nodeId"]
    fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    assert any(re.search("WenQuanYi|CJK", font["familyName"]) for font in fonts), fonts
