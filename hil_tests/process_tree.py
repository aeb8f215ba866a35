"""Processes as Linux shows them in ``/proc``: who is whose child, and whether one still runs."""

from __future__ import annotations

from pathlib import Path


def children(process: int, thread: int | None = None) -> list[int]:
    """What a thread of a process has started and not waited for; without ``thread`` its first one.

    Raises FileNotFoundError or ProcessLookupError where that is gone.
    """
    told = Path(f"/proc/{process}/task/{thread or process}/children").read_text(encoding="ascii")
    return [int(word) for word in told.split()]


def descendants(process: int, thread: int | None = None) -> list[int]:
    """The same, and what those have started with their first threads, and so on."""
    try:
        found = children(process, thread)
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [*found, *(below for child in found for below in descendants(child))]


def lives(process: int) -> bool:
    """It runs; whoever has only not been asked for yet does not."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return told.rpartition(")")[2].split()[0] not in "ZX"
