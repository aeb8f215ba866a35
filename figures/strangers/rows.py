"""The files of published edges: a document of ours, what differs, and what was published."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError, build_rules, dump_rules
from controller.game.rules.schema import RuleSet
from controller.utf8 import NotUtf8, text_of
from figures.games.games import UNIT
from figures.kernel.tables import BRACKETS, new_table
from figures.kernel.values import Values, values_of

FOLDER: Final = Path(__file__).parent
KEYS: Final = {
    "title": str,
    "source": str,
    "from": str,
    "penetration": int,
    "decks": list,
    "published": list,
}
"""What a file says of itself; and ``why`` it is not met, where it is not."""
KINDS: Final = {str: "text", int: "a whole number", list: "a list"}


class StrangerError(Exception):
    """A file that is not right: every fault, one a line, with what was expected."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        super().__init__("\n".join(f"{path.name}: {fault}" for fault in faults))


@dataclass(frozen=True)
class Stranger:
    """Rules of others: ``published`` has a percentage for each number of ``decks``. The cutting
    card lies behind ``penetration`` percent of them; 0: each round comes from a full shoe. Values
    are made of ``rules``, and ``changed`` names those of the kernel that are set beside."""

    name: str
    title: str
    source: str
    penetration: int
    decks: tuple[int, ...]
    published: tuple[float, ...]
    rules: RuleSet
    changed: Mapping[str, int]
    why: str = ""

    @property
    def values(self) -> Values:
        """The numbers that the kernel plays by, for wagers of :data:`~.games.UNIT` cents."""
        return values_of(self.rules, Limits(min=UNIT))._replace(**self.changed)

    @property
    def super_bonus(self) -> float:
        """What a Super Bonus brings to 1 with such a wager."""
        table = new_table(self.rules)
        return table[BRACKETS + 1] / UNIT if table[BRACKETS] <= UNIT else 0.0


def strangers() -> list[Stranger]:
    """All that come with the program, by name.

    Raises:
        StrangerError: a file is not right.
    """
    return [read_stranger(path) for path in sorted(FOLDER.glob("*.toml"))]


def read_stranger(path: Path) -> Stranger:
    """The stranger of a file.

    Raises:
        StrangerError: it cannot be read, or has faults.
    """
    try:
        data = tomllib.loads(text_of(path.read_bytes()))
    except (OSError, NotUtf8, tomllib.TOMLDecodeError) as error:
        raise StrangerError(path, [f"cannot be read as TOML: {error}"]) from error
    faults = [
        f"{key} = {data.get(key)!r}: expected {KINDS[kind]}"
        for key, kind in KEYS.items()
        if type(data.get(key)) is not kind or data[key] in ("", [])
    ]
    known = [*KEYS, "why", "rules", "kernel"]
    faults += [f"{key} is unknown; expected {', '.join(known)}" for key in data if key not in known]
    faults += [
        f"{key} is a value: expected a table"
        for key in ("rules", "kernel")
        if not isinstance(data.get(key, {}), Mapping)
    ]
    if faults:
        raise StrangerError(path, faults)
    decks, published = tuple(data["decks"]), tuple(data["published"])
    if not all(type(n) is int and n > 0 for n in decks):
        faults.append(f"decks = {data['decks']}: expected whole numbers, as in [6, 8]")
    if len(published) != len(decks) or not all(type(edge) is float for edge in published):
        faults.append(f"published = {data['published']}: expected a percentage for each of decks")
    if not 0 <= data["penetration"] <= 100:
        faults.append(f"penetration = {data['penetration']}: expected a percentage, 0 to 100")
    changed = _changed(data.get("kernel", {}), faults)
    try:
        rules = _with_changes(load_rules(data["from"]), data.get("rules", {}), path.name)
    except RulesError as error:
        raise StrangerError(path, [*faults, str(error)]) from error
    if faults:
        raise StrangerError(path, faults)
    said = data["title"], data["source"], data["penetration"], decks, published
    return Stranger(path.stem, *said, rules, changed, data.get("why", ""))


def _with_changes(rules: RuleSet, changes: Mapping[str, Any], source: str) -> RuleSet:
    """The rule set with other values, checked as a rule file is."""
    plain = dump_rules(rules)
    for section, table in changes.items():
        there = plain.get(section)
        merge = isinstance(there, Mapping) and isinstance(table, Mapping)
        plain[section] = {**there, **table} if merge and there is not None else table
    return build_rules(plain, source)


def _changed(table: Mapping[str, Any], faults: list[str]) -> dict[str, int]:
    """Values of the kernel, by name."""
    changed = {}
    for name, given in table.items():
        where = f"kernel.{name}"
        if name not in Values._fields:
            faults.append(f"{where} is unknown; expected one of {', '.join(Values._fields)}")
        elif not isinstance(given, Mapping) or set(given) != {"value", "clause"}:
            faults.append(f'{where} = {given!r}: expected {{ value = …, clause = "…" }}')
        elif type(given["value"]) is not int or given["value"] < 0:
            faults.append(f"{where} = {given['value']!r}: expected a whole number, 0 or more")
        else:
            changed[name] = given["value"]
    return changed
