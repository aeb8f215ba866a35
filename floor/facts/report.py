"""The report on a gaming day or a shift of a floor's tables, as JSON values.

Sums are text in the table's currency, counts whole numbers, shares numbers with two places; null
where there is nothing to divide by, or nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, TypedDict

from controller.counters.figures import Money
from controller.counters.report import MoneyReport, money_report
from controller.counters.spans.report import HoldReport, ShiftReport, SpanReport, report_on
from controller.game.round.money import write_amount
from floor.configuration import FloorSettings
from floor.facts.accounts import AskedSpan, DocumentMoney, TableAccount
from floor.facts.bounds import BAND, band
from floor.facts.expected import MAIN, Expectations, OtherModel

HUNDRED: Final = 100


class ExpectedReport(TypedDict):
    """What the house is to be expected to win of main wagers before the deal that came to
    ``staked``, with its 95 % band; ``outside``: it won more or less than that. ``assumed`` is what
    was simulated and could not be held against what was played."""

    staked: str | None
    win: str | None
    low: str | None
    high: str | None
    outside: bool
    assumed: str


class PlayedDocument(TypedDict):
    """What was played under one rule document, whose file has the SHA-256 ``rules``: ``wagered``
    and ``won`` by the house over all wagers, ``hold`` in percent, ``money`` by kind; ``expected``
    is null where no file of that digest says what to expect, or one says it of another game
    (``not_compared``: of which)."""

    document: str
    rules: str
    wagered: str | None
    won: str | None
    hold: float | None
    money: dict[str, MoneyReport]
    expected: ExpectedReport | None
    not_compared: str | None


class MultiplierReport(TypedDict):
    """How often a multiplier was ``drawn`` of so many ``draws`` under ``weights``, how often it was
    to be ``expected``, and the exact bounds of 95 %. ``p`` is how often chance alone is as far off;
    ``found``: it is too far off for chance, of all that are compared in this report."""

    weights: str
    multiplier: int
    draws: int
    drawn: int
    expected: float
    low: int
    high: int
    p: float
    found: bool


class TableReport(TypedDict):
    """Of one table: ``documents``, ``draws``, and what its own shift report has besides; ``since``
    and ``until`` are when the first round was opened and the last one ended. ``journal`` is null
    but where a shift's number names several of the table: then each is one, and has the name of its
    journal's first log, and its ``first_day``."""

    table: str
    journal: str | None
    first_day: str | None
    currency: str
    since: str | None
    until: str | None
    rounds: int
    void: int
    rounds_per_hour: float | None
    wagered: str | None
    won: str | None
    hold: float | None
    documents: list[PlayedDocument]
    draws: list[MultiplierReport]
    voids: dict[str, int]
    voids_after_draw: dict[str, int]
    corrections: dict[str, int]
    second_person: dict[str, int]
    holds: list[HoldReport]
    cards: int
    shoes: int


class FloorReport(TypedDict):
    """The whole report, on a ``day``, on the days from there to ``until``, or on a ``shift``;
    ``floor`` has the draws of all tables together."""

    day: str | None
    until: str | None
    shift: int | None
    tables: list[TableReport]
    floor: list[MultiplierReport]


def report_of(
    asked: AskedSpan,
    accounts: Sequence[TableAccount],
    settings: FloorSettings,
    expectations: Expectations,
) -> FloorReport:
    """The report on these accounts; raises as :meth:`Expectations.of`."""
    whole: dict[str, dict[int, int]] = {}
    for one in accounts:
        for weights, drawn in one.account.figures.draws.items():
            together = whole.setdefault(weights, {})
            for multiplier, count in drawn.items():
                together[multiplier] = together.get(multiplier, 0) + count
    compared = sum(_multipliers(one.account.figures.draws) for one in accounts)
    compared += _multipliers(whole)
    return {
        "day": str(asked.day) if asked.day else None,
        "until": str(asked.until) if asked.until else None,
        "shift": asked.shift,
        "tables": [_table(one, settings, expectations, compared) for one in accounts],
        "floor": list(_draws(whole, compared)),
    }


