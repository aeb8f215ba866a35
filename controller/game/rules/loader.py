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
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

from controller import ENGINE_VERSION
from controller.game.rules import sections as kinds
from controller.game.rules.coherence import together
from controller.game.rules.reading_cases import read_cases
from controller.game.rules.schema import Rule, RuleSet
from controller.game.rules.side_wagers import SideWager

FORMAT: Final = 1
"""The form of a rule file, which says it first. Journals, which have a form of their own, store a
set without it."""

_FREE_SECTIONS = {
    "side_wagers",
    "pays",
    "settled_by",
    "not_played",
    "states",
    "irregularities",
    "engine",
}
_CLAUSES = ("settled_by", "not_played", "states")


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
    """A rule set from a journal, which stores it by value, with the version of the engine
    that read it from its file, whichever that is.

    Raises:
        RulesError: with every fault found.
    """
    return _build(data, source, [])


def _build(data: Mapping[str, Any], source: str, faults: list[str]) -> RuleSet:
    """The rule set in ``data``, in which ``faults`` were found before."""
    hints = _hints(RuleSet)
    sections: dict[str, Any] = {}
    for name in data:
        if name not in hints:
            faults.append(f"[{name}] is unknown; expected {', '.join(hints)}")
    for name, kind in hints.items():
        if name in _FREE_SECTIONS:
            continue
        optional = type(None) in get_args(kind)
        table = data.get(name)
        if isinstance(table, Mapping):
            section = get_args(kind)[0] if optional else kind
            sections[name] = _section(name, section, table, faults)
        elif optional and name not in data:
            sections[name] = None
        else:
            faults.append(f"[{name}] is missing")
    for name in _CLAUSES:
        sections[name] = _clauses(name, data.get(name), faults)
    sections["pays"] = _pays("pays", data.get("pays"), faults)
    sections["side_wagers"] = _side_wagers(data.get("side_wagers", {}), faults)
    sections["irregularities"] = read_cases(data.get("irregularities"), faults)
    sections["engine"] = engine = data.get("engine", int(ENGINE_VERSION))
    if type(engine) is not int:
        faults.append(f"engine = {engine!r}: expected a whole number")
    if faults:
        raise RulesError(source, faults)
    rules = RuleSet(**sections)
    if faults := together(rules):
        raise RulesError(source, faults)
    described = rules.side_wagers  # in a journal tables have lost their order
    ordered = {kind: described[kind] for kind in rules.betting.side_wagers.value}
    return dataclasses.replace(rules, side_wagers=types.MappingProxyType(ordered))


def dump_rules(rules: RuleSet) -> dict[str, Any]:
    """The rule set as plain data, the argument of :func:`build_rules`: the form in the journal."""
    sections = {name: getattr(rules, name) for name in _hints(RuleSet)}
    return {name: _plain(section) for name, section in sections.items() if section is not None}


