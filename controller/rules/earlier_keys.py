"""Rule sets from before a key existed, read with the meaning that they had then.

Journals store rule sets by value, and operators keep rule files: a key that has come since is
filled in with the value by which a set of that time was played, and a value that has got another
name is read under it. What the documents' files say today, they say themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

LIKE: Final[Mapping[str, Mapping[str, tuple[object, str]]]] = {
    "betting": {
        "below_minimum": ("refused", "outside_limits"),
        "box_max": ("none", "outside_limits"),
        "outside": ("nothing", "bettors_max"),
    },
    "insurance": {"outside": (False, "others")},
}
"""By section: the keys that have come since, each with the value of before, and the key of the same
section that said it then, whose clause it has."""

SIDE_WAGER: Final[Mapping[str, tuple[object, str]]] = {"persons_max": (0, "by")}
"""The same for the description of every side wager."""

SINCE: Final[Mapping[str, Mapping[str, tuple[object, str]]]] = {
    "super_bonus": {"share_when": ("winner", "A-14")},
    "shoe": {"cut": ("unsaid", "A-38"), "discards": ("unsaid", "A-38")},
}
"""The same with a clause of its own."""

RENAMED: Final[Mapping[tuple[str, str], Mapping[object, object]]] = {
    ("compare", "original_gone"): {"returned": "identity"},
}
"""By section and key: values that had another name."""


def earlier_keys(data: Mapping[str, Any]) -> dict[str, Any]:
    """The parsed set with the keys that it does not have yet."""
    now = dict(data)
    for section, since in SINCE.items():
        if isinstance(given := now.get(section), Mapping):
            filled = {key: {"value": old, "clause": clause} for key, (old, clause) in since.items()}
            now[section] = {**filled, **given}
    for section, like in LIKE.items():
        if isinstance(given := now.get(section), Mapping):
            now[section] = _with(given, like)
    if isinstance(kinds := now.get("side_wagers"), Mapping):
        now["side_wagers"] = {
            kind: _with(table, SIDE_WAGER) if isinstance(table, Mapping) else table
            for kind, table in kinds.items()
        }
    for (section, key), names in RENAMED.items():
        given = now.get(section)
        rule = given.get(key) if isinstance(given, Mapping) else None
        old = rule.get("value") if isinstance(rule, Mapping) else None
        if isinstance(given, Mapping) and isinstance(rule, Mapping) and isinstance(old, str):
            now[section] = {**given, key: {**rule, "value": names.get(old, old)}}
    return now


def _with(table: Mapping[str, Any], like: Mapping[str, tuple[object, str]]) -> dict[str, Any]:
    """The section with what it lacks; where the other key is missing, too, that is its fault."""
    filled = dict(table)
    for key, (value, other) in like.items():
        rule = table.get(other)
        if key not in table and isinstance(rule, Mapping) and "clause" in rule:
            filled[key] = {"value": value, "clause": rule["clause"]}
    return filled
