"""The printable table as rows of cells: what the card shows, in whatever form."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from figures.kernel.choices import BUY, BUY_LITTLE, CHOICES, DOUBLE, HIT, SPLIT, STAND, SURRENDER
from figures.kernel.plans import COUNTS
from figures.strategy.groups import HARD, PAIR, SOFT
from figures.strategy.preferring import NOTHING
from figures.strategy.shoes import POINTS, Whole
from figures.strategy.solving import Departure, DocumentStrategy, Value

BUY_OR_STAND: Final = CHOICES
"""A card is bought; where none may be any more, the hand stands."""
LITTLE_OR_STAND: Final = CHOICES + 1
"""The same for the smallest buy."""
LETTERS: Final = dict(enumerate("HSDPBRLbl"))
"""Of the choices, in their order."""
BUYS: Final = {BUY: BUY_OR_STAND, BUY_LITTLE: LITTLE_OR_STAND}
WORDS: Final = {
    HIT: "hit",
    STAND: "stand",
    DOUBLE: "double",
    SPLIT: "split",
    BUY: "buy, or hit where that is over",
    SURRENDER: "surrender",
    BUY_LITTLE: "buy for the smallest sum, or hit where that is over",
    BUY_OR_STAND: "buy, or stand where that is over",
    LITTLE_OR_STAND: "buy for the smallest sum, or stand where that is over",
}
ORDER: Final = (*range(1, POINTS), 0)
"""The dealer's values in the order of the columns: the ace last."""
FOOTNOTES: Final = 12
"""Departures that a card names; the others are in its JSON."""


class Cell(NamedTuple):
    """``first`` is done with two cards (with the fewest that there are in this row); then from a
    number of cards on something else."""

    first: int
    then: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        return LETTERS[self.first] + "".join(
            f"{cards}{LETTERS[choice]}" for cards, choice in self.then
        )


class HandRow(NamedTuple):
    """A row of the table, its cells in the order of the columns."""

    kind: str
    name: str
    cells: tuple[Cell, ...]


class Chart(NamedTuple):
    """The table of a strategy; ``withdraws`` is the highest total at which the doubled part is
    taken back, by column, 0 for none."""

    rows: tuple[HandRow, ...]
    withdraws: tuple[int, ...]


def chart_of(strategy: DocumentStrategy) -> Chart:
    """The printable table."""
    tables = strategy.tables
    firsts = {key: place for place, key in enumerate(tables.groups.firsts)}
    laters = {key: place for place, key in enumerate(tables.groups.laters)}
    rows = []
    for kind in (HARD, SOFT):
        for total in range(4, 22):
            groups = (
                [(2, tables.first, firsts.get((kind, total), -1))]
                if (kind, total) in firsts
                else []
            )
            for cards in range(3, COUNTS):
                place = laters.get((cards, kind, total), -1)
                groups += [(cards, tables.later, place)] if place >= 0 else []
            if groups:
                rows.append(HandRow(kind, str(total), tuple(_cells(groups))))
    pairs = sorted((key for key in firsts if isinstance(key, tuple) and key[0] == PAIR), key=str)
    for pair in sorted(pairs, key=lambda key: ORDER.index(key[1])):
        value = pair[1]
        rows.append(HandRow(PAIR, name_of(value), tuple(_cells([(2, tables.first, firsts[pair])]))))
    taken = tables.doubled.withdraws[:, list(ORDER)]
    highest = (
        max((total for total in range(22) if column[total]), default=0) for column in taken.T
    )
    may = bool(strategy.model.values.doubles and strategy.model.values.withdraw_below)
    return Chart(tuple(rows), tuple(highest) if may else ())


def name_of(value: int) -> str:
    """A card's value as the card names it."""
    return "A" if value == 0 else str(value + 1)


def departure_text(departure: Departure) -> str:
    """A footnote: what to do otherwise, with which cards."""
    cards = f"{name_of(departure.low)}-{name_of(departure.high)}"
    suits = {
        "": "",
        "mixed": " of mixed suits",
        "suited": " of one suit, not spades",
        "spades": " of spades",
    }
    held = f"{cards}{suits[departure.suits]} against {name_of(departure.up)}"
    better, printed = WORDS[departure.better], WORDS[departure.printed]
    return f"{held}: {better}, not {printed} ({100 * departure.gain:+.2f} % of that wager)"


def as_data(strategy: DocumentStrategy) -> dict[str, Any]:
    """All of a strategy for JSON."""
    chart = chart_of(strategy)
    return {
        "document": strategy.rules.document.id,
        "version": strategy.rules.document.version,
        "decks": strategy.decks,
        "seed": strategy.seed,
        "super_bonus_to_1": strategy.model.super_bonus,
        "smallest_buy": strategy.model.little or None,
        "values": {
            "best": _value(strategy.best),
            "simulated_policy": _value(strategy.played),
            "printed": _value(strategy.printed),
        },
        "columns": [name_of(value) for value in ORDER],
        "rows": [
            {"kind": row.kind, "hand": row.name, "cells": [str(cell) for cell in row.cells]}
            for row in chart.rows
        ],
        "withdraw_up_to": list(chart.withdraws),
        "departures": [
            {
                "cards": [name_of(departure.low), name_of(departure.high)],
                "suits": departure.suits or "any",
                "dealer": name_of(departure.up),
                "printed": WORDS[departure.printed],
                "better": WORDS[departure.better],
                "gain": departure.gain,
                "worth": departure.worth,
            }
            for departure in strategy.departures
        ],
    }


def _value(value: Value) -> dict[str, float]:
    return {"total": value.total, **value._asdict()}


def _cells(groups: list[tuple[int, Whole, int]]) -> Iterator[Cell]:
    for up in ORDER:
        said = [(cards, _choice(table[:3, place, up])) for cards, table, place in groups]
        said = [(cards, choice) for cards, choice in said if choice != NOTHING]
        changes = [now for before, now in itertools.pairwise(said) if before[1] != now[1]]
        yield Cell(said[0][1], tuple(changes))


def _choice(listed: Whole) -> int:
    """What a cell says of a list."""
    first, *others = (int(choice) for choice in listed)
    then = next((choice for choice in others if choice not in BUYS), NOTHING)
    return BUYS[first] if first in BUYS and then == STAND else first
