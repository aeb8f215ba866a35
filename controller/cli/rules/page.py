"""``rules show`` as a page: grouped under plain headings, each value in words with its clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.cli.output import columns
from controller.cli.rules.reading import (
    Item,
    afterwards,
    by_whom,
    heading,
    is_object,
    lines,
    sections_of,
    what_happened,
    what_is_done,
    when,
)
from controller.cli.rules.tables import table
from controller.cli.rules.words import (
    HOUSE,
    clause_words,
    name_words,
    odds_words,
    pay_words,
    step_words,
    value_words,
)
from controller.rules.cases import Case
from controller.rules.schema import Rule, RuleSet

CASE_HEAD = ("What happened", "When", "What is done", "Who decides", "Clause", "Players may then")
CASE_WIDTHS = (26, 30, 30, 16, 14, 26)


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
    if is_object(section):
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
        rows.append(
            (
                what_happened(case) if new else "",
                "" if alone and not case.when else when(case),
                what_is_done(case),
                by_whom(case),
                clause_words(case.clause),
                f"{afterwards(case)} {clause_words(case.options_clause)}" if case.options else "",
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
