"""A surface that is fuzzed: what is run, where the search begins, what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CORPUS: Final = Path(__file__).parent / "corpus"
"""Bytes that once brought about a fault, by target."""


@dataclass(frozen=True, slots=True)
class Target:
    """``run`` takes the bytes and returns how many ``units`` were judged with them; it raises only
    where something is wrong with us. ``seeds`` are bytes that lead far, ``tokens`` what texts of
    this kind are made of, ``most_bytes`` how long bytes become."""

    name: str
    units: str
    run: Callable[[bytes], int]
    seeds: Callable[[], Sequence[bytes]]
    tokens: tuple[bytes, ...] = ()
    most_bytes: int = 1024

    def corpus(self) -> list[bytes]:
        """The bytes of faults that were found and mended."""
        folder = CORPUS / self.name
        return [path.read_bytes() for path in sorted(folder.glob("*")) if path.is_file()]
