"""Counters, and the report on a shift or a gaming day, as JSON values (docs/counters.md): for the
control socket, ``tablectl counters`` and ``tablectl shift report``.

Sums are text in dollars, as everywhere outside; a weight, a multiplier and a count are numbers,
times ISO 8601. Shares are numbers with two places; null where there is nothing to divide by.
"""

from __future__ import annotations

from dataclasses import fields
from typing import NotRequired, TypedDict

from controller.counters.belonging import NS_A_SECOND
from controller.counters.counting import Counters
from controller.counters.figures import Figures, Money
from controller.counters.ledger import SpanAccount
from controller.game.commands.values import write_amount

HOUR_NS = 3600 * NS_A_SECOND


class ShiftReport(TypedDict):
    """Which shift (0: before the first), and by whom it was begun; of a day both are None.
    ``until`` is None while it goes on."""

    number: int | None
    since: str
    until: str | None
    by: str | None


class DrawnReport(TypedDict):
    """How often a multiplier was drawn, and how often it was to be expected by its weights."""

    multiplier: int
    drawn: int
    expected: float


class HoldReport(TypedDict):
    """How often a fault has held play, counted for each device, and for how many seconds while the
    controller ran. One that goes on from the shift before has no count; waiting for a device is no
    hold."""

    fault: str
    count: int
    seconds: int


class SpanReport(TypedDict):
    """On a shift, or on the gaming ``day`` with that date. ``rounds_per_hour`` is by the hours for
    which the controller ran; ``hold`` is what the house kept of all that was wagered, in percent,
    below 0 where it paid more; ``voids`` are by who gave or confirmed them (``key switch`` has no
    name), ``corrections`` by who gave the last command of each (``keypad``: the switch was not
    turned); ``second_person``: how often somebody agreed to a void as the second person; ``cards``
    left the shoe; ``shoes``: those whose first card was drawn, burned ones included."""

    shift: ShiftReport
    rounds: int
    void: int
    rounds_per_hour: float | None
    money: dict[str, MoneyReport]
    hold: float | None
    draws: list[DrawnReport]
    voids: dict[str, int]
    corrections: dict[str, int]
    second_person: dict[str, int]
    holds: list[HoldReport]
    cards: int
    shoes: int
    day: NotRequired[str]


def report_on(account: SpanAccount, shift: ShiftReport) -> SpanReport:
    """The report on that account."""
    figures, whole = account.figures, _all_money(account.figures)
    return {
        "shift": shift,
        "rounds": figures.rounds,
        "void": figures.void,
        "rounds_per_hour": _share(figures.rounds * HOUR_NS, account.ran_ns),
        "money": {kind: money_report(money) for kind, money in sorted(figures.money.items())},
        "hold": _share(100 * whole.house_win, whole.wagered),
        "draws": _drawn_of(figures),
        "voids": figures.voids,
        "corrections": figures.corrections,
        "second_person": account.second_person,
        "holds": [
            {"fault": fault, "count": held.count, "seconds": held.ns // NS_A_SECOND}
            for fault, held in sorted(account.holds.items())
        ],
        "cards": figures.cards,
        "shoes": account.shoes,
    }


def shift_of(number: int, account: SpanAccount) -> ShiftReport:
    """What a report says of that shift itself."""
    return {"number": number, "since": account.since, "until": account.until, "by": account.by}


def _drawn_of(figures: Figures) -> list[DrawnReport]:
    drawn: dict[int, int] = {}
    expected: dict[int, float] = {}
    for written, counted in figures.draws.items():
        weights = {int(m): int(w) for m, _, w in (each.partition("=") for each in written.split())}
        draws, whole = sum(counted.values()), sum(weights.values())
        for multiplier, weight in weights.items():
            drawn[multiplier] = drawn.get(multiplier, 0) + counted.get(multiplier, 0)
            expected[multiplier] = expected.get(multiplier, 0.0) + draws * weight / whole
    return [
        {"multiplier": one, "drawn": drawn[one], "expected": round(expected[one], 2)}
        for one in sorted(drawn, reverse=True)
    ]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 2) if whole else None


class DrawsReport(TypedDict, total=False):
    """Draws under one set of weights: each multiplier's ``weight`` and how often it was ``drawn``.
    ``p``, which ``tablectl`` adds, is how often a sound generator draws at least as unevenly
    (chi-square); None while a multiplier should have come fewer than five times."""

    draws: int
    multipliers: list[dict[str, int]]
    p: float | None


class MoneyReport(TypedDict):
    """What became of the wagers of one kind. ``wagers`` were settled, ``untold`` of them without an
    amount: they are in no sum. ``wagered`` is what they came to, ``paid`` what players got for
    them, their own stakes included, ``held`` what the house kept. A void or an irregularity gave
    ``returned`` wagers back, which came to ``given_back``: they are in no other figure. The Super
    Bonus and its share have ``paid`` alone."""

    wagers: int
    untold: int
    wagered: str | None
    paid: str | None
    held: str | None
    returned: int
    given_back: str | None


def report(counters: Counters) -> dict[str, dict[str, object]]:
    """``total`` since commissioning, ``shift`` the present shift with ``number``, ``since`` the
    round that it began with, and ``by`` whom (0, 0 and "" before the first)."""
    kept = counters.kept
    began = {"number": kept.shifts, "since": kept.since, "by": kept.by}
    return {"total": _figures(counters.total), "shift": {**began, **_figures(counters.shift)}}


def _figures(figures: Figures) -> dict[str, object]:
    """Every figure by its name, sums of money behind those of each kind."""
    told = {each.name: getattr(figures, each.name) for each in fields(figures)}
    money = {kind: money_report(money) for kind, money in sorted(figures.money.items())}
    draws = [_draws(weights, drawn) for weights, drawn in figures.draws.items()]
    first = {"rounds": 0, "void": 0, "money": money, "sum": money_report(_all_money(figures))}
    return {**first, **told, "money": money, "draws": draws}


def _all_money(figures: Figures) -> Money:
    whole = Money()
    for money in figures.money.values():
        whole.add(money)
    return whole


def money_report(money: Money) -> MoneyReport:
    """The wagers of one kind, sums as text."""
    return {
        "wagers": money.wagers,
        "untold": money.untold,
        "wagered": write_amount(money.wagered),
        "paid": write_amount(money.paid),
        "held": write_amount(money.house_win),
        "returned": money.returned,
        "given_back": write_amount(money.given_back),
    }


def _draws(weights: str, drawn: dict[int, int]) -> DrawsReport:
    pairs = [pair.split("=") for pair in weights.split()]
    counted = [
        {"multiplier": int(m), "weight": int(w), "drawn": drawn.get(int(m), 0)} for m, w in pairs
    ]
    return {"draws": sum(drawn.values()), "multipliers": counted}
