"""The report on a shift on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from controller.cli.output import columns
from controller.cli.shifts import words
from controller.cli.table.counters import MONEY_HEAD
from controller.counters.spans.report import SpanReport


def lines(table: str, report: SpanReport) -> Iterator[str]:
    """The report as a person reads it."""
    yield (f"Table {table}: " if table else "") + words.title(report)
    yield f"  {words.span(report)}"
    yield columns(words.figures(report), right=(1,))
    yield columns([MONEY_HEAD, *words.money_rows(report)], right=range(1, 7))
    if draws := words.draw_rows(report):
        yield columns([words.DRAWS_HEAD, *draws], right=(0, 1, 2))
    if holds := words.hold_rows(report):
        yield columns([words.HOLDS_HEAD, *holds], right=(1, 2))
    for what, heading in words.PEOPLE:
        if counted := report[what]:  # type: ignore[literal-required]
            yield f"  {heading}: {words.by_name(counted)}"
