"""What differs between two rule sets, and where each document says so.

A difference has a ``kind``: ``section`` (only one of them plays it), ``value``, ``pays`` (a line of
the pay table), ``step`` (only one of them knows it), ``case`` (an irregularity), or ``clause``: the
same is played and another clause says so. Where a side has nothing at that place it is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, is_dataclass

from controller.files.rule_lines import (
    Item,
    case_words,
    heading,
    lines,
    sections_of,
)
from controller.files.rule_words import (
    clause_words,
    is_default,
    name_words,
    odds_words,
    pay_words,
    step_words,
    value_words,
)
from controller.game.rules.cases import Case
from controller.game.rules.schema import Rule, RuleSet


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the two says: the value as data, its clause, and both in words."""

    value: object
    clause: str
    said: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the two differ; ``what`` is it in words, ``key`` its name in the section."""

    kind: str
    section: str
    key: str
    what: str
    a: Side | None
    b: Side | None

    def as_json(self) -> dict[str, object]:
        """As ``rules diff --json`` lists it."""
        fields = asdict(self)
        for side in ("a", "b"):
            if fields[side] is not None:
                del fields[side]["said"]
        return fields


def differences(a: RuleSet, b: RuleSet) -> list[Difference]:
    """Everything that differs, in the order of the schema; clauses alone too."""
    found: list[Difference] = []
    mine, others = sections_of(a), sections_of(b)
    for name in dict.fromkeys((*mine, *others)):
        ours, theirs = mine.get(name), others.get(name)
        if ours is None or theirs is None:
            if ours is not theirs and not isinstance(ours or theirs, Mapping):
                found.append(
                    Difference("section", name, "", heading(name), _played(ours), _played(theirs))
                )
        elif is_dataclass(ours):
            found += _values(name, ours, theirs)
        elif isinstance(ours, Mapping):
            found += _entries(name, ours, theirs)
        else:
            found += _cases(name, ours, theirs)
    return found


def _played(section: object) -> Side | None:
    """A section as one side's own: its clauses, each once, the document's own first."""
    if section is None:
        return None
    clauses = [part for line in lines(section) for part in line.rule.clause.split("; ")]
    clause = "; ".join(sorted(dict.fromkeys(clauses), key=is_default))
    return Side({line.key: line.rule.value for line in lines(section)}, clause, "played")


def _values(name: str, ours: object, theirs: object) -> Iterator[Difference]:
    other = {line.key: line for line in lines(theirs)}
    for line in lines(ours):
        sides = [
            Side(rule.value, rule.clause, value_words(f"{name}.{line.key}", rule.value))
            for rule in (line.rule, other[line.key].rule)
        ]
        yield from _compared_sides("value", name, line.key, line.what, sides[0], sides[1])


def _entries(
    name: str, ours: Mapping[str, Item], theirs: Mapping[str, Item]
) -> Iterator[Difference]:
    """Pay lines; steps; and the places where a document says something (clauses alone)."""
    for key in dict.fromkeys((*ours, *theirs)):
        if any(isinstance(given.get(key), Rule) for given in (ours, theirs)):
            a, b = (_side(given.get(key)) for given in (ours, theirs))
            yield from _compared_sides("pays", name, key, pay_words(key), a, b)
        elif name == "not_played":
            a, b = (_side(given.get(key), False, "not played") for given in (ours, theirs))
            yield from _compared_sides("step", name, key, step_words(key), a, b)
        elif ours.get(key) != theirs.get(key):
            a, b = (_side(given.get(key)) for given in (ours, theirs))
            yield Difference("clause", name, key, name_words(key), a, b)


def _cases(name: str, ours: tuple[Case, ...], theirs: tuple[Case, ...]) -> Iterator[Difference]:
    """A trigger at a time: which of its cases applies depends on those before it."""
    for trigger in dict.fromkeys(case.trigger for case in (*ours, *theirs)):
        mine, others = (
            [case for case in given if case.trigger == trigger] for given in (ours, theirs)
        )
        what = case_words((mine or others)[0]).happened
        yield from _compared_sides("case", name, trigger, what, _together(mine), _together(others))


def _compared_sides(
    kind: str, section: str, key: str, what: str, a: Side | None, b: Side | None
) -> Iterator[Difference]:
    if a is None or b is None or a.value != b.value:
        yield Difference(kind, section, key, what, a, b)
    elif a.clause != b.clause:
        yield Difference("clause", section, key, what, a, b)


def _side(entry: Item | None, value: object = None, said: str = "") -> Side | None:
    """Of a rule, or of a clause alone, which says that ``value``."""
    if isinstance(entry, Rule):
        return Side(entry.value, entry.clause, odds_words(entry.value))
    return None if entry is None else Side(value, entry, said)


def _together(cases: list[Case]) -> Side | None:
    if not cases:
        return None
    value = [
        {"when": case.when, "remedies": case.remedies, "by": case.by, "options": case.options}
        for case in cases
    ]
    clauses = "; ".join(
        f"{case.clause}, options {case.options_clause}" if case.options else case.clause
        for case in cases
    )
    return Side(value, clauses, "\n".join(_case(case, alone=len(cases) == 1) for case in cases))


def _case(case: Case, *, alone: bool) -> str:
    words = case_words(case)
    condition = "" if alone and not case.when else f"{words.when}: "
    by = words.by.rpartition(": ")[2]
    said = f"{condition}{words.done} ({by}) {clause_words(case.clause)}"
    if case.options:
        said += f"; players may {words.choices} {clause_words(case.options_clause)}"
    return said
