"""Pages of the rule sets, each value in words with its clause: ``rules show``, grouped under plain
headings; ``rules diff``, what either of two documents says of a section.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass

from controller.files.rule_differences import Difference, Side
from controller.files.rule_lines import (
    Item,
    case_words,
    heading,
    lines,
    sections_of,
)
from controller.files.rule_words import (
    HOUSE,
    clause_words,
    name_words,
    odds_words,
    pay_words,
    step_words,
    value_words,
)
from controller.game.rules.cases import TRIGGERS, Case
from controller.game.rules.schema import Document, Rule, RuleSet
from controller.plain_text import columns

CASE_HEAD = ("What happened", "When", "What is done", "Who decides", "Clause", "Players may then")
CASE_WIDTHS = (26, 30, 30, 16, 14, 26)
DIFF_WIDTHS = (42, 42, 42, 34)
NOTHING = {
    "section": "not played",
    "value": "nothing",
    "pays": "no such line",
    "step": "played",
    "case": "no case of its own",
    "clause": "does not arise",
}
"""What a side says that has nothing there, by the kind of the difference."""
GAP = "  "
INDENT = "  "
ROOM = 160
"""Columns of a page that no terminal shows."""


def page(rules: RuleSet, keys: bool = False) -> Iterator[str]:
    """The lines of the page; with ``keys`` the names of the rule file behind each."""
    document = rules.document
    yield f"{document.title}, {document.version}"
    yield f"Rule set {document.id}. Brackets hold the clause of the document; where it"
    yield f"is silent, the {HOUSE} that is played."
    missing = []
    for name, section in sections_of(rules).items():
        if not section:
            missing += [name] if section is None else []
            continue
        yield ""
        yield heading(name) + (f"  ({name})" if keys else "")
        yield from _section(name, section, keys)
    if missing:
        yield ""
        yield "Not part of these rules"
        yield from (f"  {heading(name)}" + (f"  ({name})" if keys else "") for name in missing)


def _section(name: str, section: object, keys: bool) -> Iterator[str]:
    if is_dataclass(section):
        for line in lines(section):
            said = value_words(f"{name}.{line.key}", line.rule.value)
            behind = f"  ({name}.{line.key} = {_plain(line.rule.value)})" if keys else ""
            yield f"  {line.what}: {said} {clause_words(line.rule.clause)}{behind}"
    elif isinstance(section, Mapping):
        yield columns(_entries(name, section, keys))
    elif isinstance(section, tuple):
        yield from _cases(section, keys)


def _entries(
    section_name: str, section: Mapping[str, Item], keys: bool
) -> Iterator[tuple[str, ...]]:
    for name, entry in section.items():
        behind = (f"({name})",) if keys else ()
        if isinstance(entry, Rule):
            yield pay_words(name), odds_words(entry.value), clause_words(entry.clause), *behind
        else:
            said = step_words(name) if section_name == "not_played" else name_words(name)
            yield said, clause_words(entry), *behind


def _cases(cases: tuple[Case, ...], keys: bool) -> Iterator[str]:
    """The table of irregularities. The trigger is written once for the cases that follow it."""
    rows: list[tuple[str, ...]] = []
    before = ""
    for case in cases:
        new = case.trigger != before
        before = case.trigger
        alone = sum(other.trigger == case.trigger for other in cases) == 1
        words = case_words(case)
        rows.append(
            (
                words.happened if new else "",
                "" if alone and not case.when else words.when,
                words.done,
                words.by,
                clause_words(case.clause),
                f"{words.choices} {clause_words(case.options_clause)}" if case.options else "",
                *((f"({' '.join((case.trigger, *case.when))})",) if keys else ()),
            )
        )
    yield "  The first line that fits applies."
    head = (*CASE_HEAD, "Name") if keys else CASE_HEAD
    yield from table(head, rows, (*CASE_WIDTHS, 30))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(_plain(item) for item in value)}]"
    return str(value)


def diff_page(
    documents: Sequence[tuple[str, Document]],
    found: Sequence[Difference],
    keys: bool = False,
    clauses: bool = False,
) -> Iterator[str]:
    """The lines of the page, of documents with their names; ``clauses``: also where those alone
    differ."""
    for letter, (name, document) in zip("AB", documents, strict=True):
        yield f"{letter}: {document.title}, {document.version} ({name})"
    shown = [one for one in found if clauses or one.kind != "clause"]
    alone = [one for one in shown if one.kind == "section"]
    if alone:
        yield from _group("Played by only one of the two", alone, keys)
    for name in dict.fromkeys(one.section for one in shown if one.kind != "section"):
        rows = [one for one in shown if one.section == name and one.kind != "section"]
        yield from _group(heading(name), rows, keys)
        if any(one.kind == "case" and None in (one.a, one.b) for one in rows):
            yield f"  Without a case of its own: as for {TRIGGERS['other']}."
    hidden = len(found) - len(shown)
    if not shown:
        yield ""
        yield "Both are played alike."
    if hidden:
        yield ""
        yield f"In {hidden} places only the clause is another: --clauses"


def _group(title: str, rows: Sequence[Difference], keys: bool) -> Iterator[str]:
    yield ""
    yield title
    head = ("What", "A", "B", "Name") if keys else ("What", "A", "B")
    yield from table(
        head,
        [
            (one.what, _cell(one, one.a), _cell(one, one.b), *((_name(one),) if keys else ()))
            for one in rows
        ],
        DIFF_WIDTHS,
    )


def _cell(one: Difference, side: Side | None) -> str:
    if side is None:
        return NOTHING[one.kind]
    if one.section == "irregularities":  # says its clauses itself, each with its case
        return side.said
    return f"{side.said} {clause_words(side.clause)}".strip()


def _name(one: Difference) -> str:
    return f"{one.section}.{one.key}" if one.key else one.section


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int]
) -> Iterator[str]:
    """The lines of a table. A column is as wide as its widest line and at most its ``widths``, less
    where the terminal is narrower; a cell's own line breaks stay."""
    every = [[cell.split("\n") for cell in row] for row in (head, *rows)]
    actual = [
        min(most, max(len(line) for row in every for line in row[column]))
        for column, most in enumerate(widths[: len(head)])
    ]
    room = shutil.get_terminal_size((ROOM, 0)).columns - len(INDENT) - len(GAP) * (len(head) - 1)
    if 0 < room < sum(actual):
        actual = [max(8, width * room // sum(actual)) for width in actual]
    yield from _lines(every[0], actual)
    yield INDENT + GAP.join("-" * width for width in actual)
    for row in every[1:]:
        yield from _lines(row, actual)


def _lines(row: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    cells = [
        [part for line in cell for part in textwrap.wrap(line, width) or [""]]
        for cell, width in zip(row, widths, strict=True)
    ]
    for number in range(max(map(len, cells))):
        parts = [
            (cell[number] if number < len(cell) else "").ljust(width)
            for cell, width in zip(cells, widths, strict=True)
        ]
        yield (INDENT + GAP.join(parts)).rstrip()
