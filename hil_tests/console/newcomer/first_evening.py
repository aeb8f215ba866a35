"""Ten rounds of Pontoon Pandemonium (MBS) as a dealer's first evening has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class DealtRound:
    """A round: the cards that come, wagers by seat and kind, and its course behind the close:
    ``card`` is drawn and ``press`` pressed, all else is given by the dealer."""

    about: str
    cards: str
    wagers: Mapping[str, float]
    course: str


DEAL: Final = "card card card card card"
"""The initial deal of two boxes."""

ROUNDS: Final = (
    DealtRound(
        "a hit, and two hands that stand",
        "9C KS 7H 8D 6C 4D KD",
        {"1 main": 50, "2 main": 100},
        f"{DEAL}; stand 1; card; stand 2; card",
    ),
    DealtRound(
        "a double",
        "5C 9S 8H 6D 8S 8C 9D",
        {"1 main": 50, "2 main": 100},
        f"{DEAL}; double 1 50; card; keep 1; stand 2; card",
    ),
    DealtRound(
        "a split",
        "8C 9H 6S 8D 9C 3H KH 9S KC 5D",
        {"1 main": 50, "2 main": 100},
        f"{DEAL}; split 1; card card card; stand 1; stand 2; card card",
    ),
    DealtRound(
        "insurance, and the dealer's Pontoon",
        "9D KC AH 9S 7C KD",
        {"1 main": 50, "2 main": 100},
        f"{DEAL}; insure 2 50; done; stand 1; stand 2; card",
    ),
    DealtRound(
        "a Pontoon, the button and the meter",
        "AS 9D 7C KS 8C KH",
        {"1 main": 50, "1 pandemonium": 5, "2 main": 100},
        f"{DEAL}; press; done; stand 2; card",
    ),
    DealtRound(
        "the first mistake: a card too many at box 1, which is used as its next",
        "KS 9C 9D 2H 8D 5C KD",
        {"1 main": 50, "2 main": 100},
        f"{DEAL}; card; report drawn 1 seen; use; hit 1; stand 1; stand 2; card",
    ),
    DealtRound(
        "a surrender",
        "KS 9H KD 6D 9C 9S",
        {"1 main": 50, "2 main": 100},
        f"{DEAL}; surrender 1; done; stand 2; card",
    ),
    DealtRound(
        "the second mistake: 200 on box 2, which are 150, seen behind the close",
        "9C 8S 7H 9D 9S KC",
        {"1 main": 50, "2 main": 200},
        f"undo; undo; wager 2 main 150; close; {DEAL}; stand 1; stand 2; card",
    ),
    DealtRound(
        "a pair on the side",
        "6C 9S 8D 6H 8H 9D 9H",
        {"1 main": 50, "1 pair": 5, "2 main": 150},
        f"{DEAL}; card; stand 2; card",
    ),
    DealtRound(
        "a second bettor on box 1",
        "7C 9S 8D 8C KD 9H",
        {"1 main": 50, "1b main": 25, "2 main": 150},
        f"{DEAL}; stand 1; stand 2; card",
    ),
)


def steps(course: str) -> list[str]:
    """One after the other."""
    found = []
    for part in course.split("; "):
        found += part.split() if set(part.split()) <= {"card", "press"} else [part]
    return found
