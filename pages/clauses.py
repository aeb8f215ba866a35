"""The clauses of each document with what carries each, and an index of them, ``docs/clauses``.

``config/clauses`` lists every clause of a document in our own words (:mod:`.sources`); rule files
say which of them they follow (:mod:`controller.files.readings`), tests which of them they show.
:mod:`.clause_accounts` brings the three together and finds the gaps.

A clause or default that nothing accounts for, and a citation of something that is not there, are
faults. A document whose rule file is not there yet has no page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from controller.files.readings import citations
from pages.clause_accounts import (
    Account,
    AccountedDefault,
    Evidence,
    account_of_defaults,
)
from pages.generated import as_table, finder, prose, text_of
from pages.sources import (
    Listed,
    document_files,
    lacking,
    of_constants,
    read_clauses,
    read_source,
    shown_by_rounds,
)

ROUNDS_NAMED = 3
"""Titles of rounds that are listed; of the others only the number is given."""


def document_page(one: Account, title: str, version: str) -> str:
    """The page of a document."""
    lines = [prose("clauses/page.md").format(id=one.id, title=title, version=version)]
    heads = ("clause", "in short", "carried by", "shown by")
    chapters = [
        (f"{chapter}. {one.sections.get(chapter, '')}".removeprefix(". "), list(numbers))
        for chapter, numbers in groupby(one.entries, chapter_of)
    ]
    lines += finder("clauses", (_chapter_row(*chapter) for chapter in chapters))
    for heading, numbers in chapters:
        lines += ["", f"## {heading}", ""]
        lines += as_table(heads, (_row(one, number) for number in numbers))
    return text_of(lines)


def _chapter_row(heading: str, numbers: Sequence[str]) -> tuple[str, list[tuple[str, str]]]:
    anchor = heading.lower().replace(".", "").replace(" ", "-")
    return " to ".join(dict.fromkeys((numbers[0], numbers[-1]))), [(heading, anchor)]


def index_page(
    accounts: Iterable[tuple[Account, str]], defaults: Iterable[AccountedDefault]
) -> str:
    """The index: the documents with their numbers, and the defaults."""
    counts = []
    for one, title in accounts:
        reasons = sum(bool(entry.clause.reason) for entry in one.entries.values())
        carried = len(one.entries) - reasons - len(one.gaps)
        numbers = (len(one.entries), carried, reasons, len(one.gaps))
        counts.append((f"[{title}]({one.id}.md)", *map(str, numbers)))
    heads = ("document", "clauses", "carried", "not the controller's concern", "gaps")
    silent = ("default", "in short", "documents", "cited by", "shown by")
    return text_of(
        [
            *(prose("clauses/index.md"), *as_table(heads, counts)),
            *("", "## Where documents are silent or unclear", ""),
            *("What holds then, unless a rule file says otherwise.", ""),
            *as_table(silent, map(_default_row, defaults)),
        ]
    )


def chapter_of(number: str) -> str:
    """The chapter's number that a clause's begins with; empty for one without a number."""
    digits = number.partition(".")[0].partition(" ")[0]
    return digits if digits.isdecimal() else ""


def _row(account: Account, number: str) -> tuple[str, ...]:
    entry, gap = account.entries[number], account.gap(number)
    clause, carried = entry.clause, [*entry.carriers]
    if clause.reason:
        carried.append(f"not the controller's concern: {clause.reason}")
    if entry.through:
        carried.append(f"{'through' if clause.heading else 'with'} {', '.join(entry.through)}")
    if gap:
        carried.append(f"**Gap**: {gap}")
    shown = [*_titles(entry.rounds), *(f"`{node}`" for node in clause.tests)]
    return number, clause.text, "<br>".join(carried), "<br>".join(shown)


def _default_row(entry: AccountedDefault) -> tuple[str, ...]:
    default = entry.default
    cited = [f"{document}: {', '.join(who)}" for document, who in entry.cited.items()]
    if default.reason:
        cited.append(f"nothing: {default.reason}")
    if entry.gap:
        cited.append(f"**Gap**: {entry.gap}")
    documents, titles = ", ".join(default.documents), "<br>".join(_titles(entry.rounds))
    return default.id, default.text, documents, "<br>".join(cited), titles


def _titles(rounds: Sequence[str]) -> Iterator[str]:
    yield from (f"“{title}”" for title in rounds[:ROUNDS_NAMED])
    if len(rounds) > ROUNDS_NAMED:
        yield f"and {len(rounds) - ROUNDS_NAMED} more rounds"


class ClausePages(NamedTuple):
    """The pages by their paths below ``docs``, and a line for each gap and fault."""

    pages: dict[str, str]
    complaints: list[str]


def make_pages(root: Path) -> ClausePages:
    """The pages of the project in the directory ``root``.

    Raises:
        SourceError: a file of clauses cannot be used.
    """
    lists = root / "config/clauses"
    sources = {name: read_clauses(path) for name, path in document_files(lists).items()}
    rule_files = {path.stem: path for path in sorted((root / "config/rules").glob("*.toml"))}
    constants = read_source(Listed, lists / "constants.toml").constants
    listed = read_source(Listed, lists / "defaults.toml").defaults
    cited = {
        name: (*citations(path), *of_constants(constants, name))
        for name, path in rule_files.items()
    }
    evidence = Evidence(root, cited, shown_by_rounds(root / "tests/rounds"))
    defaults, complaints = account_of_defaults(listed, evidence)
    about = [(default.id, name) for default in listed for name in default.documents]
    about += [(constant.name, name) for constant in constants for name in constant.clauses]
    complaints += [
        f"{one} is about {name}, of which config/clauses has no list"
        for one, name in about
        if name not in sources
    ]
    complaints += [
        f"{one.name}: {missing}" for one in constants for missing in lacking(root, one.carried_by)
    ]
    accounts: list[tuple[Account, str]] = []
    pages: dict[str, str] = {}
    for name, path in rule_files.items():
        if name not in sources:
            complaints.append(f"{name}: config/clauses has no list of its clauses")
            continue
        document = tomllib.loads(path.read_text(encoding="utf-8"))["document"]
        one = Account(name, sources[name], evidence)
        accounts.append((one, document["title"]))
        pages[f"clauses/{name}.md"] = document_page(one, document["title"], document["version"])
        gaps = [f"{name}: {number} {gap}" for number, gap in one.gaps.items()]
        complaints += [*one.faults, *gaps]
    pages["clauses/README.md"] = index_page(accounts, defaults)
    return ClausePages(pages, complaints)
