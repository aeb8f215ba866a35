"""The account of a document: its clauses with the rule keys, modules and tests that carry and show
them.

A clause is accounted for when it has a carrier and a test, or a reason; when clauses that it is
``covered_by`` are; or, for a heading, when its sub-clauses are. Everything else is a gap. A reason
that a citation contradicts is a fault too: a citation shows that the clause does concern the
controller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.files.readings import Citation, is_matrix
from controller.files.rule_words import is_default
from pages.sources import Clause, Default, Listed, WorkedRound, lacking


@dataclass(frozen=True, slots=True)
class Evidence:
    """What rule files and tests say: citations by document, rounds, and where tests are looked
    for (``root``)."""

    root: Path
    citations: Mapping[str, tuple[Citation, ...]]
    rounds: tuple[WorkedRound, ...]

    def citing(self, document: str, clause: str) -> tuple[str, ...]:
        """What of a document's rule file cites a clause or default."""
        return tuple(one.carrier for one in self.citations[document] if clause in one.clauses)

    def rounds_of(self, document: str | None, clause: str) -> tuple[str, ...]:
        """Titles of the rounds (of a document) that show a clause or default."""
        return tuple(
            one.title
            for one in self.rounds
            if document in (None, one.rules) and clause in one.clauses
        )


@dataclass(frozen=True, slots=True)
class AccountedClause:
    """A clause with its ``carriers``, the ``rounds`` that show it beside its tests, and the clauses
    ``through`` which it is carried."""

    clause: Clause
    carriers: tuple[str, ...]
    rounds: tuple[str, ...]
    through: tuple[str, ...]

    @property
    def is_shown(self) -> bool:
        """Whether a round or test shows it."""
        return bool(self.rounds or self.clause.tests)


class Account:
    """The account of a document that has a rule file: ``entries`` by their numbers, and a line in
    ``faults`` for what contradicts it or is not there."""

    def __init__(self, document: str, listed: Listed, evidence: Evidence) -> None:
        self.id, self.sections, self._evidence = document, listed.sections, evidence
        self._clauses = {clause.number: clause for clause in listed.clauses}
        self.entries = {number: self._entry(one) for number, one in self._clauses.items()}
        self.faults = [f"{document}: {fault}" for fault in (*self._unknown(), *self._not_there())]

    @property
    def gaps(self) -> dict[str, str]:
        """What is missing, by the clauses that nothing accounts for."""
        gaps = {number: self.gap(number) for number in self.entries}
        return {number: gap for number, gap in gaps.items() if gap}

    def gap(self, number: str, on_the_way: tuple[str, ...] = ()) -> str:
        """What is missing; empty when the clause is accounted for. Of clauses that stand for each
        other none is."""
        one = self.entries[number]
        if one.clause.reason or (one.carriers and one.is_shown):
            return ""
        if one.through and number not in on_the_way:
            waits = [other for other in one.through if self.gap(other, (*on_the_way, number))]
            return f"waits for {', '.join(waits)}" if waits else ""
        if one.carriers:
            return "is carried, but no test shows it"
        if one.is_shown:
            return "is shown by a test, but nothing of the controller is named that carries it"
        return "has neither carrier nor reason"

    def _entry(self, clause: Clause) -> AccountedClause:
        cited = self._evidence.citing(self.id, clause.number)
        parts = (other for other in self._clauses if self._parent(other) == clause.number)
        through = tuple(parts) if clause.heading else clause.covered_by
        if not cited and not through:
            cited = self._of_the_whole(clause)
        modules = (f"`{module}`" for module in clause.carried_by)
        rounds = self._evidence.rounds_of(self.id, clause.number)
        return AccountedClause(clause, (*cited, *modules), rounds, through)

    def _of_the_whole(self, clause: Clause) -> tuple[str, ...]:
        """What carries the clause of which this one is a part, where nothing cites the part itself.
        A test must still show the part."""
        whole = self._parent(clause.number)
        if whole is None or clause.reason:
            return ()
        carriers = self._evidence.citing(self.id, whole)
        if not carriers:
            return self._of_the_whole(self._clauses[whole])
        return tuple(f"as part of {whole}: {carrier}" for carrier in carriers)

    def _parent(self, number: str) -> str | None:
        """The clause of which this one is a sub-clause; the nearest that the document has."""
        ends = (end for end in range(len(number) - 1, 0, -1) if number[end] in ".(")
        return next((number[:end] for end in ends if number[:end] in self._clauses), None)

    def _unknown(self) -> Iterator[str]:
        """Citations, by the rule file or a round, of clauses that the document does not have."""
        cited = [(one.carrier, one.clauses) for one in self._evidence.citations[self.id]]
        cited += [
            (f"the round {one.title!r} in {one.file}", one.clauses)
            for one in self._evidence.rounds
            if one.rules == self.id
        ]
        for who, numbers in cited:
            for number in numbers:
                if not (number in self.entries or is_default(number) or is_matrix(number)):
                    yield f"{who} cites {number}, which the document does not have"

    def _not_there(self) -> Iterator[str]:
        for number, clause in self._clauses.items():
            missing = lacking(self._evidence.root, clause.carried_by, clause.tests)
            yield from (f"{number}: {one}" for one in missing)
            cited = self._evidence.citing(self.id, number)
            if clause.reason and cited:
                yield (
                    f"{number} is said to be no concern of the controller, but "
                    f"{cited[0]} cites it: delete the reason"
                )


@dataclass(frozen=True, slots=True)
class AccountedDefault:
    """A default of the matrix; ``cited``: by document, what cites it; ``rounds`` that show it."""

    default: Default
    cited: Mapping[str, tuple[str, ...]]
    rounds: tuple[str, ...]
    gap: str


def account_of_defaults(
    defaults: Iterable[Default], evidence: Evidence
) -> tuple[list[AccountedDefault], list[str]]:
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
        named = {document: evidence.citing(document, default.id) for document in evidence.citations}
        cited = {document: carriers for document, carriers in named.items() if carriers}
        due = any(document in evidence.citations for document in default.documents)
        gap = "" if cited or default.reason or not due else "is cited by no rule file"
        if cited and default.reason:
            faults.append(f"{default.id} has a reason to be cited nowhere, and is: delete it")
        entries.append(AccountedDefault(default, cited, evidence.rounds_of(None, default.id), gap))
    return entries, faults + [f"{one.default.id} {one.gap}" for one in entries if one.gap]
