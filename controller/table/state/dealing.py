"""The round in progress, and the cards that have left the shoe for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from controller.round.result_fields import SettlementResult
from controller.round.state import Round
from controller.rules.cards import Card
from controller.table.state.loose import LooseCard
from controller.table.state.part import Part


@dataclass(slots=True)
class Dealing(Part):
    """``drawn`` are the cards of the round in the order in which they left the shoe; ``squeezed``
    boxes are dealt face down, ``kept`` is the card that is kept back from the round until cards are
    turned; ``told`` and ``remarked`` are the numbers of settlements and remarks of the round that
    outcomes have reported; ``reshuffled`` is the round in which the discards were shuffled."""

    TAKEN_BACK: ClassVar = ("rnd", "drawn", "squeezed", "told")

    rnd: Round | None = None
    drawn: list[LooseCard] = field(default_factory=list)
    squeezed: frozenset[int] = frozenset()
    kept: LooseCard | None = None
    told: int = 0
    remarked: int = 0
    reshuffled: int = 0

    def begin(self, rnd: Round) -> None:
        """Begin a round without cards; bets are closed."""
        self.rnd, self.drawn, self.told = rnd, [], 0

    def update(self, rnd: Round) -> None:
        """Replace the round with the next one, ``rnd``."""
        self.rnd = rnd

    def call_back(self) -> None:
        """Drop a round that has not begun."""
        self.rnd = None

    def clear(self) -> None:
        """Clear the round."""
        self.rnd, self.drawn, self.squeezed = None, [], frozenset()

    def end(self) -> None:
        """Record the end of the round; a void one has other settlements than those reported."""
        if self.rnd is not None and self.rnd.state == "void":
            self.told = 0

    def newly_settled(self) -> list[SettlementResult]:
        """The settlements that no outcome has reported yet; they count as reported from now on."""
        settled = self.rnd.settlements if self.rnd else []
        new = [settlement.as_result() for settlement in settled[self.told :]]
        self.told = max(self.told, len(settled))
        return new

    def correct(self, place: int, card: Card) -> None:
        """Replace the card at that place among those drawn with ``card``."""
        old = self.drawn[place]
        self.drawn = self.drawn.copy()
        self.drawn[place] = replace(old, card=card)
        if old is self.kept:
            self.kept = self.drawn[place]
