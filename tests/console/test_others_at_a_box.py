"""What is touched less often: bettors beside the one who plays, on the box and outside it, and the
button handed over. Rounds of every document are dealt so by ``test_walk``."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from hil_tests.browser.chromium import Visits
from hil_tests.console.beside_table import ConsoleBesideTable, burn_first
from hil_tests.console.touching import TouchingDealer, changed

pytestmark = pytest.mark.needs("chromium")


def begun(table: ConsoleBesideTable, visits: Visits, cards: str) -> TouchingDealer:
    """At a page, bets being open, and these cards next."""
    burn_first(table.dealer, cards)
    dealer = TouchingDealer.at_page(table, visits)
    dealer.open()
    return dealer


def wager(dealer: TouchingDealer, bettor: str, kind: str, *chips: int) -> None:
    dealer.kind(kind)
    dealer.kind(bettor)
    dealer.chip(*chips)


def touch_more(dealer: TouchingDealer, command: str) -> None:
    dealer.page.locator("[data-more]").tap()
    dealer.page.locator(f'.dialog [data-command="{command}"]').tap()


def ended(dealer: TouchingDealer) -> dict[str, str]:
    """The dealer's hand and the end; what each bettor has won or lost."""
    people = dealer.table.dealer
    people.wait_until(lambda state: state["state"].startswith("dealer."), "the dealer's turn")
    people.dealers_hand()
    account = {f"{one['box']}{one['bettor']}": one["net"] for one in dealer.status["account"]}
    dealer.touch("next")
    return account


def test_bettors_on_and_outside_a_box_wager_double_and_withdraw(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = begun(console_table, visits, "6C 7D 5H 4S KD")
    page = dealer.page
    dealer.box(1)
    expect(page.locator("[data-choice=c]")).to_be_visible()
    expect(page.locator("[data-choice=d]")).to_have_count(0)  # no main wager is his
    wager(dealer, "a", "main", 100)
    wager(dealer, "b", "main", 50)
    wager(dealer, "d", "pair", 5)
    dealer.kind("main")
    expect(page.locator("[data-choice=a]")).to_have_attribute("aria-pressed", "true")
    assert dealer.status["boxes"]["1"]["wagers"] == {
        "a": {"main": "100.00"},
        "b": {"main": "50.00"},
        "d": {"pair": "5.00"},
    }
    dealer.touch("close")
    dealer.deal(3)
    dealer.touch("double 1 100.00", "double 1b 50.00")
    dealer.deal(1)
    dealer.touch("withdraw 1b", "keep 1")
    assert ended(dealer) == {"1a": "-200.00", "1b": "-50.00", "1d": "-5.00"}


def test_the_button_is_handed_over_and_that_is_taken_back(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    """To another box, then to a bettor whose wager is settled. Box 1 is to have a Pontoon."""
    dealer = begun(console_table, visits, "AC 9D 7H KC 8D 9H KH")
    dealer.box(1)
    wager(dealer, "a", "main", 100)
    wager(dealer, "a", "pandemonium", 5)
    dealer.box(2)
    wager(dealer, "a", "main", 100)
    wager(dealer, "d", "pair", 5)
    dealer.touch("close")
    dealer.deal(5)
    says, adds = dealer.page.locator(".says"), dealer.page.locator(".adds")
    expect(says).to_have_text("Box 1: pay 150 first.")
    expect(adds).to_have_text("Then: Offer the jackpot button to Box 1.")
    dealer.page.locator('[data-seat="1a"]').tap()  # it is paid
    expect(adds).to_have_count(0)
    expect(says).to_contain_text("to Box 1")
    nominate(dealer, "1 2")
    expect(says).not_to_contain_text("to Box 1")
    dealer.touch("undo")
    expect(says).to_contain_text("to Box 1")
    nominate(dealer, "1 2d")
    expect(says).to_contain_text("2d")
    multiplier = console_table.dealer.press()
    dealer.touch("done", "stand 2")
    won = {"1a": f"{150 + 5 * multiplier}.00", "2a": "100.00", "2d": "-5.00"}
    assert ended(dealer) == won


def nominate(dealer: TouchingDealer, who: str) -> None:
    before = dealer.status["at"]
    touch_more(dealer, f"nominate {who}")
    changed(dealer.table.dealer, before, "the nomination")


def test_another_box_than_the_one_in_turn_is_insured_by_a_third_for_another_amount(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = begun(console_table, visits, "KC KD AD 8S 9S 9H")
    page = dealer.page
    for box in (1, 2):
        dealer.box(box)
        wager(dealer, "a", "main", 100)
    wager(dealer, "d", "pair", 5)
    dealer.touch("close")
    dealer.deal(5)
    dealer.touch("insure 1 50.00")
    expect(page.locator('.keys [data-command="insure 2 50.00"]')).to_be_visible()  # all boxes' keys
    before = dealer.status["at"]
    touch_more(dealer, "insure 2d@2 AMOUNT")
    for digit in ("3", "0"):
        page.get_by_role("button", name=digit, exact=True).tap()
    page.locator("[data-say=enter]").tap()
    changed(console_table.dealer, before, "the insurance")
    dealer.touch("done", "stand 1", "stand 2")
    assert ended(dealer) == {"1a": "-150.00", "2a": "-100.00", "2d": "-35.00"}
