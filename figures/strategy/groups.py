"""Hands that a table does not tell apart: what is decided for all of them alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple

import numpy as np

from figures.kernel.plans import COUNTS
from figures.kernel.words import CLASSES
from figures.strategy.model import ACE, TEN, GameModel
from figures.strategy.shoes import Whole

HARD: Final = "hard"
SOFT: Final = "soft"
PAIR: Final = "pair"


class HandGroups(NamedTuple):
    """``first`` has the group of each class of two cards, ``later`` that of each hand and state, by
    their places in ``firsts`` and ``laters``; -1: no decision."""

    first: Whole
    firsts: list[Hashable]
    later: Whole
    laters: list[Hashable]


def for_simulation(model: GameModel) -> HandGroups:
    """As the kernel's plan tells them apart: two cards by class; later hands by number of cards,
    ace, hard total and the way in which the cards came."""
    hands = model.hands
    counted = np.minimum(hands.cards, COUNTS - 1)
    later = [
        [(int(cards), bool(aces), int(hard), way) for way in model.ways]
        for cards, aces, hard in zip(counted, hands.aces > 0, hands.hard, strict=True)
    ]
    return _grouped(model, [int(two) for two in range(CLASSES)], later)


def for_print(model: GameModel) -> HandGroups:
    """As a card tells them apart: pairs that may be split, else the total and whether an ace counts
    11 in it; later hands also by their number of cards."""
    hands, two = model.hands, model.two
    pairs = set(model.pairs)
    first: list[Hashable] = []
    for place in range(CLASSES):
        row = model.rows[place]
        if place in pairs:
            first.append((PAIR, int(two.low[place])))
        else:
            first.append((SOFT if hands.soft[row] else HARD, int(hands.total[row])))
    counted = np.minimum(hands.cards, COUNTS - 1)
    later = [
        [(int(cards), SOFT if soft else HARD, int(total))] * len(model.ways)
        for cards, soft, total in zip(counted, hands.soft, hands.total, strict=True)
    ]
    return _grouped(model, first, later)


def _grouped(
    model: GameModel, first: Iterable[Hashable], later: Iterable[Iterable[Hashable]]
) -> HandGroups:
    two, hands = model.two, model.hands
    decides = (two.low >= 0) & ~((two.low == ACE) & (two.high == TEN))
    firsts: dict[Hashable, int] = {}
    laters: dict[Hashable, int] = {}
    of_first = [
        firsts.setdefault(key, len(firsts)) if decides[place] else -1
        for place, key in enumerate(first)
    ]
    goes_on = (hands.cards > 2) & ~model.ends
    of_later = [
        [laters.setdefault(key, len(laters)) if going else -1 for key in keys]
        for going, keys in zip(goes_on, later, strict=True)
    ]
    return HandGroups(np.array(of_first), list(firsts), np.array(of_later), list(laters))
