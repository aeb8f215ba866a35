"""One round of play, from the closed bets to the last settlement.

A round takes cards, steps, presses and drawn multipliers; the machine decides whether and what
next, the guards say why not, the settling functions say how much. A refused step changes nothing.
Rounds can be copied (:meth:`Round.clone`), which is how an entry is tried and taken back.
"""

from __future__ import annotations

from typing import Any

from controller.rules.cards import Card
from controller.table.guards import CHECKS, out_of_place, short_out_of_place
from controller.table.machine import MACHINE, PASSING, WINDOWS
from controller.table.model import Refused
from controller.table.round_actions import RoundActions
from controller.table.steps import Step


class Round(RoundActions):
    """A round; these methods are its verbs, and the only way to change it."""

    def take(self, card: Card) -> None:
        """A card leaves the shoe; it has exactly one destination.

        Raises:
            Refused: no card may leave now.
        """
        if not self.card_expected:
            raise Refused(
                f"no card may leave the shoe now ({self.state})", self.clause, short="CARD NOT DUE"
            )
        if self.state in WINDOWS:
            self._fire("done")
        self._fire("card", card)

    def step(self, step: Step) -> None:
        """A decision of a player, or the dealer's ``done``.

        In a window (offers, withdrawal) any other step closes it first, if it may then be taken.

        Raises:
            Refused: it may not be taken now; nothing has changed.
        """
        window = WINDOWS.get(self.state)
        if window is not None and step.verb not in window:
            trial = self.clone()
            trial.step(Step("done"))
            trial.step(step)
            self.__dict__.update(trial.__dict__)
            return
        self.check(step)
        self._fire(step.verb, step)
        if self.state == "offers.open" and not self.offers_left():
            self._fire("done", Step("done"))

    def check(self, step: Step) -> None:
        """Whether :meth:`step` would be taken in this very state.

        Raises:
            Refused: with the reason and the clause.
        """
        event = MACHINE.events.get(step.verb)
        guard = CHECKS.get(step.verb)
        if event is None or guard is None:
            raise Refused(
                f"{step.verb!r} is no step of a round", out_of_place(self, step), "NO SUCH STEP"
            )
        if step.verb in self.rules.not_played:
            raise Refused(
                f"these rules do not play {step.verb!r}",
                self.rules.not_played[step.verb],
                short="NOT PLAYED HERE",
            )
        if self.state not in event.transitions:
            raise Refused(
                f"{step} is not permitted now ({self.state})",
                out_of_place(self, step),
                short=short_out_of_place(self, step),
            )
        guard(self, step)
        if step.verb == "done" and self.state.startswith("dealer.") and not self.draw_is_moot():
            raise Refused(
                "the dealer must draw: wagers depend on it", self.clause, short="DEALER MUST DRAW"
            )

    def drawn(self, multiplier: int) -> None:
        """The draw for the box that pressed."""
        self._fire("drawn", multiplier)

    def shown(self) -> None:
        """The meter shows the multiplier drawn."""
        self._fire("shown")

    def void(self, clause: str) -> None:
        """The round is void; every wager is returned."""
        self.void_clause = clause
        self._fire("void")

    def _fire(self, trigger: str, *args: Any) -> None:
        if not MACHINE.events[trigger].trigger(self, *args):
            raise Refused(f"{trigger} is not permitted now ({self.state})", self.clause)
        while self.state in PASSING:
            MACHINE.events["advance"].trigger(self)
