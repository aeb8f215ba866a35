"""Reading the irregularities of a rule file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from controller.game.rules.cases import CONDITIONS, DECIDERS, OPTIONS, REMEDIES, Case
from controller.game.rules.triggers import TRIGGERS

_LISTS: Mapping[str, Mapping[str, str]] = {
    "remedies": REMEDIES,
    "when": CONDITIONS,
    "options": OPTIONS,
}
_WORDS: Mapping[str, Mapping[str, str]] = {"trigger": TRIGGERS, "by": DECIDERS}
_NEEDED = ("trigger", "remedies", "by", "clause")


def read_cases(given: object, faults: list[str]) -> tuple[Case, ...]:
    """The cases of ``[[irregularities]]``; faults are appended, each with its place and what is
    permitted there."""
    if not isinstance(given, list) or not given:
        faults.append("[[irregularities]] is missing: expected a list of cases")
        return ()
    cases = [_case(index, entry, faults) for index, entry in enumerate(given)]
    found = tuple(case for case in cases if case is not None)
    last = {case.trigger: index for index, case in enumerate(cases) if case is not None}
    faults += [
        f"irregularities[{index}].when: the last case of {trigger!r} must have none, so that one "
        "case always applies"
        for trigger, index in last.items()
        if (case := cases[index]) is not None and case.when
    ]
    if "other" not in (case.trigger for case in found):
        faults.append("irregularities: a case with trigger = 'other' is missing")
    return found


def _case(index: int, entry: object, faults: list[str]) -> Case | None:
    where = f"irregularities[{index}]"
    if not isinstance(entry, Mapping):
        faults.append(f"{where} = {entry!r}: expected a table")
        return None
    before = len(faults)
    names = [field.name for field in dataclasses.fields(Case)]
    faults += [
        f"{where}.{key} is unknown; expected {', '.join(names)}"
        for key in entry
        if key not in names
    ]
    faults += [f"{where}.{key} is missing" for key in _NEEDED if key not in entry]
    values: dict[str, Any] = {}
    for key, value in entry.items():
        if key in _LISTS:
            values[key] = _words(f"{where}.{key}", value, _LISTS[key], faults)
        elif key == "clauses":
            values[key] = _clauses(f"{where}.{key}", value, faults)
        elif key in names:
            values[key] = value
            if not isinstance(value, str) or (not value and key != "options_clause"):
                faults.append(f"{where}.{key} = {value!r}: expected text")
            elif key in _WORDS and value not in _WORDS[key]:
                faults.append(f"{where}.{key} = {value!r}: permitted are {', '.join(_WORDS[key])}")
    if values.get("remedies") == ():
        faults.append(f"{where}.remedies = []: expected at least one")
    if bool(values.get("options")) != bool(values.get("options_clause")):
        faults.append(f"{where}: options and options_clause go together")
    return Case(**values) if len(faults) == before else None


def _clauses(where: str, given: object, faults: list[str]) -> Mapping[str, str]:
    if not isinstance(given, Mapping):
        faults.append(f'{where} = {given!r}: expected {{ remedy = "clause" }}')
        return {}
    faults += [
        f"{where}.{remedy} = {clause!r}: expected a remedy and its clause as text"
        for remedy, clause in given.items()
        if remedy not in REMEDIES or not isinstance(clause, str) or not clause
    ]
    return dict(given)


def _words(
    where: str, given: object, permitted: Mapping[str, str], faults: list[str]
) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(word, str) for word in given):
        faults.append(f"{where} = {given!r}: expected a list of {', '.join(permitted)}")
        return ()
    faults += [
        f"{where} = {word!r}: permitted are {', '.join(permitted)}"
        for word in given
        if word not in permitted
    ]
    return tuple(given)
