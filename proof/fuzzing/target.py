"""A surface that is fuzzed: what is run, where the search begins, what it is made of; and a fault
that was found there: told once, with the smallest bytes that bring it about, and kept.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
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


MOST_TRIES: Final = 2000
MOST_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """``place`` tells one fault from another: the exception and where in our code it was raised."""

    target: Target
    data: bytes
    place: str
    trace: str

    def store(self, folder: Path) -> Path:
        """Write the bytes; the file's path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.target.name}-{hashlib.sha256(self.data).hexdigest()[:12]}"
        path.write_bytes(self.data)
        return path


def fault_of(target: Target, data: bytes) -> Finding | None:
    """Run; the fault, if there is one."""
    try:
        target.run(data)
    except Exception as error:
        return finding(target, data, error)
    return None


def finding(target: Target, data: bytes, error: Exception) -> Finding:
    """What ``error`` is, told by where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(str(ROOT))]
    last = (ours or frames)[-1]
    name = last.filename.removeprefix(f"{ROOT}/")
    place = f"{type(error).__name__} at {name}:{last.lineno}"
    return Finding(target, data, place, "".join(traceback.format_exception(error)))


def smallest(found: Finding) -> Finding:
    """The same fault with as few bytes as leaving some out brings about, within a budget."""
    best, tries, until = found, 0, time.monotonic() + MOST_S
    size = max(1, len(found.data) // 2)
    while size:
        at = 0
        while at < len(best.data):
            tries += 1
            if tries > MOST_TRIES or time.monotonic() > until:
                return best
            less = fault_of(best.target, best.data[:at] + best.data[at + size :])
            if less is not None and less.place == found.place:
                best = less
            else:
                at += size
        size //= 2
    return best
