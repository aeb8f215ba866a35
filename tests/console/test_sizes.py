"""What lies on the felt is as large as there is room for it, and never covered or cut, with letters
of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from playwright.sync_api import FloatRect, Page, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SCREENS, SMALL
from hil_tests.console.beside_table import (
    ConsoleBesideTable,
    burn_first,
    dealt,
    fill_felt,
)
from hil_tests.console.pictures.camera import TEXT_SIZES, seen_at, wrong_with
from hil_tests.console.touching import TouchingDealer

EIGHTS = "8C AH 8D"
"""A pair against an ace: it may be split and doubled, insured and given up."""

OFFERED = ("stand", "double", "split", "insure", "surrender", "done")

pytestmark = pytest.mark.needs("chromium")


@contextmanager
def looked_at(table: ConsoleBesideTable, visits: Visits) -> Iterator[Page]:
    """The page; the round is void behind the block."""
    dealer = TouchingDealer.at_page(table, visits)
    yield dealer.page
    table.dealer.supervisor("void")
    table.dealer.second_person()
    dealer.touch("next")
    visits.leave(dealer.page)  # the next one is to act


def width(page: Page, box: int) -> float:
    place = page.locator(f".felt .box:nth-child({box}) .card").first.bounding_box()
    assert place
    return place["width"]


def places(page: Page) -> dict[str, list[FloatRect | None]]:
    """Where the keys lie, by screen."""
    found = {}
    for screen in SCREENS:
        with seen_at(page, screen, 100):
            keys = page.locator(".doing button:not(.key-close)")
            found[screen.name] = [one.bounding_box() for one in keys.all()]
    return found


def test_no_key_moves_as_the_first_wager_lies(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    """Bets can be closed from then on."""
    burn_first(console_table.dealer, EIGHTS)
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    dealer.box(1)
    before = places(dealer.page)
    dealer.chip(100)
    expect(dealer.page.locator(".key-close")).to_be_visible()
    assert places(dealer.page) == before
    console_table.dealer.clear_wagers()
    visits.leave(dealer.page)


def test_six_keys_of_an_offer_cover_nothing(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealt(console_table.dealer, EIGHTS, b1=100)
    with looked_at(console_table, visits) as page:
        for verb in OFFERED:
            expect(page.locator(f".keys .key-{verb}")).to_be_enabled()
        found = []
        for text, screen in product(TEXT_SIZES, SCREENS):
            with seen_at(page, screen, text):
                found += [(screen.name, text, words) for words in wrong_with(page)]
        assert found == []


def test_a_box_with_several_hands_makes_no_other_small(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealt(console_table.dealer, EIGHTS, b1=100)
    with looked_at(console_table, visits) as page:
        alone = width(page, 1)
    fill_felt(console_table.dealer)
    with looked_at(console_table, visits) as page:
        expect(page.locator(".hands-3")).to_be_visible()
        assert [width(page, box) for box in range(4, 8)] == [alone] * 4
        with seen_at(page, SMALL, 150):
            assert wrong_with(page) == []
