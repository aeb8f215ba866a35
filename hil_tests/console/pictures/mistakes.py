"""What went wrong: asked in plain words, put right by the dealer, by the supervisor and by two."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import expect

from hil_tests.console.dealt import burn_first, clear_wagers, dealt
from hil_tests.console.pictures.walk import Section, Walk
from hil_tests.console.supervisors import PINS, REFUSED, sign_in
from hil_tests.console.touching import drag, touch
from hil_tests.people.jackpot_button import PONTOON


def card_too_many(walk: Walk) -> None:
    """A card lay at a box before anybody had asked for it."""
    people = walk.table.dealer
    dealt(walk.table.dealer, "KS 9D 2H 5C 8S 7D", b1=100)
    with walk.dealing() as dealer:
        page = dealer.page
        people.hit(1)
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
    burn_first(people, PONTOON)
    people.open_bets()
    clear_wagers(people)
    people.wager(1, main=100, pandemonium=5)
    people.no_more_bets()
    people.deal()
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


def go(walk: Walk) -> None:
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
    go,
)
