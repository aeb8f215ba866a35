"""A round, from the table at rest to what it has come to, and those in which something else is
offered."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import expect

from hil_tests.console.dealt import burn_first, clear_wagers, fill_felt
from hil_tests.console.pictures.walk import Section, Walk
from hil_tests.console.touching import TouchingDealer, touch

CARDS: Final = "AS 8C 6D AH KC 8D 5D 3H 9C 2D 7S"
"""Box 1's Pontoon, a pair to split, 11 to double; the dealer's ace and 18."""

SIXTEEN: Final = "KS KD 6D 9H"
"""Box 1's 16 against a king."""


def bets(walk: Walk, dealer: TouchingDealer) -> None:
    """From the table at rest to the close, with wagers by chip and by number."""
    page = dealer.page
    walk.note_screen(page, "before")
    if walk.table.dealer.status["shoe"]["burn_due"]:
        walk.table.dealer.stack("QC")
        dealer.touch("burn")
        walk.note_screen(page, "burn")
        dealer.deal(1)
    walk.table.dealer.stack(CARDS)
    dealer.touch("open")
    clear_wagers(walk.table.dealer)
    dealer.box(1)
    dealer.chip(100)
    dealer.kind("pandemonium")
    dealer.chip(5)
    dealer.box(2)
    dealer.chip(100)
    dealer.box(3)
    touch(page.locator('[data-chip="5"]'))
    expect(page.locator(".refused")).to_be_visible()
    walk.note_screen(page, "too-little")
    dealer.chip(25)
    dealer.chip(10, 10)
    walk.note_screen(page, "wagers")
    touch(page.locator('[data-chip="pad"]'))
    for digit in "250":
        touch(page.locator(".digit", has_text=digit).first)
    walk.note_screen(page, "number")
    touch(page.locator(".dialog .quiet-key"))
    dealer.touch("close")


def play(walk: Walk, dealer: TouchingDealer) -> None:
    """From the first card to the player's decisions, with the button and insurance."""
    page, people = dealer.page, walk.table.dealer
    dealer.deal(2)
    expect(page.locator(".hand .card")).to_have_count(2)
    walk.note_screen(page, "deal")
    dealer.deal(5)
    expect(page.locator(".meter")).to_be_visible()
    walk.note_screen(page, "button")
    people.press()
    seat = page.locator('[data-seat="1a"]')
    expect(seat).to_be_visible()
    walk.note_screen(page, "multiplier")
    touch(seat)
    walk.note_screen(page, "ticked")
    dealer.touch("done")
    expect(dealer.key("done")).to_be_enabled()
    walk.note_screen(page, "insurance")


def decisions(walk: Walk, dealer: TouchingDealer) -> None:
    """Players' decisions, the dealer's hand, and the next round."""
    page, people = dealer.page, walk.table.dealer
    dealer.box(3)
    dealer.touch("insure 3 25.00", "done")
    expect(dealer.key("split 2")).to_be_enabled()
    walk.note_screen(page, "turn")
    touch(page.locator("[data-more]"))
    walk.note_screen(page, "more")
    touch(page.locator(".dialog .quiet-key"))
    dealer.touch("split 2")
    dealer.deal(1)
    expect(dealer.key("stand 2")).to_be_enabled()
    walk.note_screen(page, "split")
    dealer.touch("stand 2")
    dealer.deal(1)
    dealer.touch("stand 2")
    expect(dealer.key("undo")).to_be_enabled()
    walk.note_screen(page, "undo")
    dealer.touch("double 3 50.00")
    walk.note_screen(page, "double")
    dealer.deal(1)
    expect(dealer.key("keep 3")).to_be_enabled()
    walk.note_screen(page, "doubled")
    dealer.touch("keep 3")
    walk.note_screen(page, "dealer-draws")
    dealer.deal(1)
    expect(page.locator(".net")).to_have_count(3)
    walk.note_screen(page, "result")
    dealer.touch("next", "open")
    expect(page.locator(".chip.kept")).to_have_count(3)
    walk.note_screen(page, "proposed")
    people.enter("wager 2 main 60")
    touch(dealer.key("undo"))  # somebody else's, which is told before
    expect(page.locator(".dialog")).to_be_visible()
    walk.note_screen(page, "undo-another")
    touch(page.locator(".dialog .quiet-key"))
    clear_wagers(walk.table.dealer)


def surrender(walk: Walk, dealer: TouchingDealer) -> None:
    """What 16 against a king is offered."""
    burn_first(walk.table.dealer, SIXTEEN)
    dealer.box(1)
    dealer.chip(50)
    dealer.touch("close")
    dealer.deal(3)
    walk.note_screen(dealer.page, "surrender")
    dealer.touch("surrender 1")
    dealer.deal(1)
    dealer.touch("next")


def full(walk: Walk, dealer: TouchingDealer) -> None:
    """Seven boxes with three bettors each, one of them split to three hands, with insurance."""
    fill_felt(walk.table.dealer)
    expect(dealer.page.locator(".hands-3")).to_be_visible()
    walk.note_screen(dealer.page, "full")
    walk.table.dealer.supervisor("void")
    walk.table.dealer.second_person()
    dealer.touch("next")


def go(walk: Walk) -> None:
    """All of it."""
    with walk.dealing() as dealer:
        for part in (bets, play, decisions, surrender, full):
            part(walk, dealer)


ROUND: Final = Section(
    (
        *("before", "burn", "too-little", "wagers", "number", "deal", "button", "multiplier"),
        *("ticked", "insurance", "turn", "more", "split", "undo", "double", "doubled"),
        *("dealer-draws", "result", "proposed", "undo-another", "surrender", "full"),
    ),
    go,
)
