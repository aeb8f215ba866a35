"""A day's or a shift's report out of facts in memory, for comparison with the table's own."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

from controller.counters.figures import Figures
from controller.counters.ledger import HeldTime, SpanAccount
from controller.counters.report import ShiftReport, report_on
from controller.game.round.model import Settlement
from floor.facts.entry_facts import CORRECTION, SECOND_PERSON, VOID
from floor.facts.kinds import ActFact, DrawFact, HeldFact, StretchFact
from tests.floor.facts.kept import KeptFacts

NONE: ShiftReport = {"number": None, "since": "", "until": None, "by": None}


def report_of(kept: KeptFacts, day: date | None = None, shift: int | None = None) -> Any:
    """The report, without the span itself."""

    def within(at: Any) -> bool:
        return (day is None or at.day == day) and (shift is None or at.shift == shift)

    figures = Figures()
    for one in filter(within, kept.rounds.values()):
        figures.rounds += one.outcome == "settled"
        figures.void += one.outcome == "void"
        figures.settle(
            Settlement(s.box, s.bettor, s.hand, s.kind, s.stake, s.outcome, s.odds, s.net, s.clause)
            for s in one.settlements
        )
    for draw in kept.of(DrawFact):
        if within(draw.at):
            drawn = figures.draws.setdefault(draw.terms.weights, {})
            drawn[draw.multiplier] = drawn.get(draw.multiplier, 0) + 1
    account = SpanAccount(figures=figures)
    acts = Counter((act.what, act.by) for act in kept.of(ActFact) if within(act.at))
    for what, named in (
        (VOID, figures.voids),
        (CORRECTION, figures.corrections),
        (SECOND_PERSON, account.second_person),
    ):
        named |= {by: count for (done, by), count in acts.items() if done == what}
    for stretch in filter(within, kept.of(StretchFact)):
        account.ran_ns += stretch.ran_ns
        figures.cards += stretch.cards
        account.shoes += stretch.shoes
    for held in filter(within, kept.of(HeldFact)):
        time = account.holds.setdefault(held.fault, HeldTime())
        time.count += held.count
        time.ns += held.ns
    return {name: value for name, value in report_on(account, NONE).items() if name != "shift"}
