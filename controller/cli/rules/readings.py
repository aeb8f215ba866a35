"""The readings of a rule document as lines, and as a page that a house signs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from controller.configuration.model import Approved
from controller.files.readings import ReadingSheet
from controller.game.rules.schema import Document
from controller.sheets.sheet import facts, mono, row, sheet, signatures, table, text

WIDTH = 100
HEAD = ("Clause", "Reading taken", "Other readings", "What it does to money", "Approved by, on")
WIDTHS = (8, 30, 22, 24, 16)
ABOUT = (
    "Where the document is silent, or a mistake is put right, the machine decides as stated here. "
    "With it are the values that the rule file has for it: where they say otherwise, they count."
)
TO_SIGN = "by:<br><br>on:"


def lines(document: Document, found: ReadingSheet, approved: Approved) -> Iterator[str]:
    """The lines for a terminal."""
    yield from (f"{name}: {said}" for name, said in _facts(document, found, approved))
    yield from textwrap.wrap(ABOUT, WIDTH)
    for one in found.entries:
        yield ""
        yield from _wrapped(one.clause, one.reading)
        for value in one.values:
            yield from _wrapped("  played", value)
        yield from _wrapped("  otherwise", one.others)
        yield from _wrapped("  money", one.money)


def _wrapped(name: str, said: str) -> list[str]:
    return textwrap.wrap(said, WIDTH, initial_indent=f"{name:<12}", subsequent_indent=" " * 12)


def page(document: Document, found: ReadingSheet, approved: Approved) -> str:
    """The page as HTML; lines to sign on where nobody has approved."""
    signed = "<br>".join(text(one) for one in (approved.readings_by, approved.readings_on) if one)
    title = f"Readings of {document.title}, {document.version}"
    rows = (
        row(
            (
                text(one.clause),
                "<br>".join((text(one.reading), *(mono(value) for value in one.values))),
                text(one.others),
                text(one.money),
                signed or TO_SIGN,
            )
        )
        for one in found.entries
    )
    parts = [
        f"<h1>{text(title)}</h1>",
        f"<p>{ABOUT}</p>",
        facts((name, text(said)) for name, said in _facts(document, found, approved)),
        table(HEAD, rows, "fixed", widths=WIDTHS),
        signatures("For the house", "Witness"),
    ]
    return sheet(title, parts)


def _facts(
    document: Document, found: ReadingSheet, approved: Approved
) -> Iterator[tuple[str, str]]:
    yield "Document", f"{document.title}, {document.version} ({document.id})"
    if found.like != document.id:
        yield "Read as", f"{found.like}, the published document that differs least from it"
    yield "Digest of the readings", found.digest
    if approved.readings:
        by, on = approved.readings_by or "nobody named", approved.readings_on or "no day"
        yield "Approved", f"by {by}, on {on}"
    else:
        yield "Approved", "not yet; then as [approved] readings in the configuration"
