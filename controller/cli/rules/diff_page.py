"""``rules diff`` for people: per section, what it is, and what either document says about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.cli.rules.differences import Difference, Side
from controller.cli.rules.reading import heading
from controller.cli.rules.tables import table
from controller.cli.rules.words import clause_words
from controller.rules.schema import Document
from controller.rules.triggers import TRIGGERS

WIDTHS = (42, 42, 42, 34)
NOTHING = {
    "section": "not played",
    "value": "nothing",
    "pays": "no such line",
    "step": "played",
    "case": "no case of its own",
    "clause": "does not arise",
}
"""What a side says that has nothing there, by the kind of the difference."""


def diff_page(
    documents: Sequence[tuple[str, Document]],
    found: Sequence[Difference],
    keys: bool = False,
    clauses: bool = False,
) -> Iterator[str]:
    """The lines of the page. ``documents`` are the two by how they were named; with ``clauses`` the
    differences of clauses alone are listed too."""
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
        WIDTHS,
    )


def _cell(one: Difference, side: Side | None) -> str:
    if side is None:
        return NOTHING[one.kind]
    if one.section == "irregularities":  # says its clauses itself, each with its case
        return side.said
    return f"{side.said} {clause_words(side.clause)}".strip()


def _name(one: Difference) -> str:
    return f"{one.section}.{one.key}" if one.key else one.section