def _multipliers(draws: dict[str, dict[int, int]]) -> int:
    """How many there are to compare."""
    return sum(len(weights.split()) for weights in draws)


def _table(
    one: TableAccount, settings: FloorSettings, expectations: Expectations, compared: int
) -> TableReport:
    account, figures = one.account, one.account.figures
    span: ShiftReport = {"number": None, "since": "", "until": None, "by": None}
    own: SpanReport = report_on(account, span)
    whole = _sum(figures.money.values())
    return {
        "table": one.table,
        "journal": one.journal,
        "first_day": str(one.first_day) if one.first_day else None,
        "currency": settings.currency_of(one.table),
        "since": _local(account.since, settings),
        "until": _local(account.until, settings),
        "rounds": own["rounds"],
        "void": own["void"],
        "rounds_per_hour": own["rounds_per_hour"],
        "wagered": write_amount(whole.wagered),
        "won": write_amount(whole.held),
        "hold": own["hold"],
        "documents": [_document(of, expectations) for of in one.documents.values()],
        "draws": list(_draws(figures.draws, compared)),
        "voids": figures.voids,
        "voids_after_draw": figures.voids_after_draw,
        "corrections": figures.corrections,
        "second_person": account.second_person,
        "holds": own["holds"],
        "cards": own["cards"],
        "shoes": own["shoes"],
    }


def _local(wall: str | None, settings: FloorSettings) -> str | None:
    """The time as the house's clocks have it."""
    return datetime.fromisoformat(wall).astimezone(settings.zone).isoformat() if wall else None


def _document(of: DocumentMoney, expectations: Expectations) -> PlayedDocument:
    whole = _sum(of.money.values())
    expected, not_compared = _expected(of, expectations)
    return {
        "document": of.document,
        "rules": of.rules,
        "wagered": write_amount(whole.wagered),
        "won": write_amount(whole.held),
        "hold": round(HUNDRED * whole.held / whole.wagered, 2) if whole.wagered else None,
        "money": {kind: money_report(money) for kind, money in sorted(of.money.items())},
        "expected": expected,
        "not_compared": not_compared,
    }


def _expected(
    of: DocumentMoney, expectations: Expectations
) -> tuple[ExpectedReport | None, str | None]:
    """What is to be expected of it, or why that is not compared."""
    model = expectations.of(of.rules)
    if model is None:
        return None, None
    try:
        model.hold(of.document, of.weights)
    except OtherModel as error:
        return None, str(error)
    expected = model.of(of.staked, of.squares)
    won = of.money.get(MAIN, Money()).held
    return {
        "staked": write_amount(of.staked),
        "win": write_amount(expected.win),
        "low": write_amount(expected.low),
        "high": write_amount(expected.high),
        "outside": not expected.low <= won <= expected.high,
        "assumed": model.assumed,
    }, None


def _draws(draws: dict[str, dict[int, int]], compared: int) -> Iterable[MultiplierReport]:
    for weights, drawn in sorted(draws.items()):
        pairs = [(int(m), int(w)) for m, _, w in (one.partition("=") for one in weights.split())]
        count, whole = sum(drawn.values()), sum(weight for _, weight in pairs)
        for multiplier, weight in sorted(pairs, reverse=True):
            counted = drawn.get(multiplier, 0)
            within = band(count, weight / whole, counted)
            yield {
                "weights": weights,
                "multiplier": multiplier,
                "draws": count,
                "drawn": counted,
                "expected": round(count * weight / whole, 2),
                "low": within.low,
                "high": within.high,
                "p": within.p,
                "found": within.p < (1 - BAND) / compared,
            }


def _sum(money: Iterable[Money]) -> Money:
    whole = Money()
    for one in money:
        whole.add(one)
    return whole