def _plain(value: Any) -> Any:
    """A value as TOML and JSON have it: what a dataclass leaves at its default is written, too."""
    if names := _field_names(value.__class__):
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass, none for another type."""
    if not dataclasses.is_dataclass(kind):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind))


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """The types of the fields of a dataclass; cached, because finding them took most of the time of
    reading a set."""
    return get_type_hints(kind, localns=vars(kinds))


def _section(name: str, kind: type, table: Mapping[str, Any], faults: list[str]) -> Any:
    fields = {field.name: field for field in dataclasses.fields(kind)}
    hints = _hints(kind)
    faults += [
        f"{name}.{key} is unknown; expected {', '.join(fields)}"
        for key in table
        if key not in fields
    ]
    values: dict[str, Any] = {}
    for key, field in fields.items():
        where, hint = f"{name}.{key}", hints[key]
        what = field.metadata["what"]
        if key not in table:
            faults.append(f"{where} is missing ({what})")
        elif hint is str:
            values[key] = _text(where, table[key], field.metadata, faults)
        elif get_origin(hint) is Mapping:
            read = _clauses if get_args(hint)[1] is str else _pays
            values[key] = read(where, table[key], faults)
        else:
            permitted = field.metadata["permitted"]
            values[key] = _rule(where, get_args(hint)[0], table[key], permitted, faults)
    return kind(**values) if len(values) == len(fields) else None


def _text(where: str, given: Any, about: Mapping[str, Any], faults: list[str]) -> str:
    """A value that no clause gives."""
    permitted = about["permitted"]
    if not isinstance(given, str) or not given:
        faults.append(f"{where} = {given!r}: expected text ({about['what']})")
    elif permitted and given not in permitted:
        faults.append(f"{where} = {given!r}: permitted are {', '.join(map(repr, permitted))}")
    return str(given)


def _side_wagers(tables: Any, faults: list[str]) -> dict[str, SideWager]:
    if not isinstance(tables, Mapping):
        faults.append("[side_wagers] is a value: expected a table [side_wagers.KIND] for each kind")
        return {}
    found: dict[str, SideWager] = {}
    for kind, table in tables.items():
        where = f"side_wagers.{kind}"
        if not isinstance(table, Mapping):
            faults.append(f"{where} = {table!r}: expected a table")
        elif (side_wager := _section(where, SideWager, {"pays": {}, **table}, faults)) is not None:
            found[kind] = side_wager
    return found


def _rule(
    where: str, kind: Any, given: Any, permitted: tuple[Any, ...], faults: list[str]
) -> Rule[Any]:
    if not isinstance(given, Mapping) or set(given) != {"value", "clause"}:
        faults.append(f'{where} = {given!r}: expected {{ value = …, clause = "…" }}')
        return Rule(None, "")
    value, clause = _tupled(given["value"]), given["clause"]
    if not isinstance(clause, str) or not clause:
        faults.append(f"{where}: its clause is {clause!r}, expected the clause's number as text")
    if not _is_a(value, kind):
        faults.append(f"{where} = {given['value']!r}: expected {_describe(kind)}")
    elif isinstance(value, int) and not isinstance(value, bool) and value < 0:
        faults.append(f"{where} = {value}: expected no negative number")
    elif permitted:
        choices = value if isinstance(value, tuple) else (value,)
        faults += [
            f"{where} = {choice!r}: permitted are {', '.join(repr(p) for p in permitted)}"
            for choice in choices
            if choice not in permitted
        ]
    return Rule(value, clause)


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value


def _is_a(value: Any, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        args = get_args(kind)
        if not isinstance(value, tuple):
            return False
        if args[-1] is Ellipsis:
            return all(_is_a(item, args[0]) for item in value)
        return len(value) == len(args) and all(map(_is_a, value, args))
    return type(value) is kind


def _describe(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"a list ({_describe(get_args(kind)[0])} …)"
    return {int: "a whole number", bool: "true or false", str: "text"}.get(kind, str(kind))


def _pays(name: str, table: Any, faults: list[str]) -> Mapping[str, Rule[tuple[int, int]]]:
    if not isinstance(table, Mapping):
        faults.append(f"[{name}] is missing")
        return {}
    pays: dict[str, Rule[tuple[int, int]]] = {}
    for key, given in table.items():
        rule = _rule(f"{name}.{key}", tuple[int, int], given, (), faults)
        if isinstance(rule.value, tuple) and not all(
            isinstance(n, int) and n > 0 for n in rule.value
        ):
            faults.append(
                f"{name}.{key} = {rule.value}: expected two positive numbers, as in [3, 2]"
            )
        pays[key] = rule
    return types.MappingProxyType(pays)


def _clauses(name: str, table: Any, faults: list[str]) -> Mapping[str, str]:
    if not isinstance(table, Mapping):
        faults.append(f"[{name}] is missing")
        return {}
    faults += [
        f'{name}."{key}" = {value!r}: expected the clause as text'
        for key, value in table.items()
        if not isinstance(value, str) or not value
    ]
    return types.MappingProxyType(dict(table))
