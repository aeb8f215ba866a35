"""The forms of what is told of a strategy and of what others have published, beside those of
:mod:`figures.edges.results`, and by the same rules: edges and values are fractions."""

from __future__ import annotations

from typing import TypedDict

from figures.edges.results import Origin


class ValueFigures(TypedDict):
    """What a round brings the player, in units of the wager before the deal, with its standard
    error."""

    total: float
    error: float


class ChartRow(TypedDict):
    """A row of the printed table: a ``kind`` of ``hand``, and what is done in each column."""

    kind: str
    hand: str
    cells: list[str]


class DepartureFigures(TypedDict):
    """A first decision that is better than the printed table's: ``gain`` in units of that hand,
    ``worth`` in units of any round."""

    cards: list[str]
    suits: str
    dealer: str
    printed: str
    better: str
    gain: float
    worth: float


class StrategyFigures(TypedDict):
    """A strategy, as :func:`figures.strategy.charts.as_data` tells it, with its origin. ``columns``
    are the dealer's first cards; ``values`` by strategy, ``best`` and ``printed`` among them."""

    origin: Origin
    decks: int
    values: dict[str, ValueFigures]
    columns: list[str]
    rows: list[ChartRow]
    withdraw_up_to: list[int]
    departures: list[DepartureFigures]


class StrangerFigures(TypedDict):
    """A published row: ``verdict`` is ``met``, ``not met`` or ``open``, ``why`` may be empty."""

    title: str
    source: str
    decks: int
    published: float
    ours: float
    standard_error: float
    verdict: str
    why: str


class StrangersFigures(TypedDict):
    """All of them, of ``rounds`` rounds each. The origin's digest is that of their files.
    ``missing`` names rows that were not played to the end, where it is not ``whole``; of one that
    is not there none was."""

    origin: Origin
    rounds: int
    whole: bool
    missing: list[str]
    strangers: list[StrangerFigures]
