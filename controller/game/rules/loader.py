"""From the text of a rule file to a rule set, and from a rule set to plain data.

A rule file is TOML: first ``format = 1``, then one table per section of
:mod:`controller.game.rules.schema`, each key ``{ value = …, clause = "…" }``; irregularities are a
list of tables. Every key is required and no other is permitted, but a section that the document
does not play is left out; all faults of a file are reported together, each with the key, the value
and what is permitted. Files are read by :mod:`controller.files.rules`.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from controller.forms.faults import Wrong
from controller.forms.reading import form_of
from controller.game.rules.coherence import together
from controller.game.rules.schema import RuleSet

FORMAT: Final = 1
"""The form of a rule file, which says it first; journals store a set without it."""


class RulesError(Exception):
    """A rule file that cannot be used; ``faults`` has a line for each fault."""

    def __init__(self, source: str, faults: list[str]) -> None:
        self.source = source
        self.faults = faults
        super().__init__(f"{source}: " + "; ".join(faults))


def parse_rules(text: str, source: str) -> RuleSet:
    """The rule set in ``text``; ``source`` names the file in messages about its faults.

    Raises:
        RulesError: it is not TOML, or has faults.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(source, [f"is not TOML: {error}"]) from error
    if "engine" in data:
        raise RulesError(source, ["engine is not a rule file's to say"])
    given = data.pop("format", None)
    faults = []
    if given is None:
        faults.append(f"format is missing: the first line of a rule file is format = {FORMAT}")
    elif type(given) is not int or given != FORMAT:
        faults.append(f"format = {given!r}: this version reads rule files of format {FORMAT}")
    return _build(data, source, faults)


def build_rules(data: Mapping[str, Any], source: str) -> RuleSet:
    """A rule set from a journal, which stores it by value, with the version of the engine that read
    it from its file, whichever that is; RulesError with every fault found."""
    return _build(data, source, [])


def _build(data: Mapping[str, Any], source: str, faults: list[str]) -> RuleSet:
    """The rule set in ``data``, in which ``faults`` were found before."""
    found = form_of(RuleSet).read(data, None)
    if isinstance(found, Wrong):
        raise RulesError(source, [*faults, *found.toml_lines("")])
    rules: RuleSet = found
    if faults or (faults := together(rules)):
        raise RulesError(source, faults)
    described = rules.side_wagers  # in a journal tables have lost their order
    ordered = {kind: described[kind] for kind in rules.betting.side_wagers.value}
    tables = ("pays", "settled_by", "not_played", "states")
    given = {name: getattr(rules, name) for name in tables} | {"side_wagers": ordered}
    fixed: dict[str, Any] = {name: MappingProxyType({**table}) for name, table in given.items()}
    return dataclasses.replace(rules, **fixed)


def dump_rules(rules: RuleSet) -> dict[str, Any]:
    """The rule set as plain data, the argument of :func:`build_rules`: the form in the journal."""
    sections = {name: getattr(rules, name) for name in RuleSet.__dataclass_fields__}
    return {name: _plain(section) for name, section in sections.items() if section is not None}


def _plain(value: Any) -> Any:
    """A value as TOML and JSON have it: what a dataclass leaves at its default is written, too."""
    if names := getattr(type(value), "__dataclass_fields__", ()):
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
