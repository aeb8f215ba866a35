"""A shoe for a known round: a complete set of cards, with those of the round in front.

The set is complete, so that a shoe that counts its cards in the middle of a round, after a power
cut, finds none missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from controller.game.rules.cards import RANKS, TEN
from controller.game.scripts.script import ShoeCard
from hil_tests.bench.setup import Setup
from hil_tests.people.dealer import Dealer
from hil_tests.people.shoe_hand import WAIT_S

SUITS = "CDHS"
BURNED = "QC"
"""The card in front of the script's where the first one of a new shoe is burned."""


def stack_whole_set(dealer: Dealer, cards: Sequence[str], *, burned: bool, tens: bool) -> None:
    """Load the shoe: the card to be burned, these, the rest of the set behind. Where the round
    before took the set out of play, the floor has counted it."""
    front = [BURNED] * burned + list(cards)
    rest = list((Counter(_whole_set(dealer.bench.setup, tens=tens)) - Counter(front)).elements())
    size = dealer.bench.setup.decks * (52 if tens else 48)
    dealer.shoe.do("load", cards=[*front, *rest][:size])
    dealer.shoe.wait_for(lambda shoe: shoe["unacked"] == 0, WAIT_S, "the new shoe")
    told = dealer.status["shoe"]
    if str(told["set"]) in told["blocked"]:
        clearing = f"clear-set {told['set']}"
        dealer.bench.control.supervisor(clearing, by="P. Marsh", why="counted, and complete")


def _whole_set(setup: Setup, *, tens: bool) -> list[str]:
    ranks = [rank for number, rank in enumerate(RANKS, 1) if tens or number != TEN]
    return [rank + suit for rank in ranks for suit in SUITS] * setup.decks


def marks_of(entry: ShoeCard, *, tens: bool) -> dict[str, bool]:
    """How the shoe tells what the script's marks say; a ten tells by its rank that it does not
    belong to a set without tens."""
    foreign = "%" in entry.marks and (tens or entry.card.rank != TEN)
    told = {"face_up": "^" in entry.marks, "together": "&" in entry.marks, "other_back": foreign}
    return {mark: True for mark, said in told.items() if said}
