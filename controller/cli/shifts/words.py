"""The words of a report on a shift that terminal and page have in common.

Times are those of the table's clock, in the time zone of the machine that shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Final

from controller.cli.table.counters import money_row
from controller.counters.spans.report import SpanReport
from controller.local_time import local
from controller.plain_text import spell

NONE: Final = "-"
DRAWS_HEAD: Final = ("multiplier", "drawn", "expected")
HOLDS_HEAD: Final = ("held for", "times", "time")
PEOPLE: Final = (
    ("voids", "Rounds void, by"),
    ("corrections", "Corrections, by"),
    ("second_person", "A second person agreed"),
)
"""Figures by name, and how they are headed."""

_SUMMED: Final = ("wagers", "untold", "returned")
_SUMS: Final = ("wagered", "paid", "held", "given_back")


def title(report: SpanReport) -> str:
    """What the report is on."""
    if day := report.get("day"):
        return f"Gaming day {day}"
    shift = report["shift"]
    if not shift["number"]:
        return "Shift 0, before the first that was begun"
    return f"Shift {shift['number']}, begun by {shift['by']}"


def span(report: SpanReport) -> str:
    """From when to when."""
    shift = report["shift"]
    since, until = moment(shift["since"]), shift["until"]
    return f"{since} to {moment(until)}" if until else f"since {since}, goes on"


def moment(wall: str) -> str:
    """A time of the journal as the clocks here show it, with their zone."""
    return local(datetime.fromisoformat(wall)).strftime("%Y-%m-%d %H:%M %Z").rstrip()


def figures(report: SpanReport) -> list[tuple[str, str]]:
    """The plain figures with their names."""
    rate, hold = report["rounds_per_hour"], report["hold"]
    return [
        ("rounds settled", str(report["rounds"])),
        ("rounds void", str(report["void"])),
        ("rounds an hour", NONE if rate is None else f"{rate:.1f}"),
        ("kept of what was wagered", NONE if hold is None else f"{hold:.2f} %"),
        ("cards drawn", str(report["cards"])),
        ("shoes begun", str(report["shoes"])),
    ]


def money_rows(report: SpanReport) -> Iterator[tuple[object, ...]]:
    """The money by kind, and all of it, in the columns of the counters."""
    money = report["money"]
    for kind, row in money.items():
        yield money_row(kind, row)
    every = [dict(row) for row in money.values()]
    counts = {name: sum(int(str(row[name])) for row in every) for name in _SUMMED}
    sums = {
        name: f"{sum((Decimal(str(row[name])) for row in every), Decimal(0)):.2f}" for name in _SUMS
    }
    yield money_row("all", {**counts, **sums})


def draw_rows(report: SpanReport) -> list[tuple[str, str, str]]:
    """Each multiplier: how often it was drawn, and was to be expected."""
    return [
        (f"{one['multiplier']}x", str(one["drawn"]), f"{one['expected']:.1f}")
        for one in report["draws"]
    ]


def hold_rows(report: SpanReport) -> list[tuple[str, str, str]]:
    """Each fault: how often it began to hold play, and for how long it did."""
    return [(one["fault"], str(one["count"]), spell(one["seconds"])) for one in report["holds"]]


def by_name(counted: Mapping[str, int]) -> str:
    """Names with how often each; a dash where there is none."""
    return ", ".join(f"{who} {count}" for who, count in counted.items()) or NONE
