"""What a page has open and has been told goes with the table at which it was opened: nothing of it
counts for another one, and nothing that failed once stays. A correction takes back what was said
before of payments."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL
from hil_tests.console.beside_table import ConsoleBesideTable, burn_first, dealt
from hil_tests.console.touching import REFUSED, TouchingDealer, drag, touch

pytestmark = pytest.mark.needs("chromium")


def test_only_what_lay_when_bets_were_opened_is_kept(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    burn_first(console_table.dealer, "KS 9D 8H 8C 7D")
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    dealer.box(1)
    dealer.chip(100)
    dealer.touch("close", "undo")
    expect(dealer.key("close")).to_be_visible()
    expect(dealer.page.locator(".chip.kept")).to_have_count(0)
    console_table.dealer.clear_wagers()


def test_digits_are_of_one_number_alone(console_table: ConsoleBesideTable, visits: Visits) -> None:
    dealer = TouchingDealer.at_page(console_table, visits)
    dealer.open()
    dealer.box(1)
    number, typed = dealer.page.locator("[data-chip=pad]"), dealer.page.locator(".typed")
    touch(number)
    for digit in "25":
        touch(dealer.page.get_by_role("button", name=digit, exact=True))
    expect(typed).to_contain_text("25")
    console_table.dealer.enter("wager 2 main 50")  # somebody else's
    expect(typed).to_have_count(0)
    touch(number)
    expect(typed).to_have_text("0")
    console_table.dealer.clear_wagers()


def test_a_correction_goes_with_the_cards_of_its_round(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect(REFUSED)
    people = console_table.dealer
    dealt(people, "KS 9D 8H 8C", b1=100)
    page = visits.open(console_table.url, SMALL)
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice^='correct']"))
    drag(page, 1, "dealer")
    expect(page.locator(".steps li")).to_have_count(1)
    people.stand(1)  # at the keypad, as all that follows
    people.dealers_hand()
    people.next()
    expect(page.locator(".steps li")).to_have_count(1)  # a supervisor may still correct it
    people.open_bets()
    expect(page.locator(".fixing")).to_have_count(0)
    expect(page.locator(".says")).to_contain_text("Bets are open")


def test_what_could_not_be_asked_is_asked_again(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("ERR_FAILED")
    people = console_table.dealer
    dealt(people, "KS 9D 7H 8C 2D", b1=100)
    page = visits.open(console_table.url, SMALL)
    failed: list[str] = []

    def fail_twice(route: Route) -> None:
        failed.append(route.request.url)
        route.abort() if len(failed) <= 2 else route.continue_()

    page.route("**/choices", fail_twice)
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice^='correct']"))
    assert len(failed) == 3
    failed.clear()
    page.route("**/command", fail_twice)
    touch(page.locator("[data-card='3']"))
    touch(page.locator("[data-rank='8']"))
    touch(page.locator("[data-suit=H]"))
    expect(page.locator(".effect")).to_be_visible()
    assert len(failed) == 3
    page.locator("[data-say=leave]").tap()
    people.stand(1)
    people.dealers_hand()
    people.next()


def test_behind_a_correction_a_box_has_its_net(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    """Who had not yet done what was said before sees what the box is to have in all."""
    dealer = console_table.dealer
    dealt(dealer, "KS 8S 9D 7H 8H KD", b1=100, b2=50)
    felt = visits.open(console_table.url, SMALL).locator(".felt")
    dealer.card()
    expect(felt.locator(".tick")).to_contain_text("take 100")
    expect(felt.locator(".net")).to_have_count(0)  # so far it is the same
    dealer.supervisor("correct 6 2D", why="card misread")
    dealer.supervisor("done")
    expect(felt.locator(".tick")).to_contain_text("pay 100")  # back
    expect(felt.locator(".net").first).to_have_text("net: 0")
    dealer.supervisor("void")
    dealer.next()
