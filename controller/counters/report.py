"""Counters as JSON values, for the control socket and ``tablectl counters``.

Sums are text in dollars, as everywhere outside; a weight, a multiplier and a count are numbers.
"""

from __future__ import annotations

from typing import TypedDict

from controller.counters.counting import Counters
from controller.counters.figures import Figures, Money
from controller.game.money import write_amount


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
    whole = Money()
    for money in figures.money.values():
        whole.add(money)
    return {
        "rounds": figures.rounds,
        "void": figures.void,
        "money": {kind: money_report(money) for kind, money in sorted(figures.money.items())},
        "sum": money_report(whole),
        "draws": [_draws(weights, drawn) for weights, drawn in figures.draws.items()],
        "presses": figures.presses,
        "presses_ignored": figures.presses_ignored,
        "cards": figures.cards,
        "unread": figures.unread,
        "shuffles": figures.shuffles,
        "incomplete": figures.incomplete,
        "jams": figures.jams,
        "refused": figures.refused,
        "refusals": figures.refusals,
        "voids": figures.voids,
        "voids_after_draw": figures.voids_after_draw,
        "corrections": figures.corrections,
        "orders": figures.orders,
    }


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
