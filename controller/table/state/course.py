"""The phase of a table and the number of its round, and what it remembers while it is in service,
to be again as it was before. Only the machine changes the phase (:mod:`controller.table.sequence`).
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


@dataclass(slots=True)
class Service(Part):
    """``came_from`` is the phase in which service began, ``offers_from`` the first number of an
    offer that was made in it; ``ran_out``: the shoe had run out before. Since then: ``drawn`` cards
    have left the shoe, its cards were taken out (``exchanged``), some of them drawn before that
    (``touched``), and ``shoe`` is the state and the number of cards that it reported last, None
    where a card has left it behind that report."""

    came_from: Phase = Phase.IDLE
    offers_from: int = 0
    ran_out: bool = False
    drawn: int = 0
    exchanged: bool = False
    touched: bool = False
    shoe: tuple[int, int] | None = None
