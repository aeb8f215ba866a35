"""The phase of a table and the number of its round. Only the machine changes the phase
(:mod:`controller.table.sequence`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from controller.table.state.part import Part


class Phase(StrEnum):
    """The states of a table's sequence, as journals, snapshots and the status write them. From
    closed bets until the round is cleared, the state that is shown is the round's own."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    PLAYING = "playing"
    ENDED = "ended"
    SERVICE = "service"


@dataclass(slots=True)
class Course(Part):
    """``round_number`` counts up when bets are opened; ``checked``: who has checked the cards of a
    closed table (``dealer``, ``supervisor``)."""

    TAKEN_BACK: ClassVar = ("phase", "round_number")

    phase: Phase = Phase.IDLE
    round_number: int = 0
    checked: frozenset[str] = frozenset()
