"""Marks of what the kernel consists of, for who compiles it (:mod:`figures.games.compiled`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

SOURCES: Final[list[Callable[..., Any]]] = []
"""The kernel's functions."""


def kernel(function: F) -> F:
    """Mark a function as one of the kernel's; it stays as it is."""
    SOURCES.append(function)
    return function


class Bits(int):
    """64 bits of no meaning as a number: compiled, they are the whole number of 64 bits with a sign
    that has these bits, and ``& MASK``, which cuts Python's numbers off, does nothing."""
