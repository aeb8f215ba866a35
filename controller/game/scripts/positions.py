"""On which line of a JSON file a key or a list's entry stands, so that a fault can be found.

Only the outermost object is gone through: a script's keys are there, and its wagers and steps are
lists directly in it.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_ABOUT = re.compile(r"(?:unknown key '(?P<unknown>[^']*)'|(?P<key>\w+)(?:\[(?P<index>\d+)\])?)")


def line_about(text: str, message: str) -> int:
    """The line that a message such as ``wagers[2].main: …`` is about; 1 when it does not say."""
    match = _ABOUT.match(message)
    if match is None:
        return 1
    index = match["index"]
    return line_of(text, match["unknown"] or match["key"], None if index is None else int(index))


def line_of(text: str, key: str, index: int | None = None) -> int:
    """The line of an outermost key, or of an entry of its list; 1 when it is not there."""
    try:
        at = _position_of(text, key, index)
    except (ValueError, IndexError, RecursionError):
        at = None
    return 1 if at is None else text.count("\n", 0, at) + 1


def _position_of(text: str, key: str, index: int | None) -> int | None:
    at = _skip(text, 0)
    if text[at] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at] == '"':
        name, after = scanstring(text, at + 1, True)
        value = _skip(text, _skip(text, after) + 1)  # behind the colon
        if name == key:
            entry = None if index is None else _entry(text, value, index)
            return at if entry is None else entry
        at = _skip(text, _DECODER.raw_decode(text, value)[1])
        if text[at] != ",":
            return None
        at = _skip(text, at + 1)
    return None


def _entry(text: str, at: int, index: int) -> int | None:
    if text[at] != "[":
        return None
    at = _skip(text, at + 1)
    for _ in range(index):
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        if text[at] != ",":
            return None
        at = _skip(text, at + 1)
    return at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
