"""A round, from the table at rest to what it has come to, with those in which something else is
offered; and what went wrong, put right by the dealer, by the supervisor and by two.
"""

from __future__ import annotations

from typing import Final

from playwright.sync_api import expect

from hil_tests.console.beside_table import burn_first, deal_anew, dealt, fill_felt
from hil_tests.console.pictures.camera import Section, Walk
from hil_tests.console.touching import PINS, REFUSED, TouchingDealer, drag, sign_in, touch
from hil_tests.people.jackpot_button import PONTOON

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
    walk.table.dealer.clear_wagers()
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
    walk.table.dealer.clear_wagers()


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


def deal_round(walk: Walk) -> None:
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
    deal_round,
)


def card_too_many(walk: Walk) -> None:
    """A card lay at a box before anybody had asked for it."""
    people = walk.table.dealer
    dealt(walk.table.dealer, "KS 9D 2H 5C 8S 7D", b1=100)
    with walk.dealing() as dealer:
        page = dealer.page
        people.card()
        expect(page.locator("[data-place='1'] .card")).to_have_count(3)
        touch(page.locator(".wrong-key"))
        expect(page.locator(".choice-rows").first).to_be_visible()
        walk.note_screen(page, "questions")
        touch(page.locator("[data-choice='report drawn BOX seen']"))
        walk.note_screen(page, "which-box")
        touch(page.locator(".dialog [data-say='1']"))
        expect(page.locator(".held .waiting .card")).to_have_count(1)
        walk.note_screen(page, "held")
        touch(page.locator(".held [data-choice=use]"))
        expect(page.locator(".held")).to_have_count(0)
        dealer.touch("hit 1", "stand 1")  # it is the next card
        people.wait_until(lambda state: state["state"].startswith("dealer."), "the dealer's hand")
        people.dealers_hand()
        dealer.touch("next")


def correction(walk: Walk) -> None:
    """Two cards lie at each other's box."""
    people = walk.table.dealer
    dealt(walk.table.dealer, "KS 9D 8C 7H 8H", b1=100, b2=50)
    with walk.dealing() as dealer:
        page = dealer.page
        touch(page.locator(".wrong-key"))
        touch(page.locator("[data-choice^='correct']"))
        walk.note_screen(page, "correct")
        touch(page.locator("[data-card='3']"))
        walk.note_screen(page, "correct-card")
        drag(page, 1, "2")
        drag(page, 2, "1")
        expect(page.locator(".hands-then li")).to_have_count(2)
        walk.note_screen(page, "correct-effect")
        touch(page.locator("[data-say=confirm]"))
        expect(page.locator(".fixing")).to_have_count(0)
        people.stand(1)
        people.stand(2)
        people.dealers_hand()
        dealer.touch("next")


def supervisors(walk: Walk) -> None:
    """A card of a round that is settled was another one: what it would change for the wagers."""
    dealt(walk.table.dealer, "KS 9D 7H 8C", b1=100)
    walk.table.dealer.stand(1)
    walk.table.dealer.dealers_hand()
    with walk.dealing() as dealer:
        page = dealer.page
        touch(page.locator(".wrong-key"))
        touch(page.locator("[data-choice^='correct']"))
        touch(page.locator("[data-card='3']"))
        touch(page.locator("[data-rank='9']"))
        touch(page.locator("[data-suit=H]"))
        expect(page.locator(".fixing [data-sign-in=ask]")).to_be_visible()
        walk.note_screen(page, "supervisors")
        touch(page.locator(".fixing [data-sign-in=ask]"))
        walk.note_screen(page, "name")
        page.locator(".name input").fill("Novak")
        touch(page.locator("[data-say=name]"))
        for digit in "1234":
            touch(page.locator(f"[data-digit='{digit}']"))
        touch(page.locator("[data-sign-in=once]"))
        expect(page.locator(".dialog [role=alert]")).to_be_visible()
        walk.note_screen(page, "wrong-pin")
        for digit in PINS["Novak"]:
            touch(page.locator(f"[data-digit='{digit}']"))
        walk.note_screen(page, "pin")
        touch(page.locator("[data-sign-in=once]"))
        touch(page.locator("[data-why='card misread']"))
        expect(page.locator(".effect tbody tr")).to_have_count(1)
        walk.note_screen(page, "supervisors-effect")
        touch(page.locator("[data-say=confirm]"))
        expect(page.locator(".fixing")).to_have_count(0)
        walk.note_screen(page, "corrected")
        dealer.touch("next")


def void(walk: Walk) -> None:
    """A round whose multiplier is drawn is void by two."""
    people = walk.table.dealer
    deal_anew(people, PONTOON, {1: {"main": 100, "pandemonium": 5}})
    people.press()
    with walk.dealing() as dealer:
        page = dealer.page
        touch(page.locator("header [data-sign-in=ask]"))
        sign_in(page, "Novak", "stay")
        expect(page.locator(".person")).to_be_visible()
        walk.note_screen(page, "signed-in")
        touch(page.locator(".wrong-key"))
        touch(page.locator("[data-choice=void]"))
        walk.note_screen(page, "why")
        touch(page.locator("[data-why=other]"))
        expect(page.locator(".effect tbody tr").first).to_be_visible()
        walk.note_screen(page, "void-effect")
        touch(page.locator("[data-say=confirm]"))
        expect(page.locator(".held")).to_be_visible()
        walk.note_screen(page, "void-waits")
        touch(page.locator("[data-choice='confirm void']"))
        walk.note_screen(page, "second-person")
        sign_in(page, "Ida", "second")
        expect(page.locator(".held")).to_have_count(0)
        walk.note_screen(page, "void")
        dealer.touch("next")
        touch(page.locator("[data-sign-in=leave]"))
        expect(page.locator(".person")).to_have_count(0)


def put_right(walk: Walk) -> None:
    """All of it."""
    walk.visits.expect(REFUSED)
    for part in (card_too_many, correction, supervisors, void):
        part(walk)


MISTAKES: Final = Section(
    (
        *("questions", "which-box", "held", "correct", "correct-card", "correct-effect"),
        *("supervisors", "name", "wrong-pin", "pin", "supervisors-effect", "corrected"),
        *("signed-in", "why", "void-effect", "void-waits", "second-person", "void"),
    ),
    put_right,
)
