"""The account of a document: its clauses with the rule keys, modules and tests that carry and show
them.

A clause is accounted for when it has a carrier and a test, or a reason; when clauses that it goes
``with`` are; or, for a heading, when its sub-clauses are. Everything else is a gap. A reason that a
citation contradicts is a fault too: a citation shows that the clause does concern the controller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.files.readings import Citation, is_matrix
from controller.files.rule_words import is_default
from pages.clauses.shown_clauses import WorkedRound, is_module, is_test
from pages.clauses.sources import Clause, Clauses, Default


@dataclass(frozen=True, slots=True)
class AccountedClause:
    """A clause with its ``carriers``, the ``rounds`` and ``tests`` that show it, and the clauses
    ``through`` which it is carried; ``gap`` says what is missing."""

    clause: Clause
    carriers: tuple[str, ...]
    rounds: tuple[str, ...]
    tests: tuple[str, ...]
    through: tuple[str, ...] = ()
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """A document's clauses with all that is known of them."""

    id: str
    sections: Mapping[str, str]
    entries: Mapping[str, AccountedClause]
    faults: tuple[str, ...]

    @property
    def gaps(self) -> tuple[str, ...]:
        """A line for each clause that nothing accounts for."""
        return tuple(
            f"{self.id}: {number} {entry.gap}"
            for number, entry in self.entries.items()
            if entry.gap
        )


@dataclass(frozen=True, slots=True)
class AccountedDefault:
    """A default of the matrix; ``cited``: by document, what cites it; ``rounds`` that show it."""

    default: Default
    cited: Mapping[str, tuple[str, ...]]
    rounds: tuple[str, ...]
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What rule files and tests say: citations by document, rounds, and where tests are looked
    for (``root``)."""

    root: Path
    citations: Mapping[str, tuple[Citation, ...]]
    rounds: tuple[WorkedRound, ...] = field(default=())

    def rounds_of(self, document: str | None, clause: str) -> tuple[str, ...]:
        """Titles of the rounds (of a document) that show a clause or default."""
        return tuple(
            one.title
            for one in self.rounds
            if document in (None, one.rules) and clause in one.clauses
        )


def account(document: str, clauses: Clauses, evidence: Evidence) -> Account:
    """The account of a document that has a rule file."""
    faults = list(_unknown(document, clauses, evidence))
    entries: dict[str, AccountedClause] = {}
    for number, clause in clauses.clauses.items():
        faults += _not_there(document, clause, evidence.root)
        cited = tuple(one.carrier for one in evidence.citations[document] if number in one.clauses)
        if clause.reason and cited:
            faults.append(
                f"{document}: {number} is said to be no concern of the controller, but "
                f"{cited[0]} cites it: delete the reason"
            )
        through = clauses.parts(number) if clause.heading else clause.with_
        if not cited and not through:
            cited = _of_the_whole(clauses, number, evidence.citations[document])
        entries[number] = AccountedClause(
            clause,
            (*cited, *(f"`{module}`" for module in clause.carried_by)),
            evidence.rounds_of(document, number),
            clause.tests,
            through,
        )
    judged = {
        number: replace(entry, gap=_gap(number, entries, ())) for number, entry in entries.items()
    }
    return Account(document, clauses.sections, judged, tuple(faults))


def account_of_defaults(
    defaults: Iterable[Default], evidence: Evidence
) -> tuple[tuple[AccountedDefault, ...], tuple[str, ...]]:
    """The defaults, and faults: one cited that is not listed, or listed and cited nowhere. A
    default about documents without a rule file is not due yet."""
    listed = {default.id: default for default in defaults}
    faults = [
        f"{document}: {one.carrier} cites {clause}, which the list of defaults has not"
        for document, cited in evidence.citations.items()
        for one in cited
        for clause in one.clauses
        if is_default(clause) and clause not in listed
    ]
    entries = []
    for default in listed.values():
        cited = {
            document: carriers
            for document, citations in evidence.citations.items()
            if (carriers := tuple(one.carrier for one in citations if default.id in one.clauses))
        }
        due = any(document in evidence.citations for document in default.documents)
        gap = "" if cited or default.reason or not due else "is cited by no rule file"
        if cited and default.reason:
            faults.append(f"{default.id} has a reason to be cited nowhere, and is: delete it")
        entries.append(AccountedDefault(default, cited, evidence.rounds_of(None, default.id), gap))
    return tuple(entries), tuple(faults)


def _of_the_whole(clauses: Clauses, number: str, citations: Iterable[Citation]) -> tuple[str, ...]:
    """What carries the clause of which this one is a part, where nothing cites the part itself. A
    test must still show the part."""
    whole = clauses.parent(number)
    if whole is None or clauses.clauses[number].reason:
        return ()
    carriers = tuple(one.carrier for one in citations if whole in one.clauses)
    if not carriers:
        return _of_the_whole(clauses, whole, citations)
    return tuple(f"as part of {whole}: {carrier}" for carrier in carriers)


def _unknown(document: str, clauses: Clauses, evidence: Evidence) -> Iterable[str]:
    """Citations, by the rule file or a round, of clauses that the document does not have."""
    cited = [(one.carrier, one.clauses) for one in evidence.citations[document]]
    cited += [
        (f"the round {one.title!r} in {one.file}", one.clauses)
        for one in evidence.rounds
        if one.rules == document
    ]
    for who, numbers in cited:
        for number in numbers:
            known = number in clauses.clauses or is_default(number) or is_matrix(number)
            if not known:
                yield f"{document}: {who} cites {number}, which the document does not have"


def _not_there(document: str, clause: Clause, root: Path) -> Iterable[str]:
    for node in clause.tests:
        if not is_test(root, node):
            yield f"{document}: {clause.number}: there is no test {node}"
    for module in clause.carried_by:
        if not is_module(root, module):
            yield f"{document}: {clause.number}: there is no module {module}"


def _gap(number: str, entries: Mapping[str, AccountedClause], on_the_way: tuple[str, ...]) -> str:
    """What is missing; empty when the clause is accounted for. Of clauses that stand for each
    other none is."""
    entry = entries[number]
    if entry.clause.reason or (entry.carriers and (entry.rounds or entry.tests)):
        return ""
    if entry.through and number not in on_the_way:
        open_ones = [
            other for other in entry.through if _gap(other, entries, (*on_the_way, number))
        ]
        return f"waits for {', '.join(open_ones)}" if open_ones else ""
    if entry.carriers:
        return "is carried, but no test shows it"
    if entry.rounds or entry.tests:
        return "is shown by a test, but nothing of the controller is named that carries it"
    return "has neither carrier nor reason"
