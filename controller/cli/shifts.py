"""``shift report``: what happened in a shift, or on a gaming day, and what the house kept.

The rules:

- The journal's files are read, closed ones included; where this person may not, the controller is
  asked, which tells supervisors the same.
- Status 2: there was no such shift or day; 3: its journal was taken away, and ``--archive`` names
  no directory that has it.
- A page is written beside what is printed, and never over another file.
- Times are those of the table's clock, in the time zone of the machine that shows them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Final

from controller.cli.arguments import add_option
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.journal.sources import archives, from_files
from controller.cli.output import DONE, print_answer
from controller.cli.table.counters import MONEY_HEAD, money_row
from controller.counters.report import SpanReport
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked
from controller.journal.reader import ARCHIVE, JournalReader
from controller.local_time import local
from controller.not_done import WRONG_USE, NotDone
from controller.plain_text import columns, spell
from controller.replay.shift_reports import find_report, wanted_by
from controller.sheets.sheet import facts, row, sheet, signatures, table, text
from controller.table.showing.status_fields import status_of

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
    for kind, counted in money.items():
        yield money_row(kind, counted)
    every = [dict(counted) for counted in money.values()]
    counts = {name: sum(int(str(one[name])) for one in every) for name in _SUMMED}
    sums = {
        name: f"{sum((Decimal(str(one[name])) for one in every), Decimal(0)):.2f}" for name in _SUMS
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


ANSWER_S: Final = 90.0
"""The controller replays the shift beside play, which takes a while."""
PRESENT: Final = "present"
COUNTED: Final = (
    "As the journal of the table has it. Sums are of wagers with amounts; rounds an hour and the "
    "time of holds are while the controller ran."
)


def register(top: Group) -> None:
    """Add the command."""
    report = top.group("shift").command(
        "report", _report, "What happened in a shift or on a gaming day, and what the house kept"
    )
    which = report.add_mutually_exclusive_group()
    add_option(which, "--shift N", "that shift; left out: the present one")
    add_option(which, "--day YYYY-MM-DD", "the gaming day that began on that date")
    add_option(report, "--html FILE", "write a page to be signed, too")
    add_option(report, "--archive DIR", "where closed journals are")


def _report(options: argparse.Namespace) -> int:
    if options.html is not None:
        check_new(options.html)
    name, report = _name_and_report(options, _which(options))
    if options.html is not None:
        write_new(options.html, page(name, report))
    page_told = [] if options.html is None else [f"the page to be signed: {options.html}"]
    print_answer(options, report, chain(lines(name, report), page_told))
    return DONE


def _which(options: argparse.Namespace) -> str:
    if options.shift is not None and not (options.shift.isascii() and options.shift.isdecimal()):
        raise NotDone(WRONG_USE, f"--shift {options.shift}: expected a number, as 12")
    if options.day is not None and "-" not in options.day:
        raise NotDone(WRONG_USE, f"--day {options.day}: expected a date, as 2026-11-26")
    return options.shift or options.day or PRESENT


def _name_and_report(options: argparse.Namespace, which: str) -> tuple[str, SpanReport]:
    """The table's name and the report, by the files, or by the controller where they may not be
    read."""

    def report_of(reader: JournalReader) -> tuple[str, SpanReport]:
        def places() -> list[Path]:
            here = reader.directory / ARCHIVE
            return [*([here] if here.is_dir() else []), *archives(options)]

        return _name(reader), find_report(reader, places, wanted_by(which))

    def report_told() -> tuple[str, SpanReport]:
        with connect(options, ANSWER_S) as client:
            name = status_of(client.status()).get("table", "")
            return name, checked(SpanReport, client.request("shift", which=which), "report")

    return from_files(options, report_of, report_told)


def _name(reader: JournalReader) -> str:
    """The table's name by its last start; empty where nobody has started on this journal yet."""
    start = reader.last_of_type("start")
    settings = start.body.get("settings") if start else None
    return str(settings.get("table", "")) if isinstance(settings, dict) else ""


def lines(name: str, report: SpanReport) -> Iterator[str]:
    """The report as a person reads it."""
    yield (f"Table {name}: " if name else "") + title(report)
    yield f"  {span(report)}"
    yield columns(figures(report), right=(1,))
    yield columns([MONEY_HEAD, *money_rows(report)], right=range(1, 7))
    if draws := draw_rows(report):
        yield columns([DRAWS_HEAD, *draws], right=(0, 1, 2))
    if holds := hold_rows(report):
        yield columns([HOLDS_HEAD, *holds], right=(1, 2))
    for what, heading in PEOPLE:
        if counted := report[what]:  # type: ignore[literal-required]
            yield f"  {heading}: {by_name(counted)}"


def page(name: str, report: SpanReport) -> str:
    """The whole page; ``name`` is the table's."""
    of_table = f"Table {name}: " if name else ""
    return sheet(f"{of_table}{title(report)}", _parts(of_table, report))


def _parts(of_table: str, report: SpanReport) -> Iterator[str]:
    yield f"<h1>{text(of_table)}report on a {'day' if 'day' in report else 'shift'}</h1>"
    yield f'<p class="sub">{text(title(report))}, {text(span(report))}</p>'
    yield facts((name, text(value)) for name, value in figures(report))
    yield "<h2>Money</h2>"
    yield _grid(MONEY_HEAD, money_rows(report), total=True)
    if draws := draw_rows(report):
        yield "<h2>Draws of the games multiplier</h2>"
        yield _grid(DRAWS_HEAD, draws)
    yield "<h2>Holds of play</h2>"
    holds = hold_rows(report)
    yield _grid(HOLDS_HEAD, holds) if holds else "<p>none</p>"
    yield "<h2>By whom</h2>"
    yield facts(
        (heading, text(by_name(report[what])))  # type: ignore[literal-required]
        for what, heading in PEOPLE
    )
    yield f'<p class="quiet">{text(COUNTED)}</p>'
    yield signatures("Supervisor", "Taken over by")


def _grid(head: Sequence[str], rows: Iterable[Sequence[object]], *, total: bool = False) -> str:
    """A table whose columns behind the first are numbers; ``total``: the last row sums it up."""
    right = range(1, len(head))
    made = [[text(cell) for cell in cells] for cells in rows]
    last = len(made) - 1
    return table(
        head,
        (
            row(cells, "total" if total and at == last else "", right)
            for at, cells in enumerate(made)
        ),
        right=right,
    )
