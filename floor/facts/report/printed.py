"""The floor's report for people, and as CSV: RFC 4180, but that lines end as those of other text
do, with a newline alone."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from controller.counters.report import MoneyReport
from floor.facts.report.bounds import BAND
from floor.facts.report.floor_report import ExpectedReport, FloorReport, NotableReport, TableReport
from floor.facts.report.multipliers import MultiplierReport

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would work out, instead of showing it, where a text begins with it."""

_SUM: Final = re.compile(r"-?\d+(\.\d+)?")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """The rows below a line of the columns' names, which stands there without any row, too; what is
    None is empty."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[name]) for name in columns] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """The value as a cell that a spreadsheet shows: of a name, not what would come of it. Sums are
    text, and stay numbers."""
    formula = isinstance(value, str) and value.startswith(FORMULAS) and not _SUM.fullmatch(value)
    return f"'{value}" if formula else value


_NONE: Final = "-"
_PEOPLE: Final = ("voids", "voids_after_draw", "corrections", "second_person")
_OF: Final = ("table", "journal")


def as_csv(report: FloorReport, part: str) -> str:
    """That part of the report, with a first line of names."""
    columns, rows = _PARTS[part]
    return csv_text(columns, rows(report))


def _money(report: FloorReport) -> Iterator[Mapping[str, object]]:
    for table in report["tables"]:
        for of in table["documents"]:
            for kind, money in of["money"].items():
                yield {**table, **of, "kind": kind, **money}


def _draws(report: FloorReport) -> Iterator[Mapping[str, object]]:
    for table in report["tables"]:
        for one in table["draws"]:
            yield {**table, **one}
    for one in report["floor"]:
        yield {"table": "", "journal": None, **one}


def _people(report: FloorReport) -> Iterator[Mapping[str, object]]:
    for table in report["tables"]:
        for what in _PEOPLE:
            named: Mapping[str, int] = table[what]
            for by, count in named.items():
                yield {**table, "what": what, "by": by, "count": count}


def _tables(report: FloorReport) -> Sequence[Mapping[str, object]]:
    return report["tables"]


def _expected(report: FloorReport) -> Iterator[Mapping[str, object]]:
    for table in report["tables"]:
        for of in table["documents"]:
            if of["expected"] is not None:
                yield {**table, **of, **of["expected"]}


def _notable(report: FloorReport) -> Sequence[Mapping[str, object]]:
    return report["notable"]


_PARTS: Final[
    Mapping[str, tuple[Sequence[str], Callable[[FloorReport], Iterable[Mapping[str, object]]]]]
] = {
    "money": (
        (*_OF, "currency", "document", "rules", "kind", *MoneyReport.__annotations__),
        _money,
    ),
    "draws": ((*_OF, *MultiplierReport.__annotations__), _draws),
    "people": ((*_OF, "what", "by", "count"), _people),
    "tables": (
        [
            name
            for name in TableReport.__annotations__
            if name not in ("documents", "draws", "holds", *_PEOPLE)
        ],
        _tables,
    ),
    "expected": ((*_OF, "document", "rules", *ExpectedReport.__annotations__), _expected),
    "notable": ([*NotableReport.__annotations__], _notable),
}
PARTS: Final = (*_PARTS,)
"""What may be had as CSV, each a table of its own."""


# ---- for people ---------------------------------------------------------------------------------


def as_text(span: str, report: FloorReport) -> str:
    """The report on that span, on a terminal."""
    lines = [f"{span}: {len(report['tables'])} tables", *_of_notable(report)]
    for table in report["tables"]:
        lines += ["", *_of_table(table)]
    if report["floor"] and len(report["tables"]) > 1:
        lines += ["", "all tables", *map(_draw, report["floor"])]
    return "".join(f"{line}\n" for line in lines)


def _of_notable(report: FloorReport) -> Iterator[str]:
    """What is to be looked at first, and of how many that is."""
    bands = [of["expected"] is not None for table in report["tables"] for of in table["documents"]]
    multipliers = sum(len(one["draws"]) for one in report["tables"]) + len(report["floor"])
    found = [one for one in report["notable"] if one["found"]]
    outside = [one for one in report["notable"] if not one["found"]]
    if multipliers:
        yield f"multipliers too far off for chance: {len(found)} of {multipliers}"
    yield from map(_notable_line, found)
    if any(bands):
        yield (
            f"main wagers outside their band of 95 %: {len(outside)} of {sum(bands)}, by chance"
            f" {(1 - BAND) * sum(bands):.1f}"
        )
    yield from map(_notable_line, outside)
    if not all(bands):
        yield f"what to expect is not known here of {len(bands) - sum(bands)} of {len(bands)}"


def _notable_line(one: NotableReport) -> str:
    journal = f" (journal {one['journal']})" if one["journal"] is not None else ""
    return (
        f"  {one['table'] or 'all tables'}{journal}  {one['what']}: {one['was']}, expected"
        f" {one['expected']}, 95 % from {one['low']} to {one['high']}"
    )


def _of_table(table: TableReport) -> Iterator[str]:
    per_hour = _NONE if table["rounds_per_hour"] is None else f"{table['rounds_per_hour']:.1f}"
    yield (
        f"{_named(table)}  {table['rounds']} rounds, {table['void']} void, {per_hour} an hour;"
        f" wagered {table['wagered']}, won {table['won']} {table['currency']},"
        f" hold {_percent(table['hold'])}"
    )
    for of in table["documents"]:
        yield (
            f"  {of['document']}: wagered {of['wagered']}, won {of['won']}, hold"
            f" {_percent(of['hold'])}"
        )
        expected = of["expected"]
        if of["not_compared"] is not None:
            yield f"    what to expect is not compared: {of['not_compared']}"
        elif expected is None:
            yield f"    what to expect is not known: no file for rules {of['rules'][:12] or _NONE}"
        else:
            mark = "OUTSIDE" if expected["outside"] else "within"
            yield (
                f"    main wagers: won {expected['won']} of {expected['staked']}, expected"
                f" {expected['win']}, 95 % from {expected['low']} to {expected['high']}: {mark}"
            )
            yield f"      as of {expected['assumed']}; no journal tells these"
    yield from map(_draw, table["draws"])
    for what in _PEOPLE:
        named: Mapping[str, int] = table[what]
        if named:
            told = ", ".join(f"{by} {count}" for by, count in named.items())
            yield f"  {what.replace('_', ' ')}: {told}"
    for hold in table["holds"]:
        yield f"  held for {hold['fault']}: {hold['count']} times, {hold['seconds']} s"


def _named(table: TableReport) -> str:
    if table["journal"] is None:
        return table["table"]
    return f"{table['table']} (journal {table['journal']}, from {table['first_day']})"


def _draw(one: MultiplierReport) -> str:
    mark = "  TOO FAR OFF FOR CHANCE" if one["found"] else ""
    return (
        f"  {one['multiplier']}x: {one['drawn']} of {one['draws']}, expected {one['expected']},"
        f" 95 % from {one['low']} to {one['high']}{mark}"
    )


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{share:.2f} %"
