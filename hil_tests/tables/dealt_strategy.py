"""The strategy for a bench where the next card is not known: cards as they lie in a real shoe.

Boxes 1 and 3 wager, the cards are dealt as they come, the simple strategy decides, and the round
must settle as its round script does. A phase that a round does not reach is looked for in the next
one. The phases of the button need a Pontoon, hence a known card: those scenarios need ``stacked``
(:data:`STACKED_PHASES`).
"""

from __future__ import annotations

from typing import Final

from hil_tests.bench.interface import Json
from hil_tests.bench.steps import step
from hil_tests.people.players import CARD, basic
from hil_tests.people.playing import ENDED, play_to_end
from hil_tests.tables.strategy import OTHER_BOX, PONTOON_BOX, TableStrategy

STACKED_PHASES: Final = ("armed", "spinning", "showing")
MOST_ROUNDS: Final = 20
"""The dealer draws a third card in about every second round; a choice comes in nearly every one."""


class DealtStrategy(TableStrategy):
    """Brings a table to a phase with whatever cards come."""

    @step
    def reach(self, phase: str) -> None:
        """Go on until this phase; in the next round where this one does not come to it."""
        for _ in range(MOST_ROUNDS):
            while self.phase not in (phase, "settled"):
                self._on()
            if self.phase == phase:
                return
            self._clear()
        raise AssertionError(f"{MOST_ROUNDS} rounds, and none came to {phase}")

    @step
    def play_out(self) -> Json:
        """See :meth:`hil_tests.tables.strategy.TableStrategy.play_out`."""
        if self.phase == "idle":
            self._on()
        if self.phase == "betting":
            self._on()
        state = play_to_end(self.dealer, basic)
        self._clear()
        return state

    def _on(self) -> None:
        """One thing more; the phase that it has come to."""
        dealer = self.dealer
        state = dealer.status
        if self.phase == "idle":
            dealer.open_bets()
            dealer.burn_where_due()
            dealer.wager(PONTOON_BOX, main=100)
            dealer.wager(OTHER_BOX, main=50)
        elif self.phase == "betting":
            dealer.no_more_bets()
            dealer.card()
        elif state["awaiting"] == "card" or (said := basic(state)) == CARD:
            dealer.card()
        else:
            dealer.enter(said)
        self.phase = self._now()

    def _now(self) -> str:
        state = self.dealer.status
        if state["state"] in ENDED:
            return "settled"
        names = {
            "idle": "idle",
            "betting": "betting",
            "play.decide": "deciding",
            "dealer.draw": "dealers_hand",
        }
        return names.get(state["state"], "dealing")

    def _clear(self) -> None:
        """The round is over: it came to what its cards come to."""
        state = self.dealer.status
        expected = self.dealer.record.expected()
        assert state["settlements"] == expected["settlements"], state["settlements"]
        self.dealer.next()
        self.phase, self.multiplier = "idle", None
