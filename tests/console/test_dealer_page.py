"""The dealer's page, worked by touch: rounds dealt through it at a real table."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL, not_accessible, too_wide
from hil_tests.console.beside_table import ConsoleBesideTable, burn_first, fill_felt
from hil_tests.console.touching import TouchingDealer, changed

pytestmark = pytest.mark.needs("chromium")

ROUND: Final = "AS 8C 6D AH KC 8D 5D 3H 9C 2D 7S"
"""Box 1's Pontoon, a pair to split, 11 to double; the dealer's ace and 18."""

KEYS: Final = (
    *("O", "B1M100#", "J5#", "B2M100#", "B3M50#", "N"),
    *("E", "B3I#", "E", "L", "S", "S", "D#", "E", "E"),
)
"""That round at the keypad: bets; the multiplier paid, insurance, its end, split, twice stand,
double, no withdrawal, the table cleared."""

LEAST_KEY: Final = 64


def dealt_by_keypad(table: ConsoleBesideTable) -> list[dict[str, object]]:
    """The round by :data:`KEYS`; what it came to."""
    dealer = table.dealer
    keypad = table.bench.devices["keypad"]
    burn_first(table.dealer, ROUND)
    told = iter(KEYS)

    def press(count: int) -> None:
        for _ in range(count):
            before, keys = dealer.status["at"], next(told)
            keypad.do("key", keys=keys)
            changed(dealer, before, keys)

    def deal(count: int) -> None:
        for _ in range(count):
            dealer.reach_for_card()
            dealer.acknowledged()

    press(6)
    deal(7)
    dealer.press()
    press(4)
    deal(1)
    press(1)
    deal(1)
    press(2)
    deal(1)
    press(1)
    deal(1)
    account: list[dict[str, object]] = dealer.status["account"]
    press(1)
    return account


def test_a_whole_round_takes_no_more_touches_than_keys(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    keyed = dealt_by_keypad(console_table)
    dealer = TouchingDealer.at_page(console_table, visits)
    burn_first(console_table.dealer, ROUND)
    dealer.touch("open")
    expect(dealer.page.locator(".chip.kept")).to_have_count(3)
    console_table.dealer.clear_wagers()

    dealer.box(1)
    dealer.chip(100)
    dealer.kind("pandemonium")
    dealer.chip(5)
    dealer.box(2)
    dealer.chip(100)
    dealer.box(3)
    dealer.chip(50)
    dealer.touch("close")
    dealer.deal(7)
    console_table.dealer.press()
    expect(dealer.page.locator('[data-seat="1a"]')).to_contain_text("pay")
    dealer.touch("done")
    dealer.box(3)
    dealer.touch("insure 3 25.00", "done", "split 2")
    dealer.deal(1)
    dealer.touch("stand 2")
    dealer.deal(1)
    expect(dealer.page.locator(".hand.turn .total")).to_contain_text("17")
    dealer.touch("stand 2", "double 3 50.00")
    dealer.deal(1)
    dealer.touch("keep 3")
    dealer.deal(1)
    expect(dealer.page.locator(".net")).to_have_count(3)
    visits.picture(dealer.page, "dealer-round-over")
    assert dealer.status["state"] == "settled"
    touched = dealer.status["account"]
    dealer.touch("next")

    multiplied = {(1, "a")}  # by what the unit drew, each time anew
    nets = [
        [one["net"] for one in account if (one["box"], one["bettor"]) not in multiplied]
        for account in (keyed, touched)
    ]
    assert nets[0] == nets[1] == ["-200.00", "-125.00"]
    assert dealer.touches <= len("".join(KEYS))
    print(f"{dealer.touches} touches, {len(''.join(KEYS))} keys")


def test_a_double_tap_is_one(console_table: ConsoleBesideTable, visits: Visits) -> None:
    burn_first(console_table.dealer, "8C 9D 7H 9C 9H 8S 8H")
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    dealer.box(1)
    chip = dealer.page.locator('[data-chip="25"]')
    chip.dblclick()
    expect(dealer.page.locator('.box [data-chip-of="a main"]')).to_have_text("25")
    dealer.box(2)
    dealer.chip(25)
    dealer.touch("close")
    dealer.deal(5)
    expect(dealer.key("stand 1")).to_be_enabled()
    dealer.key("stand 1").dblclick(delay=10)
    expect(dealer.key("stand 2")).to_be_enabled()
    assert dealer.status["turn"] == {"box": 2, "hand": 1}
    dealer.touch("stand 2")
    dealer.deal(2)
    dealer.touch("next")


def test_a_tap_at_another_state_is_refused_and_says_what_changed(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("409")
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    console_table.dealer.enter("wager 1 main 25")
    close = dealer.key("close")
    expect(close).to_be_enabled()
    close.hover()
    dealer.page.mouse.down()
    console_table.dealer.enter("wager 1 main 50")
    expect(dealer.page.locator('.box [data-chip-of="a main"]')).to_have_text("50")
    dealer.page.mouse.up()
    expect(dealer.page.locator(".refused")).to_have_count(1)
    assert dealer.status["state"] == "betting"
    dealer.page.mouse.click(5, 300)
    expect(dealer.page.locator(".refused")).to_have_count(0)
    console_table.dealer.clear_wagers()


def test_limits_are_told_before_anything_is_sent(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    dealer.box(3)
    dealer.chip(10)
    dealer.box(4)
    at = dealer.status["at"]
    dealer.page.locator('[data-chip="5"]').tap()
    expect(dealer.page.locator(".refused")).to_contain_text("below the least, 10")
    assert dealer.status["at"] == at
    dealer.page.locator("[data-command=close]").tap()  # nobody forgets what lies there
    expect(dealer.page.locator(".refused")).to_contain_text("Box 4: 5 is below the least, 10")
    assert dealer.status["at"] == at
    dealer.chip(5)
    expect(dealer.page.locator('.box [data-chip-of="a main"]')).to_have_text(["10", "10"])
    dealer.chip("out")
    assert list(dealer.status["boxes"]) == ["3"]
    dealer.touch("undo")
    assert dealer.status["boxes"]["4"]["wagers"]["a"]["main"] == "10.00"
    console_table.dealer.clear_wagers()


def test_a_digit_too_many_is_deleted(console_table: ConsoleBesideTable, visits: Visits) -> None:
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    dealer.box(4)
    dealer.page.locator('[data-chip="pad"]').tap()
    pad = dealer.page.locator(".amounts")
    for digit in ("7", "5", "00", "Delete the last one", "Delete the last one"):
        pad.get_by_role("button", name=digit, exact=True).tap()
    before = dealer.status["at"]
    pad.locator("[data-say=enter]").tap()
    changed(dealer.table.dealer, before, "a wager")
    assert dealer.status["boxes"]["4"]["wagers"]["a"]["main"] == "75.00"


def test_the_keys_are_those_of_the_box_that_was_touched(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = TouchingDealer.at_page(console_table, visits)
    burn_first(console_table.dealer, "9S 8H AC 7D 7S 9H")
    dealer.open()
    for box in (1, 3):
        dealer.box(box)
        dealer.chip(100)
    dealer.touch("close")
    dealer.deal(5)
    dealer.touch("insure 1 50.00")  # few keys are left: those of both boxes stand there
    expect(dealer.key("surrender 1")).to_be_visible()
    expect(dealer.key("surrender 3")).to_be_visible()
    dealer.box(3)
    expect(dealer.key("surrender 1")).to_have_count(0)
    dealer.touch("surrender 3")
    dealer.box(1)
    expect(dealer.key("surrender 1")).to_be_visible()
    dealer.touch("done", "stand 1")
    dealer.deal(1)
    lines = dealer.page.locator("[data-seat='1a'] .why b")  # what each wager comes to
    expect(lines).to_have_text(["-50", "-100"])
    dealer.touch("next")


def test_one_page_acts_and_another_asks_before_it_does(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    """The second tap of a double tap is no answer."""
    first = TouchingDealer.at_page(console_table, visits)
    second = visits.open(f"{console_table.url}?lang=zh", SMALL)  # "yes" comes where the finger is
    second.locator("[data-ask=seat]").dblclick()
    yes = second.locator("[data-ask=yes]")
    expect(yes).to_be_enabled()
    expect(first.page.locator(".another")).to_have_count(0)
    yes.tap()
    expect(first.page.locator(".another")).to_have_count(1)
    expect(second.locator(".another")).to_have_count(0)


def test_a_page_that_is_loaded_again_acts_and_a_copy_of_its_tab_does_not(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = TouchingDealer.at_page(console_table, visits)
    with dealer.page.expect_popup() as opened:
        dealer.page.evaluate("void open('/')")
    copied = opened.value
    expect(copied.locator("[data-ask=seat]")).to_be_visible()
    asked: list[str] = []
    dealer.page.on("request", lambda request: asked.append(request.url))
    for _ in range(3):
        dealer.page.reload()
        dealer.open()
        expect(dealer.page.locator(".another")).to_have_count(0)
        expect(copied.locator(".another")).to_have_count(1)
    assert f"{console_table.url}events" in asked
    assert not [address for address in asked if "?" in address]  # where its secret would be logged
    copied.locator("[data-ask=seat]").tap()
    copied.locator("[data-ask=yes]").tap()
    expect(dealer.page.locator(".another")).to_have_count(1)
    dealer.page.reload()
    expect(dealer.page.locator(".another")).to_have_count(1)
    expect(copied.locator(".another")).to_have_count(0)


def misfits(page: Page) -> list[str]:
    """What does not fit this screen, or cannot be used by everybody."""
    found = [*too_wide(page), *not_accessible(page)]
    if not page.evaluate("document.documentElement.scrollHeight <= innerHeight"):
        found.append("it scrolls")
    for key in page.locator(".keys .key").all():
        place = key.bounding_box()
        if place and place["height"] < LEAST_KEY:
            found.append(f"{key.get_attribute('data-command')} is {place['height']} high")
    return found


def test_a_full_felt_fits_in_high_contrast(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    fill_felt(console_table.dealer)
    page = TouchingDealer.at_page(console_table, visits).page
    assert misfits(page) == []
    page.locator("header .small").last.tap()
    page.locator("[data-contrast=high]").tap()
    expect(page.locator(".dialog")).to_have_count(0)
    page.reload()
    expect(page.locator("html.high-contrast .felt")).to_be_visible()
    visits.picture(page, "dealer-high-contrast")
    assert misfits(page) == []
    page.locator("header .small").last.tap()
    assert not_accessible(page) == []
    page.locator("[data-contrast=normal]").tap()
    expect(page.locator("html.high-contrast")).to_have_count(0)
    console_table.dealer.supervisor("void")
    console_table.dealer.second_person()
    TouchingDealer(console_table, page).touch("next")
