"""A live table's events written down in a ledger, with clocks that the test sets."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from controller.counters.belonging import NS_A_SECOND, ByDay, ByShift, Moment, Span
from controller.counters.counting import Counters
from controller.counters.figures import Figures
from controller.counters.ledger import Ledger, SpanAccount
from controller.counters.report import SpanReport, report_on, shift_of
from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.state.table import Table
from tests.table.live.driver import Live

ZONE = ZoneInfo("Australia/Brisbane")
"""Ten hours before UTC, all the year."""

NOON = datetime(2026, 11, 25, 12, tzinfo=ZONE)


class Kept:
    """Follows a live table; ``at`` is what the wall clock shows, ``ran_s`` the monotonic clock of
    this ``boot``. Neither goes on by itself."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at, self.ran_s, self.boot = at, 0.0, 1
        self.table, self.counters = Table(), Counters()
        self.shifts = Ledger(ByShift(0), self.counters, self.table)
        self.days = Ledger(ByDay(), self.counters, self.table)
        self.played = 0

    def wait(self, seconds: float) -> None:
        """Both clocks go on."""
        self.at += timedelta(seconds=seconds)
        self.ran_s += seconds

    def follow(self, table: Live) -> None:
        """Write down what has happened since, all of it now."""
        for line in table.events[self.played :]:
            event = read_event(**json.loads(line))
            outcome = apply(self.table, event)
            self.counters.count_event(event, outcome, self.table)
            wall = self.at.astimezone(UTC).isoformat(timespec="milliseconds")
            ns = int(self.ran_s * NS_A_SECOND)
            moment = Moment(self.boot, ns, wall, self.at, event.type == "start")
            self.shifts.note_event(event, moment, self.table)
            self.days.note_event(event, moment, self.table)
        self.played = len(table.events)

    def shift(self, number: int) -> SpanAccount:
        """The account of a shift."""
        account = self.shifts.account(number)
        assert account is not None
        return account

    def day(self, day: int) -> SpanAccount | None:
        """The account of that day of November."""
        return self.days.account(date(2026, 11, day))

    def report(self, number: int) -> SpanReport:
        """The report on a shift."""
        account = self.shift(number)
        return report_on(account, shift_of(number, account))

    def rounds(self) -> dict[int, int]:
        """Rounds settled by day of November."""
        found: dict[int, int] = {}
        for day in self.days.spans:
            account = self.days.account(day)
            assert account
            if isinstance(day, date):
                found[day.day] = account.figures.rounds
        return found

    def check_sums(self) -> None:
        """All shifts, and all days, add up to what the counters have in all."""
        for ledger in (self.shifts, self.days):
            assert _sum(ledger, ledger.spans) == self.counters.total


def _sum(ledger: Ledger, spans: list[Span]) -> Figures:
    whole = Figures()
    for span in spans:
        account = ledger.account(span)
        assert account is not None
        whole.add(account.figures)
    return whole
