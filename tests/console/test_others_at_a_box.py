"""What is touched less often: bettors beside the one who plays, on the box and outside it, and the
button handed over; and what a document with one bettor has instead of that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from hil_tests.bench.setup import TRICK, setup_for
from hil_tests.browser.chromium import Visits
from hil_tests.console.beside_table import ConsoleBesideTable, burn_first
from hil_tests.console.touching import TouchingDealer, changed

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def trick_table() -> Iterator[ConsoleBesideTable]:
    """A table of the game in which cards are bought."""
    with ConsoleBesideTable(setup_for(TRICK)) as made:
        yield made


def begun(table: ConsoleBesideTable, visits: Visits, cards: str) -> TouchingDealer:
    """At a page, bets being open, and these cards next."""
    burn_first(table.dealer, cards)
    dealer = TouchingDealer.at_page(table, visits)
    dealer.open()
    return dealer


def wager(dealer: TouchingDealer, bettor: str, kind: str, *chips: int) -> None:
    """Chips of that bettor at the box that is chosen."""
    dealer.kind(kind)
    dealer.kind(bettor)
    dealer.chip(*chips)


def touch_more(dealer: TouchingDealer, command: str) -> None:
    """A key of those that are seldom needed."""
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


def test_a_standing_bettor_follows_a_split(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = begun(console_table, visits, "8C 7D 8H KC KH KD")
    dealer.box(2)
    wager(dealer, "a", "main", 100)
    wager(dealer, "b", "main", 50)
    dealer.touch("close")
    dealer.deal(3)
    dealer.touch("split 2", "follow 2b")
    dealer.deal(1)
    hands = dealer.status["boxes"]["2"]["hands"]
    assert [hand["stakes"]["b"] for hand in hands] == [{"main": "50.00"}] * 2
    dealer.touch("stand 2")
    dealer.deal(1)
    dealer.touch("stand 2")
    assert ended(dealer) == {"2a": "200.00", "2b": "100.00"}


def with_button(table: ConsoleBesideTable, visits: Visits) -> TouchingDealer:
    """Bets are open; box 1 is to have a Pontoon, and the button, and box 2 plays."""
    dealer = begun(table, visits, "AC 9D 7H KC 8D 9H KH")
    dealer.box(1)
    wager(dealer, "a", "main", 100)
    wager(dealer, "a", "pandemonium", 5)
    dealer.box(2)
    wager(dealer, "a", "main", 100)
    return dealer


def test_the_button_is_handed_to_another_box_and_that_is_taken_back(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = with_button(console_table, visits)
    dealer.touch("close")
    dealer.deal(5)
    says, adds = dealer.page.locator(".says"), dealer.page.locator(".adds")
    expect(says).to_have_text("Box 1: pay 150 first.")
    expect(adds).to_have_text("Then: Offer the jackpot button to Box 1.")
    dealer.page.locator('[data-seat="1a"]').tap()  # it is paid
    expect(adds).to_have_count(0)
    expect(says).to_contain_text("to Box 1")
    before = dealer.status["at"]
    touch_more(dealer, "nominate 1 2")
    changed(console_table.dealer, before, "the nomination")
    expect(says).not_to_contain_text("to Box 1")
    dealer.touch("undo")
    expect(says).to_contain_text("to Box 1")
    multiplier = console_table.dealer.press()
    dealer.touch("done", "stand 2")
    assert ended(dealer) == {"1a": f"{150 + 5 * multiplier}.00", "2a": "100.00"}


def test_the_button_is_handed_to_a_bettor_whose_wager_is_settled(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = with_button(console_table, visits)
    wager(dealer, "d", "pair", 5)
    dealer.touch("close")
    dealer.deal(5)
    expect(dealer.page.locator(".says")).to_have_text("Box 1: pay 150 first.")
    expect(dealer.page.locator(".adds")).to_contain_text("to Box 1")
    before = dealer.status["at"]
    touch_more(dealer, "nominate 1 2d")
    changed(console_table.dealer, before, "the nomination")
    expect(dealer.page.locator(".adds")).to_contain_text("2d")
    multiplier = console_table.dealer.press()
    dealer.touch("done", "stand 2")
    won = {"1a": f"{150 + 5 * multiplier}.00", "2a": "100.00", "2d": "-5.00"}
    assert ended(dealer) == won


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


def test_a_card_is_bought_where_one_bettor_plays_a_box(
    trick_table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = begun(trick_table, visits, "9S 9D 3C 2C 8D")
    dealer.box(1)
    expect(dealer.page.locator("[data-choice=main]")).to_be_visible()
    expect(dealer.page.locator("[data-choice=a]")).to_have_count(0)
    dealer.chip(10)
    dealer.touch("close")
    dealer.deal(3)
    dealer.touch("buy 1 10.00")
    dealer.deal(1)
    assert dealer.status["account"][0]["at_stake"] == "20.00"
