"""Rule sets with one value changed, as ``make mutate`` changes them: the kernel plays every one
that the loader takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from controller.files.rules import rule_files
from controller.game.rules.loader import RulesError, parse_rules
from figures.changes.mutants import CLAUSES, mutants_of
from proof.agreement.tables import Subject

NOT_PLAYED: Final = ("absent.", "betting.", "case ", *CLAUSES)
"""What mutants begin with that change people, irregularities and clauses: the kernel has none."""


@cache
def changed(document: str) -> Mapping[str, Subject]:
    """The mutants of a document by their names, in the order of its rule file."""
    text, found = rule_files()[document].read_text(encoding="utf-8"), {}
    for mutant in mutants_of(document, text):
        if mutant.name.startswith(NOT_PLAYED) or f".{CLAUSES[0]}." in mutant.name:
            continue
        try:
            rules = parse_rules(mutant.text, document)
        except RulesError:
            continue
        found[mutant.name] = Subject(f"{document} with {mutant.name}", rules)
    return found
