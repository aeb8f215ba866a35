"""The report on a gaming day or a shift of a floor's tables, as JSON values.

Sums are text in the table's currency, counts whole numbers, shares numbers with two places; null
where there is nothing to divide by, or nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, TypedDict

from controller.counters import report as reports
from controller.counters.figures import Money
from controller.game.commands.values import write_amount
from figures.rounds.tally import PART_OF_MAIN
from floor.configuration import FloorSettings
from floor.facts.report.accounts import AskedSpan, DocumentMoney, TableAccount
from floor.facts.report.expected import Expectations, OtherModel
from floor.facts.report.multipliers import (
    MultiplierReport,
    added,
    held_against_weights,
    multipliers,
)

HUNDRED: Final = 100


class ExpectedReport(TypedDict):
    """What the house has ``won`` of main wagers that came to ``staked`` before the deal, with all
    that was added to them (splits, doubles, bought cards, Super Bonus), what it is to be expected
    to ``win``, and the 95 % band of that; ``outside``: it won more or less. ``assumed`` is what was
    simulated and could not be held against what was played."""

    staked: str | None
    won: str | None
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
    money: dict[str, reports.MoneyReport]
    expected: ExpectedReport | None
    not_compared: str | None


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
    holds: list[reports.HoldReport]
    cards: int
    shoes: int


class NotableReport(TypedDict):
    """What is not as expected at a ``table`` ("": at all together). ``what``: a multiplier, as
    100x, whose count is too far off for chance in this report (``found``); or the rule document
    whose main wagers are outside their band of 95 %, as one in twenty is by chance."""

    table: str
    journal: str | None
    what: str
    was: str
    expected: str
    low: str
    high: str
    found: bool


class FloorReport(TypedDict):
    """The whole report, on a ``day``, on the days from there to ``until``, or on a ``shift``;
    ``floor`` has the draws of all tables together, ``notable`` what is to be looked at first."""

    day: str | None
    until: str | None
    shift: int | None
    notable: list[NotableReport]
    tables: list[TableReport]
    floor: list[MultiplierReport]


def report_of(
    asked: AskedSpan,
    accounts: Sequence[TableAccount],
    settings: FloorSettings,
    expectations: Expectations,
) -> FloorReport:
    """The report on these accounts; raises as :meth:`Expectations.of`."""
    drawn = [one.account.figures.draws for one in accounts]
    whole = added(drawn)
    compared = sum(map(multipliers, (*drawn, whole)))
    tables = [_table(one, settings, expectations, compared) for one in accounts]
    floor = list(held_against_weights(whole, compared))
    return {
        "day": str(asked.day) if asked.day else None,
        "until": str(asked.until) if asked.until else None,
        "shift": asked.shift,
        "notable": [
            *(one for table in tables for one in _notable_draws(table["draws"], table)),
            *(_notable_draws(floor) if len(tables) > 1 else ()),
            *(one for table in tables for one in _outside(table)),
        ],
        "tables": tables,
        "floor": floor,
    }


def _notable_draws(
    draws: Iterable[MultiplierReport], table: TableReport | None = None
) -> Iterator[NotableReport]:
    for one in draws:
        if one["found"]:
            yield {
                "table": table["table"] if table else "",
                "journal": table["journal"] if table else None,
                "what": f"{one['multiplier']}x",
                "was": str(one["drawn"]),
                "expected": str(one["expected"]),
                "low": str(one["low"]),
                "high": str(one["high"]),
                "found": True,
            }


def _outside(table: TableReport) -> Iterator[NotableReport]:
    for of in table["documents"]:
        expected = of["expected"]
        if expected and expected["outside"]:
            yield {
                "table": table["table"],
                "journal": table["journal"],
                "what": of["document"],
                "was": expected["won"] or "",
                "expected": expected["win"] or "",
                "low": expected["low"] or "",
                "high": expected["high"] or "",
                "found": False,
            }


def _table(
    one: TableAccount, settings: FloorSettings, expectations: Expectations, compared: int
) -> TableReport:
    account, figures = one.account, one.account.figures
    span: reports.ShiftReport = {"number": None, "since": "", "until": None, "by": None}
    own: reports.SpanReport = reports.report_on(account, span)
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
        "won": write_amount(whole.house_win),
        "hold": own["hold"],
        "documents": [_document(of, expectations) for of in one.documents.values()],
        "draws": list(held_against_weights(figures.draws, compared)),
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
        "won": write_amount(whole.house_win),
        "hold": round(HUNDRED * whole.house_win / whole.wagered, 2) if whole.wagered else None,
        "money": {kind: reports.money_report(money) for kind, money in sorted(of.money.items())},
        "expected": expected,
        "not_compared": not_compared,
    }


def _expected(
    of: DocumentMoney, expectations: Expectations
) -> tuple[ExpectedReport | None, str | None]:
    """What is to be expected of it, or why that is not compared."""
    model = expectations.model_of(of.rules)
    if model is None:
        return None, None
    try:
        model.hold(of.document, of.weights)
    except OtherModel as error:
        return None, str(error)
    expected = model.expected_win(of.staked, of.squares)
    won = sum(money.house_win for kind, money in of.money.items() if kind in PART_OF_MAIN)
    return {
        "staked": write_amount(of.staked),
        "won": write_amount(won),
        "win": write_amount(expected.win),
        "low": write_amount(expected.low),
        "high": write_amount(expected.high),
        "outside": not expected.low <= won <= expected.high,
        "assumed": model.assumed,
    }, None


def _sum(money: Iterable[Money]) -> Money:
    whole = Money()
    for one in money:
        whole.add(one)
    return whole
