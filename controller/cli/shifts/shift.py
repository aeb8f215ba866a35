"""``shift report``: what happened in a shift, or on a gaming day, and what the house kept.

The rules:

- The journal's files are read, closed ones included; where this person may not, the controller is
  asked, which tells supervisors the same.
- Status 2: there was no such shift or day; 3: its journal was taken away, and ``--archive`` names
  no directory that has it.
- A page is written beside what is printed, and never over another file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from controller.cli.connection import connect
from controller.cli.exits import DONE, WRONG_USE, NotDone
from controller.cli.group import Group, add_path
from controller.cli.journal.opened import archives, opened
from controller.cli.output import tell
from controller.cli.shifts import words
from controller.cli.table.counters import MONEY_HEAD
from controller.counters.spans.report import SpanFields, SpanReport
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked
from controller.journal.errors import NoJournal
from controller.plain_text import columns
from controller.sheets.sheet import facts, row, sheet, signatures, table, text
from controller.table.showing.status_fields import status_of

if TYPE_CHECKING:
    from controller.journal.reader import JournalReader

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
    which.add_argument("--shift", metavar="N", help="that shift; left out: the present one")
    which.add_argument("--day", metavar="YYYY-MM-DD", help="the gaming day that began on that date")
    add_path(report, "--html", "FILE", "write a page to be signed, too")
    add_path(report, "--archive", "DIR", "where closed journals are")


def _report(options: argparse.Namespace) -> int:
    if options.html is not None:
        check_new(options.html)
    name, report = _told(options, _which(options))
    if options.html is not None:
        write_new(options.html, page(name, report))
    page_told = [] if options.html is None else [f"the page to be signed: {options.html}"]
    tell(options, report, chain(lines(name, report), page_told))
    return DONE


def _which(options: argparse.Namespace) -> str:
    """What is asked for, in the words of the request."""
    if options.shift is not None and not (options.shift.isascii() and options.shift.isdecimal()):
        raise NotDone(WRONG_USE, f"--shift {options.shift}: expected a number, as 12")
    if options.day is not None and "-" not in options.day:
        raise NotDone(WRONG_USE, f"--day {options.day}: expected a date, as 2026-11-26")
    return options.shift or options.day or PRESENT


def _told(options: argparse.Namespace, which: str) -> tuple[str, SpanReport]:
    """The table's name and the report, from the journal's files; from the controller, where they
    may not be read."""
    try:
        with opened(options) as reader:
            return _name(reader), _found(options, reader, which)
    except NotDone as failed:
        named = options.state is not None or options.archive is not None
        if named or not isinstance(failed.__cause__, NoJournal):
            raise
    with connect(options, ANSWER_S) as client:
        name = status_of(client.status()).get("table", "")
        told = client.shift(which)
    checked(SpanFields, told, "report")
    return name, cast("SpanReport", told)


def _found(options: argparse.Namespace, reader: JournalReader, which: str) -> SpanReport:
    from controller.journal.line import ARCHIVE
    from controller.replay.shifts.finding import find_report, wanted_by

    def places() -> list[Path]:
        here = reader.directory / ARCHIVE
        return [*([here] if here.is_dir() else []), *archives(options)]

    return find_report(reader, places, wanted_by(which))


def _name(reader: JournalReader) -> str:
    """The table's name by its last start; empty where nobody has started on this journal yet."""
    start = reader.last_of_type("start")
    settings = start.body.get("settings") if start else None
    return str(settings.get("table", "")) if isinstance(settings, dict) else ""


def lines(name: str, report: SpanReport) -> Iterator[str]:
    """The report as a person reads it."""
    yield (f"Table {name}: " if name else "") + words.title(report)
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


def page(name: str, report: SpanReport) -> str:
    """The whole page; ``name`` is the table's."""
    of_table = f"Table {name}: " if name else ""
    return sheet(f"{of_table}{words.title(report)}", _parts(of_table, report))


def _parts(of_table: str, report: SpanReport) -> Iterator[str]:
    yield f"<h1>{text(of_table)}report on a {'day' if 'day' in report else 'shift'}</h1>"
    yield f'<p class="sub">{text(words.title(report))}, {text(words.span(report))}</p>'
    yield facts((name, text(value)) for name, value in words.figures(report))
    yield "<h2>Money</h2>"
    yield _grid(MONEY_HEAD, words.money_rows(report), total=True)
    if draws := words.draw_rows(report):
        yield "<h2>Draws of the games multiplier</h2>"
        yield _grid(words.DRAWS_HEAD, draws)
    yield "<h2>Holds of play</h2>"
    holds = words.hold_rows(report)
    yield _grid(words.HOLDS_HEAD, holds) if holds else "<p>none</p>"
    yield "<h2>By whom</h2>"
    yield facts(
        (heading, text(words.by_name(report[what])))  # type: ignore[literal-required]
        for what, heading in words.PEOPLE
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
