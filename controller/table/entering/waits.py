"""What waits for the gate to be known locked (:mod:`~.fence`)."""

from __future__ import annotations

from dataclasses import dataclass

from controller.table.entering.entries import Entry


@dataclass(slots=True)
class Pending:
    """An entry that waits for the gate: its number, who made it, the cards seen when it came,
    and the last event before the gate was locked, once known."""

    number: int
    entry: Entry
    from_keypad: bool
    cards: int
    locked_at: int | None = None


@dataclass(slots=True)
class Leftover:
    """A void round whose last cards may still be on their way. ``number`` is never an entry's."""

    number: int
    locked_at: int | None = None
