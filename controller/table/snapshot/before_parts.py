"""Snapshots of formats 3 and 4, in which a table was one list of attributes.

Format 4 has one field more than format 3, ``Hold.before``, which has a default. Every attribute of
these formats is now a field of a part, of the same type and written alike; so such a snapshot is
rearranged into parts and read like a present one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.json_values import JsonObject, checked

FORMATS: Final = frozenset({3, 4})

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "setup": ("adopted", "next_settings", "boot_id", "digests", "stopped"),
    "course": ("phase", "round_number", "checked"),
    "holds": ("standing", "conditions", "postponed", "resumed"),
    "shoe": (
        *("used", "cards_taken", "cards_seen", "book", "sets"),
        *("burning", "cutting_card", "shuffle"),
    ),
    "jackpot": ("offer", "next_offer", "last_draw", "draws"),
    "betting": ("sheet",),
    "dealing": ("rnd", "drawn", "squeezed", "told", "remarked", "reshuffled"),
    "entering": ("entries", "saved", "keypad", "notice"),
}
"""The part that each attribute of these formats belongs to now."""

NAME_THEN: Final = {"standing": "holds"}
"""Fields that had another name in these formats."""


def is_it(plain: JsonObject) -> bool:
    """Whether the plain data is a table of one of these formats: it has no parts."""
    return "phase" in plain


def as_parts(plain: JsonObject) -> dict[str, object]:
    """The same table rearranged into parts.

    Raises:
        LookupError: an attribute is missing.
    """
    saved = checked(dict[str, object], plain["saved"] or {}, "saved")
    known = {**plain, "saved": _saved(saved) if saved else None}
    parts = {
        part: {field: known[NAME_THEN.get(field, field)] for field in names}
        for part, names in PARTS.items()
    }
    return {"settings": plain["settings"], "devices": plain["devices"], **parts}


def _saved(saved: JsonObject) -> dict[str, object]:
    """What can be taken back, part by part."""
    play = {**checked(dict[str, object], saved["play"], "play"), "sheet": saved["sheet"]}
    parts = {
        part: {field: play[field] for field in names if field in play}
        for part, names in PARTS.items()
    }
    return {"said": saved["said"], "parts": parts}
