"""What has gone wrong in a round and waits for a remedy; what may be done about it is in
:mod:`~.irregular`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.round.money import Stake
from controller.rules.cards import Card
from controller.rules.schema import Case


@dataclass(slots=True)
class Irregularity:
    """What has gone wrong: ``cards`` wait for a place, in the order in which they left the shoe;
    ``asked``: one of them was due; ``seen`` are those that somebody has seen; ``foreign``: it can
    be used by nobody; ``box``, and the ``bettor`` where a letter was said; ``past``: it cannot be
    reconstructed any more. ``case`` is the one that applied when it was opened, or when more became
    known."""

    trigger: str
    cards: list[Card] = field(default_factory=list)
    asked: bool = False
    seen: tuple[Card, ...] = ()
    box: int = 0
    bettor: str = ""
    amount: Stake = None
    case: Case | None = None
    past: bool = False
    areas: int = 0
    settled: bool = False

    def clone(self) -> Irregularity:
        """An independent copy."""
        return replace(self, cards=self.cards.copy())
