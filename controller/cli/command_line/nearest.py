"""The name that was probably meant where one is mistyped."""

from __future__ import annotations

from collections.abc import Iterable

ALIKE = 0.6
"""Share of the letters that have to agree, in their order (:mod:`difflib`)."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A question that names the nearest of ``known``; empty where none is near."""
    from difflib import get_close_matches  # only after a mistake

    nearest = get_close_matches(given, list(known), 1, ALIKE)
    return f"did you mean {nearest[0]!r}?" if nearest else ""
