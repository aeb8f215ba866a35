"""JSON as it is read from people and programs: every key once, and no number that is none."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Never


def parse_json(text: str, parse_float: Callable[[str], Any] = float) -> Any:
    """What the text says.

    Raises:
        ValueError: it is not JSON, or a key stands twice. ArithmeticError, RecursionError: a
            number or a nesting without measure.
    """
    return json.loads(
        text, parse_float=parse_float, parse_constant=_no_number, object_pairs_hook=_each_once
    )


def _no_number(name: str) -> Never:
    raise ValueError(f"{name} is no number")


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = [name for name, n in Counter(name for name, _ in pairs).items() if n > 1]
        raise ValueError(f"key {twice[0]!r} stands twice")
    return found
