"""What the table remembers while it is in service, to be again as it was before."""

from __future__ import annotations

from dataclasses import dataclass

from controller.table.state.course import Phase
from controller.table.state.part import Part


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
