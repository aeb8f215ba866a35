"""What goes wrong, and the supervisor, on the dealer's page: questions, corrections whose effect is
seen before, and a void by two people. That it all fits: ``test_every_screen``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from controller.journal.reader import JournalReader
from controller.replay.replay import event_of
from controller.table.events.of_people import SupervisorCommanded
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import LARGE, SMALL, UPRIGHT, not_accessible
from hil_tests.console.beside_table import ConsoleBesideTable, dealt, open_anew
from hil_tests.console.touching import REFUSED, add_supervisors, drag, sign_in, touch
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import armed_offer, deal_to_the_button

pytestmark = pytest.mark.needs("chromium")

WAGER: Final = "[data-choice='wager BOX KIND AMOUNT']"


@pytest.fixture(scope="module")
def table() -> Iterator[ConsoleBesideTable]:
    """A table whose supervisors are known by PIN."""
    with ConsoleBesideTable() as made:
        add_supervisors(made)
        yield made


@pytest.fixture
def dealer(table: ConsoleBesideTable) -> Iterator[Dealer]:
    """At that table; behind the test it is cleared of its round."""
    yield table.dealer
    if "next" not in table.dealer.status["permitted"]:
        table.dealer.supervisor("void")
    table.dealer.next()


def account(dealer: Dealer) -> dict[str, str | None]:
    """What each box has won or lost in the round."""
    return {f"{one['box']}{one['bettor']}": one["net"] for one in dealer.status["account"]}


def test_a_wrong_card_is_corrected_by_touch(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    dealt(dealer, "KS 9D 7H 8C", b1=100)  # 17 each
    dealer.stand(1)
    dealer.dealers_hand()
    page = visits.open(table.url, SMALL)
    visits.expect(REFUSED)
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice^='correct']"))
    touch(page.locator("[data-card='3']"))
    touch(page.locator("[data-rank='9']"))
    touch(page.locator("[data-suit=H]"))
    touch(page.locator(".fixing [data-sign-in=ask]"))  # it is settled: the supervisor's
    sign_in(page, "Novak", "once")
    touch(page.locator("[data-why='card misread']"))
    row = page.locator(".effect tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("+100")
    assert account(dealer) == {"1a": "0.00"}
    touch(page.locator("[data-say=confirm]"))
    expect(page.locator(".fixing")).to_have_count(0)
    expect(page.locator(".person")).to_have_count(0)  # it was one act
    assert account(dealer) == {"1a": "100.00"}
    assert dealer.status["drawn"][2]["card"] == "9H"


def corrected_beside(
    table: ConsoleBesideTable, visits: Visits, meanwhile: Callable[[], object]
) -> Page:
    """A page on which two cards are corrected: 7H is 8H, then 9D is 8D. Before the second step
    somebody else does what ``meanwhile`` does."""
    page = visits.open(table.url, SMALL)
    visits.expect(REFUSED)

    def between(route: Route, request: Request) -> None:
        sent = request.post_data_json
        if sent and sent.get("command") == "correct 2 8D":
            meanwhile()
        route.continue_()

    page.route("**/command", between)
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice^='correct']"))
    for card, rank, suit in ((3, "8", "H"), (2, "8", "D")):
        touch(page.locator(f"[data-card='{card}']"))
        touch(page.locator(f"[data-rank='{rank}']"))
        touch(page.locator(f"[data-suit={suit}]"))
    touch(page.locator("[data-say=confirm]"))
    return page


def test_a_correction_that_was_half_done_is_taken_back(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    dealt(dealer, "KS 9D 7H", b1=100)

    def said_and_taken_back() -> None:
        dealer.enter("correct 1 QS")
        dealer.undo()

    page = corrected_beside(table, visits, said_and_taken_back)
    half = page.locator(".fixing .refused")
    expect(half).to_contain_text("9♦")
    expect(page.locator(".fixing")).to_contain_text("8♥")
    assert dealer.status["asks"]["code"] == "correcting"
    assert not_accessible(page) == []
    touch(page.locator(".fixing [data-say=undo]"))
    expect(page.locator(".fixing")).to_have_count(0)
    assert [one["card"] for one in dealer.status["drawn"]] == ["KS", "9D", "7H"]
    assert dealer.status["asks"]["code"] == "decide"


def test_what_somebody_else_said_is_not_taken_back_with_a_correction(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    dealt(dealer, "KS 9D 7H", b1=100)
    page = corrected_beside(table, visits, lambda: dealer.enter("correct 1 QS"))
    expect(page.locator(".fixing")).to_contain_text("7♥ is 8♥")
    touch(page.locator(".fixing [data-say=undo]"))
    expect(page.locator(".saying")).to_contain_text("The table changed")
    expect(page.locator(".fixing [data-say=undo]")).to_have_count(1)
    assert dealer.status["asks"]["values"]["steps"] == ["correct 3 8H", "correct 1 QS"]
    dealer.undo()
    touch(page.locator(".fixing [data-say=undo]"))
    expect(page.locator(".fixing")).to_have_count(0)
    assert dealer.status["asks"]["code"] == "decide"


def test_two_cards_change_places_by_dragging(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    dealt(dealer, "KS 9D 8C 7H 8H", b1=100, b2=50)
    page = visits.open(table.url, LARGE)
    visits.expect(REFUSED)
    page.locator(".wrong-key").click()
    page.locator("[data-choice^='correct']").click()
    drag(page, 1, "2")
    expect(page.locator(".steps li")).to_have_count(1)
    drag(page, 2, "1")
    expect(page.locator(".hands-then li")).to_have_count(2)
    page.locator("[data-say=confirm]").click()
    expect(page.locator(".fixing")).to_have_count(0)
    hands = {box: one["hands"][0]["cards"] for box, one in dealer.status["boxes"].items()}
    assert hands == {"1": "9D 7H", "2": "KS 8H"}


def test_a_wager_is_put_right_behind_the_rounds_end(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    open_anew(dealer, "KS 9D 9H 8C")  # 19 against 17
    page = visits.open(table.url, SMALL)
    touch(page.locator(".wrong-key"))
    expect(page.locator(".dialog.wrong > p:not(.waits)")).to_be_visible()
    expect(page.locator(WAGER)).to_have_count(0)  # bets are open: the dealer's own
    touch(page.locator(".dialog.wrong > .quiet-key"))
    dealt(dealer, "KS 9D 9H 8C", b1=100, b1b=50)
    touch(page.locator(".wrong-key"))
    expect(page.locator(WAGER)).to_be_visible()
    touch(page.locator(".dialog.wrong > .quiet-key"))
    dealer.stand(1)
    dealer.dealers_hand()
    touch(page.locator(".wrong-key"))
    touch(page.locator(WAGER))
    touch(page.locator(".dialog [data-say='1']"))
    assert not_accessible(page) == []
    touch(page.locator(".dialog [data-say=b]"))
    kinds = page.locator(".dialog .row [data-say]")
    expect(kinds).to_have_text(
        ["main", "pair", "Pandemonium", "double", "bought card", "insurance"]
    )
    touch(page.locator(".dialog [data-say=main]"))
    for digit in "7500":  # above the most: what lies there lies there
        touch(page.locator(".pad").get_by_role("button", name=digit, exact=True))
    touch(page.locator("[data-say=enter]"))
    sign_in(page, "Novak", "once")
    touch(page.locator('[data-why="dealer\'s mistake"]'))
    expect(page.locator(".effect [data-seat='1b']")).to_contain_text("pay 7450")
    assert account(dealer) == {"1a": "100.00", "1b": "50.00"}
    touch(page.locator("[data-say=confirm]"))
    expect(page.locator(".person")).to_have_count(0)  # it was one act
    expect(page.locator(".net")).to_contain_text(["+100", "+7500"])
    assert account(dealer) == {"1a": "100.00", "1b": "7500.00"}
    with JournalReader(table.bench.state_directory) as journal:
        *_, last = (event_of(one) for one in journal.iterate(0) if one.type == "supervisor")
    assert isinstance(last, SupervisorCommanded)
    assert (last.command, last.by, last.why) == ("wager 1b main 7500", "Novak", "dealer's mistake")


def test_a_card_too_many_is_asked_about(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    dealt(dealer, "KS 9D 2H 5C 8S 7D", b1=100)
    page = visits.open(table.url, UPRIGHT)
    dealer.card()  # it lay there before anybody had asked for it
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice='report drawn BOX seen']"))
    touch(page.locator(".dialog [data-say='1']"))
    held = page.locator(".held")
    expect(held.locator(".waiting .card")).to_have_attribute("aria-label", "5C")
    remedies = held.locator(".by-dealer")
    expect(remedies.locator("small").first).to_contain_text("5.")  # the clause
    touch(held.locator("[data-choice=use]"))
    expect(held).to_have_count(0)
    assert dealer.status["held"] is None
    assert dealer.status["drawn"][3] == {"card": "5C", "lies": "waits"}
    touch(page.locator(".keys [data-command^=hit]"))  # it is the next card
    expect(page.locator("[data-place='1'] [aria-label='5C']")).to_be_visible()
    assert dealer.status["boxes"]["1"]["hands"][0]["cards"] == "KS 2H 5C"


def test_a_card_behind_the_dealers_hand_is_put_away(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    dealt(dealer, "KS 9D 8H 8C 7D", b1=100)
    dealer.stand(1)
    page = visits.open(table.url, SMALL)
    dealer.dealers_hand()
    dealer.gate_at_rest()
    dealer.draw(force=True)
    touch(page.locator(".held [data-choice=discard]"))
    expect(page.locator(".held")).to_have_count(0)
    assert dealer.status["drawn"][-1] == {"card": "7D", "lies": "out"}


def test_a_round_behind_a_draw_is_void_by_two(
    table: ConsoleBesideTable, dealer: Dealer, visits: Visits
) -> None:
    deal_to_the_button(dealer)
    armed_offer(dealer)
    dealer.press()
    page = visits.open(table.url, SMALL)
    visits.expect(REFUSED)
    touch(page.locator("header [data-sign-in=ask]"))
    sign_in(page, "Novak", "stay")
    expect(page.locator(".person")).to_contain_text("Novak")
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice=void]"))
    touch(page.locator("[data-why=other]"))
    expect(page.locator(".effect tbody tr").first).to_be_visible()
    assert dealer.status["state"] != "void"
    touch(page.locator("[data-say=confirm]"))
    touch(page.locator("[data-sign-in=leave]"))
    expect(page.locator(".person")).to_have_count(0)
    touch(page.locator("[data-choice='confirm void']"))
    expect(page.locator(".dialog.who")).to_be_visible()
    expect(page.locator("[data-name=Novak]")).to_have_count(0)
    sign_in(page, "Novak", "second")  # he is the one who asked
    expect(page.locator(".saying.refused")).to_be_visible()
    expect(page.locator("[data-choice='confirm void']")).to_be_enabled()
    assert dealer.status["held"]["fault"] == "void-unconfirmed"
    touch(page.locator("[data-choice='confirm void']"))
    sign_in(page, "Ida", "second")
    expect(page.locator(".held")).to_have_count(0)
    assert dealer.status["state"] == "void"
