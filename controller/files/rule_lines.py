"""A rule set as lines of text, by the schema's own description, and the faults of its file as its
author needs them: the line, and what may have been meant.

Nothing here knows a section by name but ``document``, which is the heading of the whole. A section
is an object of dataclass fields with a :class:`Rule` each, or None where the document does not play
it; a mapping from names to rules or to clauses; or the list of cases.

The loader's faults are lines of text, and two things are read in them. A fault begins with what it
is about: ``[section]``, ``section.key``, ``section."dotted.key"`` or ``irregularities[2].key``
(entries from 0). ``did you mean NAME?`` names what may have been meant. An error of another form
gets neither line nor suggestion, but is still reported.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, TypeAlias, get_args, get_type_hints

from controller.files.rule_words import NAMES, blanks, sentence
from controller.game.rules.cases import CONDITIONS, DECIDERS, OPTIONS, REMEDIES, TRIGGERS, Case
from controller.game.rules.positions import Path, line_of, lines_of
from controller.game.rules.schema import Rule, RuleSet

_ABOUT = re.compile(
    r"(?:section )?(?:\[+(?P<header>[\w-]+)\]+"
    r"|(?P<section>[\w-]+)(?:\[(?P<entry>\d+)\])?(?P<keys>(?:\.[\w-]+)*)"
    r"(?:\.\"(?P<quoted>[^\"]*)\")?)"
)
_MEANT = re.compile(r"did you mean (?P<name>[^?]+)\?")
_NOT_TOML = re.compile(r"is not TOML: .*\(at line (?P<line>\d+)")


@dataclass(frozen=True, slots=True)
class RuleFault:
    """Where it stands (``line`` from 1, ``key`` as its path), and what was probably meant."""

    line: int | None
    key: str
    said: str
    did_you_mean: str | None

    def as_json(self) -> dict[str, object]:
        """As ``rules check --json`` lists it."""
        return asdict(self)

    def __str__(self) -> str:
        return self.said


def explained(text: str, faults: Sequence[str]) -> list[RuleFault]:
    """The loader's faults of a file with this text, in the order of its lines."""
    lines = lines_of(text)
    found = [_explained(said, lines) for said in faults]
    return sorted(found, key=lambda fault: fault.line or 0)


def _explained(said: str, lines: Mapping[Path, int]) -> RuleFault:
    not_toml = _NOT_TOML.match(said)
    if not_toml is not None:
        return RuleFault(int(not_toml["line"]), "", said, None)
    path = _path(said)
    if path[:1] not in lines and path[:1] not in _SECTIONS:
        path = ()
    meant = _MEANT.search(said)
    return RuleFault(line_of(lines, path), _dotted_path(path), said, meant and meant["name"])


def _path(said: str) -> Path:
    match = _ABOUT.match(said)
    if match is None:
        return ()
    entry = () if match["entry"] is None else (int(match["entry"]),)
    keys = [key for key in (match["keys"] or "").split(".") if key]
    names = (match["header"] or match["section"], *entry, *keys, match["quoted"])
    return tuple(name for name in names if name is not None)


def _dotted_path(path: Path) -> str:
    text = ""
    for name in path:
        dotted = f'."{name}"' if "." in str(name) else f".{name}"
        text += f"[{name}]" if isinstance(name, int) else dotted
    return text.removeprefix(".")


HEADINGS: Final = {
    "pays": "What pays what",
    "settled_by": "Clauses that decide wagers",
    "not_played": "Steps that are not played, and what the document says instead",
    "states": "Clauses that govern the states of play",
    "irregularities": "When something goes wrong",
}
"""Headings of the sections that are no object with a description of their own."""

PARTS: Final = {"pays": "what it pays", "settled_by": "clauses that decide it"}
"""Headings of the tables in that of a side wager."""


Item: TypeAlias = Rule[tuple[int, int]] | str
"""An item of a section that is a mapping: what pays, or a clause."""


@dataclasses.dataclass(frozen=True, slots=True)
class RuleLine:
    """A key of a section: its name, what it is, and its rule."""

    key: str
    what: str
    rule: Rule[object]


def section_names() -> tuple[str, ...]:
    """The sections in the order of the schema, without the document's heading."""
    names = (field.name for field in dataclasses.fields(RuleSet))
    return tuple(name for name in names if name not in ("document", "engine"))


_SECTIONS = {("document",), *((name,) for name in section_names())}


def sections_of(rules: RuleSet) -> dict[str, Any]:
    """By name; a side wager has ``side_wagers.pair``, below it ``.pays`` and ``.settled_by``."""
    found: dict[str, Any] = {}
    for name in section_names():
        if name != "side_wagers":
            found[name] = getattr(rules, name)
            continue
        for kind, side_wager in rules.side_wagers.items():
            found[f"{name}.{kind}"] = side_wager
            found[f"{name}.{kind}.pays"] = side_wager.pays
            found[f"{name}.{kind}.settled_by"] = side_wager.settled_by
    return found


def heading(name: str) -> str:
    """A section in plain words."""
    if name in HEADINGS:
        return HEADINGS[name]
    if name.startswith("side_wagers."):
        _, kind, *part = name.split(".")
        about = f": {PARTS[part[0]]}" if part else ""
        return sentence(f"{NAMES.get(kind, blanks(kind))} wager{about}")
    hint = get_type_hints(RuleSet)[name]
    kinds = [kind for kind in (hint, *get_args(hint)) if dataclasses.is_dataclass(kind)]
    about = str(kinds[0].__doc__) if kinds else name
    return about.splitlines()[0].rstrip(".")


def lines(section: object) -> Iterator[RuleLine]:
    """The keys of a section that is an object; none of one that is not played."""
    if not dataclasses.is_dataclass(section):
        return
    for field in dataclasses.fields(section):
        rule = getattr(section, field.name)
        if isinstance(rule, Rule):
            yield RuleLine(field.name, field.metadata["expected"].what, rule)


class CaseWords(NamedTuple):
    """A case: what happened and when, what is done and by whom, what players may choose then."""

    happened: str
    when: str
    done: str
    by: str
    choices: str


def case_words(case: Case) -> CaseWords:
    """A case in words."""
    return CaseWords(
        sentence(_words((case.trigger,), TRIGGERS)),
        _words(case.when, CONDITIONS, ", and ") or "in any other case",
        _words(case.remedies, REMEDIES, ", or "),
        _words((case.by,), DECIDERS),
        _words(case.options, OPTIONS, ", or "),
    )


def _words(names: tuple[str, ...], known: Mapping[str, str], between: str = "; ") -> str:
    return between.join(known.get(name, name.replace("_", " ")) for name in names)
