"""Reading rule files: those that come with the controller, and an operator's own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.game.rules.loader import RulesError, parse_rules
from controller.game.rules.schema import RuleSet
from controller.regular_files import read_whole
from controller.utf8 import NotUtf8, text_of

RULES_DIRECTORY: Final = Path(__file__).resolve().parents[2] / "config" / "rules"
"""The rule files that come with the controller."""


def rule_files() -> dict[str, Path]:
    """The rule sets that come with the controller, by id."""
    return {path.stem: path for path in sorted(RULES_DIRECTORY.glob("*.toml"))}


def load_rules(id_or_path: str, base: Path | None = None) -> RuleSet:
    """The rule set of that id, or of the file at that path (relative to ``base``).

    Raises:
        RulesError: no such rule set, or the file is not right.
    """
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
    """SHA-256 of the bytes of that rule set's file, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
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
    """The rule set in the file at ``path``.

    Raises:
        RulesError: the file cannot be read, is not TOML, or has faults.
    """
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
