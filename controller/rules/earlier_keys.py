"""Keys that came after the first rule sets: their meaning in a set that does not have them.

Journals store rule sets by value, and operators keep rule files. A set without such a key is read
as it was played before there was one; the clause is that of the key that said it then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

BETTING: Final[Mapping[str, tuple[object, str]]] = {
    "below_minimum": ("refused", "outside_limits"),
    "box_max": ("none", "outside_limits"),
    "outside": ("nothing", "bettors_max"),
}
INSURANCE: Final[Mapping[str, tuple[object, str]]] = {"outside": (False, "others")}
SIDE_WAGER: Final[Mapping[str, tuple[object, str]]] = {"persons_max": (0, "by")}
"""The value of before, and the key of the same section whose clause it has."""


def earlier_keys(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parsed set, with the keys that it does not have yet."""
    return {**data, **dict(_filled(data))}


def _filled(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, missing in (("betting", BETTING), ("insurance", INSURANCE)):
        if isinstance(table := data.get(name), Mapping):
            yield name, _with(table, missing)
    if isinstance(kinds := data.get("side_wagers"), Mapping):
        yield (
            "side_wagers",
            {
                kind: _with(table, SIDE_WAGER) if isinstance(table, Mapping) else table
                for kind, table in kinds.items()
            },
        )


def _with(table: Mapping[str, Any], missing: Mapping[str, tuple[object, str]]) -> dict[str, Any]:
    """The section with what it lacks; where the other key is missing, too, that is its fault."""
    filled = dict(table)
    for key, (value, like) in missing.items():
        rule = table.get(like)
        if key not in table and isinstance(rule, Mapping) and "clause" in rule:
            filled[key] = {"value": value, "clause": rule["clause"]}
    return filled
