"""Who is in a round otherwise than the rest: by a clause, behind something that went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from controller.game.round.looks import draw_is_moot
from controller.game.round.state import Round
from controller.game.round.steps import AtBox, Insure, Raise, Step, Surrender
from controller.game.round.wagers import Sheet


@dataclass(slots=True)
class Apart:
    """``out`` are boxes whose wagers were all returned, ``back`` bettors who have theirs back;
    ``most`` is what a wager on a box counts for at most; ``short`` are boxes that got fewer than
    two cards in the initial deal."""

    out: set[int] = field(default_factory=set)
    back: set[tuple[int, str]] = field(default_factory=set)
    most: dict[int, int] = field(default_factory=dict)
    short: set[int] = field(default_factory=set)

    def is_out(self, box: int, bettor: str) -> bool:
        """Whether the bettor's wagers were returned."""
        return box in self.out or (box, bettor) in self.back

    def is_back(self, step: Insure | Surrender) -> bool:
        """Whether who says it, or whose wager it is about, has the wager back."""
        seats = [step.seat, (step.owner if isinstance(step, Insure) else None) or step.seat]
        return any(self.is_out(seat.box, seat.bettor or "a") for seat in seats)

    def open_to_others(self, steps: Iterable[Step]) -> set[str]:
        """Those of the offers that are no business of people who have their wagers back."""
        found = (step for step in steps if isinstance(step, Insure | Surrender))
        return {str(step) for step in found if not self.is_back(step)}

    def limited(self, step: Step) -> Step:
        """The step with what it counts for at most."""
        most = self.most.get(step.seat.box, 0) if isinstance(step, AtBox) else 0
        if not isinstance(step, Raise) or not most or step.amount is None:
            return step
        return replace(step, amount=min(step.amount, most))

    def sheet(self, placed: Sheet) -> Sheet:
        """The wagers as they count: none above a maximum that was noticed too late."""
        counts = placed.clone()
        for box, most in self.most.items():
            for bettor, stake in placed.of_box("main", box).items():
                counts.set("main", box, bettor, min(stake or 0, most))
        return counts

    def alone_depend(self, rnd: Round) -> bool:
        """Whether only those who have their wagers back depend on the dealer's card."""
        if not self.out and not self.back:
            return False
        others = rnd.clone()
        for hand in others.hands:
            for bettor, bet in hand.bets.items():
                bet.open = bet.open and not self.is_out(hand.box, bettor)
        return draw_is_moot(others)
