"""Reading rule files, those that come with the controller and an operator's own; and what the
clauses of their documents say, in our own words, to be shown to people."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.forms.json_values import checked
from controller.game.rules.loader import RulesError, parse_rules
from controller.game.rules.schema import RuleSet
from controller.regular_files import NotUtf8, read_whole, text_of

RULES_DIRECTORY: Final = Path(__file__).resolve().parents[2] / "config" / "rules"
"""The rule files that come with the controller."""


def rule_files() -> dict[str, Path]:
    """The rule sets that come with the controller, by id."""
    return {path.stem: path for path in sorted(RULES_DIRECTORY.glob("*.toml"))}


def load_rules(id_or_path: str, base: Path | None = None) -> RuleSet:
    """The rule set of that id, or of the file at that path (relative to ``base``); RulesError where
    there is none, or it is not right."""
    known = rule_files()
    if id_or_path in known:
        return read_rules(known[id_or_path])
    path = (base or Path()) / id_or_path
    if not _is_file(path):
        raise RulesError(
            id_or_path, [f"no such rule set or file; known rule sets: {', '.join(known)}"]
        )
    return read_rules(path)


def rules_digest(id_or_path: str, base: Path | None = None) -> str:
    """SHA-256 of that rule set's file, in hexadecimal; OSError where it cannot be read."""
    return hashlib.sha256(read_whole(rules_file(id_or_path, base))).hexdigest()


def rules_file(id_or_path: str, base: Path | None = None) -> Path:
    """The file of that rule set, whether or not it is there."""
    return rule_files().get(id_or_path) or (base or Path()) / id_or_path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except PermissionError:
        return True  # nobody knows; reading it says why
    except OSError:  # such as a name that is too long
        return False


def read_rules(path: Path) -> RuleSet:
    """The rule set in the file; RulesError where it cannot be read or has faults."""
    try:
        text = text_of(read_whole(path))
    except OSError as error:
        why = cause_of(error, path, wants=READ)
        raise RulesError(str(path), [f"cannot be read: {why}"]) from error
    except NotUtf8 as error:
        raise RulesError(str(path), [f"cannot be read: {error}"]) from error
    return parse_rules(text, str(path))


def rules_in(folder: Path) -> Callable[[str], RuleSet]:
    """A loader of rule sets that reads each one once; paths are relative to ``folder``."""
    known: dict[str, RuleSet] = {}

    def by_name(name: str) -> RuleSet:
        if name not in known:
            known[name] = load_rules(name, folder)
        return known[name]

    return by_name


CLAUSES_DIRECTORY: Final = Path(__file__).resolve().parents[2] / "config" / "clauses"
"""A file for each document that comes with the controller, and one for the defaults of the house
where the documents are silent (``defaults.toml``)."""

DEFAULTS: Final = "defaults"


def clause_texts(rules: str, directory: Path = CLAUSES_DIRECTORY) -> Mapping[str, str]:
    """The words of every clause of the document with that id and of every default, by number. A
    file that is not there, or cannot be read, has none: the numbers alone must do then."""
    found: dict[str, str] = {}
    for name in (DEFAULTS, rules):
        if "/" in name or name.startswith("."):
            continue
        try:
            data = tomllib.loads(read_whole(directory / f"{name}.toml").decode("utf-8"))
            for each in checked(list[dict[str, object]], data[_KEYS.get(name, "clauses")]):
                number = each.get("number", each.get("id"))
                found[checked(str, number)] = checked(str, each["text"])
        except (OSError, ValueError, LookupError):
            continue
    return found


_KEYS: Final = {DEFAULTS: "defaults"}
"""The list in a file, where it is not ``clauses``."""
