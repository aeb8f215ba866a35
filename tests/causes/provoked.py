"""Every way to make an error happen: a function of the error's name, kept in a list.

Read by the tests, which run each, and by ``pages.faults``, which counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple


class Way(NamedTuple):
    """How the error ``name`` is made to happen; ``root``: only root can; ``does`` raises it, on the
    path that it is given or that it returns."""

    name: str
    does: Callable[[Path], object]
    root: bool


WAYS: Final[dict[str, Way]] = {}


def provokes(name: str, *, root: bool = False) -> Callable[[Callable[[Path], object]], object]:
    """Note the function as the way to that error; it is given an empty folder."""

    def noted(does: Callable[[Path], object]) -> object:
        assert name not in WAYS
        WAYS[name] = Way(name, does, root)
        return does

    return noted
