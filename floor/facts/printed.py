"""The floor's report for people, and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from controller.counters.report import MoneyReport
from floor.facts.csv_text import csv_text
from floor.facts.report import FloorReport, MultiplierReport, TableReport

_NONE: Final = "-"
_PEOPLE: Final = ("voids", "voids_after_draw", "corrections", "second_person")
_OF: Final = ("table", "journal")
_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "money": (*_OF, "currency", "document", "rules", "kind", *MoneyReport.__annotations__),
    "draws": (*_OF, *MultiplierReport.__annotations__),
    "people": (*_OF, "what", "by", "count"),
    "tables": [
        name
        for name in TableReport.__annotations__
        if name not in ("documents", "draws", "holds", *_PEOPLE)
    ],
}
PARTS: Final = (*_COLUMNS,)
"""What may be had as CSV, each a table of its own."""


def as_csv(report: FloorReport, part: str) -> str:
    """That part of the report, with a first line of names."""
    rows = {"money": _money, "draws": _draws, "people": _people, "tables": _tables}[part]
    return csv_text(_COLUMNS[part], rows(report))


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


# ---- for people ---------------------------------------------------------------------------------


def as_text(span: str, report: FloorReport) -> str:
    """The report on that span, on a terminal."""
    lines = [f"{span}: {len(report['tables'])} tables"]
    for table in report["tables"]:
        lines += ["", *_of_table(table)]
    if report["floor"] and len(report["tables"]) > 1:
        lines += ["", "all tables", *map(_draw, report["floor"])]
    return "".join(f"{line}\n" for line in lines)


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
                f"    main wagers: expected {expected['win']} of {expected['staked']}, 95 % from"
                f" {expected['low']} to {expected['high']}: {mark}"
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
