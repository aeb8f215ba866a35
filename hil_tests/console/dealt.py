"""Hands that lie on the felt before a page is looked at: dealt at the table, not by touch."""

from __future__ import annotations

from typing import Final

from hil_tests.people.dealer import Dealer

FULL: Final = "8S 8H 6D 9C 2C 5C KS AH 8C 8D 6H 9D 3C 5D QS 8D 2S"
"""Eights to split twice at box 1, and the dealer's ace."""


def burn_first(dealer: Dealer, cards: str) -> None:
    """Have these cards come next; the first one of a new shoe is burned before."""
    dealer.burn_where_due()
    dealer.stack(cards)


def clear_wagers(dealer: Dealer) -> None:
    """Have every wager taken out, bets being open."""
    for box, one in dealer.status["boxes"].items():
        for bettor, kinds in one["wagers"].items():
            for kind in kinds:
                dealer.enter(f"wager {box}{bettor} {kind} 0")


def open_anew(dealer: Dealer, cards: str) -> None:
    """Have these cards come next, bets open, and no wager lie there."""
    burn_first(dealer, cards)
    if dealer.state == "idle":
        dealer.open_bets()
    clear_wagers(dealer)


def dealt(dealer: Dealer, cards: str, **wagers: float) -> None:
    """These cards, with main wagers on boxes (``b1=100``), as far as the initial deal."""
    open_anew(dealer, cards)
    for box, amount in wagers.items():
        dealer.wager(box.removeprefix("b"), main=amount)
    dealer.no_more_bets()
    dealer.deal()


def fill_felt(dealer: Dealer) -> None:
    """Seven boxes with three bettors each, one of them split to three hands, with insurance."""
    open_anew(dealer, FULL)
    for box in range(1, 8):
        dealer.wager(box, main=100 * box)
        dealer.wager(f"{box}b", main=50)
        dealer.wager(f"{box}c", main=25)
    dealer.no_more_bets()
    dealer.deal()
    dealer.insure(2, 100)
    dealer.insure("3b", 25)
    for _ in range(2):
        dealer.split(1)
        dealer.card()
