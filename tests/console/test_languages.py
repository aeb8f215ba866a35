"""The dealer's page in each language: chosen by touch or by the address, whole, with room for the
longest texts, on every screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from console.configuration import LANGUAGES
from hil_tests.browser.looking import clipped, not_accessible, too_wide
from hil_tests.browser.screens import LARGE, SCREENS, SMALL
from hil_tests.browser.visits import Visits
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import TouchingDealer, burn_first
from tests.console.english_left import english

pytestmark = pytest.mark.needs("chromium")

OTHERS: Final = [language for language in LANGUAGES if language != "en"]
TAGS: Final = {"en": "en", "zh": "zh-Hans", "ms": "ms"}
CARDS: Final = "8S 6D AH 8C 5C 5D KH 2C 7S"
"""Box 1's eights and box 2's eleven against an ace, then what they draw."""


@pytest.fixture(scope="module")
def table() -> Iterator[ConsoleBesideTable]:
    with ConsoleBesideTable(settings={"language": '"ms"'}) as made:
        made.bench.control.change_people("person_add", "Novak", "supervisor", "271828")
        yield made


def speak(page: Page, language: str) -> None:
    """Choose a language by touch."""
    page.locator(".top button").last.tap()
    page.locator(f"[data-language={language}]").tap()
    expect(page.locator("html")).to_have_attribute("lang", TAGS[language])
    expect(page.locator(".dialog")).to_have_count(0)


def wrong(page: Page, visits: Visits, language: str, name: str) -> list[str]:
    """What is wrong with a page as it stands, on each screen."""
    found = [*english(page, language), *not_accessible(page)]
    for screen in SCREENS:
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        visits.picture(page, f"{name}-{language}-{screen.name}")
        found += [f"{screen.name}: {words}" for words in (*clipped(page), *too_wide(page))]
    page.set_viewport_size({"width": SMALL.width, "height": SMALL.height})
    return [f"{name}, {language}: {words}" for words in found]


def test_the_dealers_page_in_each_language(table: ConsoleBesideTable, visits: Visits) -> None:
    burn_first(table, CARDS)
    dealer = TouchingDealer.at(table, visits)
    page = dealer.page
    expect(page.locator("html")).to_have_attribute("lang", "ms")  # as it is configured
    dealer.open()
    found = []

    def look(name: str) -> None:
        for language in OTHERS:
            speak(page, language)
            found.extend(wrong(page, visits, language, name))

    def look_within(name: str, key: str, end: str) -> None:
        for language in OTHERS:
            speak(page, language)
            page.locator(key).tap()
            expect(page.locator(".dialog")).to_be_visible()
            found.extend(wrong(page, visits, language, name))
            page.locator(end).tap()

    for box, amount in ((1, 100), (2, 50)):
        dealer.box(box)
        dealer.chip(amount)
        dealer.kind("pair")
        dealer.chip(5)
        dealer.kind("main")
    look("betting")
    dealer.touch("close")
    dealer.deal(5)
    look("offers")
    dealer.touch("done")
    look("decision")
    look_within("more", "[data-more]", ".dialog > .quiet-key")
    look_within("wrong", ".wrong-key", ".dialog > .quiet-key")
    dealer.touch("split 1")
    dealer.deal(1)
    dealer.touch("stand 1")
    dealer.deal(1)
    dealer.touch("stand 1", "double 2 50.00")
    dealer.deal(1)
    dealer.touch("keep 2")
    dealer.deal(1)
    look("over")
    assert not found, "\n".join(found)
    dealer.touch("next")


def test_an_address_names_the_language_until_another_is_chosen(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    page = visits.open(f"{table.url}?lang=zh", SMALL)
    expect(page.locator(".says")).to_contain_text(re.compile("[\u4e00-\u9fff]"))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    speak(page, "en")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert "lang" not in page.url


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
