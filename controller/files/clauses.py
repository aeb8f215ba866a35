"""What the clauses of the rule documents say, in our own words, to be shown to people."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.json_values import checked
from controller.regular_files import read_whole

CLAUSES_DIRECTORY: Final = Path(__file__).resolve().parents[2] / "config" / "clauses"
"""A file for each document that comes with the controller, and one for the defaults of the house
where the documents are silent (``defaults.toml``)."""

DEFAULTS: Final = "defaults"


def clause_texts(rules: str, directory: Path = CLAUSES_DIRECTORY) -> Mapping[str, str]:
    """The words of every clause of the document with that id and of every default, by number.
    Without a file for it, as for a document of the operator's own, only those of the defaults; a
    file that cannot be read has none: the numbers alone must do then."""
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
