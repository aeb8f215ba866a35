"""Cards as a shoe holds them, and how they are written.

A card is written as on a scoresheet, rank before suit (``AH``, ``10D``, ``KS``); ``??`` is one that
the reader cannot read. Behind it may stand marks of how it lies or leaves, one letter each:
``u`` face up, ``t`` together with the card before it, ``b`` back of another design, ``d`` damaged.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import NamedTuple

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
MARKS = {"u": 1, "t": 2, "b": 4, "d": 16}
"""Letters and the bits of CARD's ``flags`` (protocol section 5)."""

FORCED = 8
"""The bit of a card drawn while the gate was locked."""

TENS = 10


class Card(NamedTuple):
    """One card: numbers as in CARD; rank and suit 0 when unread."""

    rank: int
    suit: int
    flags: int = 0
    uid: int = 0

    def __str__(self) -> str:
        return _text(self.rank, self.suit, self.flags)


@cache
def _text(rank: int, suit: int, flags: int) -> str:
    name = "??" if rank == 0 else RANKS[rank - 1] + SUITS[suit - 1]
    return name + "".join(letter for letter, bit in MARKS.items() if flags & bit)


def packed(cards: Iterable[Card]) -> str:
    """Cards as a memory keeps them: four numbers of 16 bits each, in hexadecimal."""
    return array("H", chain.from_iterable(cards)).tobytes().hex()


def unpacked(text: str) -> list[Card]:
    """The cards that :func:`packed` wrote; ``ValueError`` when it wrote none such."""
    if not isinstance(text, str):
        raise ValueError(f"cards are kept as text, not as {type(text).__name__}")
    numbers = iter(array("H", bytes.fromhex(text)))
    return [Card(*four) for four in zip(numbers, numbers, numbers, numbers, strict=True)]


def parse_card(text: str, uid: int = 0) -> Card:
    """The card that ``text`` writes; raises ``ValueError`` when it writes none."""
    return _read_card(text)._replace(uid=uid)


@cache
def _read_card(text: str) -> Card:
    name = text.rstrip("".join(MARKS))
    flags = sum({MARKS[letter] for letter in text[len(name) :]})
    if name == "??":
        return Card(0, 0, flags)
    rank, suit = name[:-1].upper().replace("T", "10"), name[-1:].upper()
    if rank not in RANKS or not suit or suit not in SUITS:
        raise ValueError(f"{text!r} is no card: write rank and suit, such as AH or 10D")
    return Card(RANKS.index(rank) + 1, SUITS.index(suit) + 1, flags)


def parse_cards(texts: Iterable[str]) -> list[Card]:
    """Cards in the order in which they will be drawn."""
    return [parse_card(text, uid) for uid, text in enumerate(texts, start=1)]


def shuffled(decks: int, seed: int, *, tens: bool = False) -> list[Card]:
    """``decks`` packs of 48 cards (52 with ``tens``), in an order that ``seed`` decides."""
    cards = [
        (rank, suit)
        for _ in range(decks)
        for suit in range(1, 5)
        for rank in range(1, 14)
        if tens or rank != TENS
    ]
    random.Random(seed).shuffle(cards)  # noqa: S311 - a repeatable shoe, not a game
    return [Card(rank, suit, uid=uid) for uid, (rank, suit) in enumerate(cards, start=1)]
