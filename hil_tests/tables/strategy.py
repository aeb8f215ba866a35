"""The strategy: brings a table to a named phase of a round, and from there to its end.

It is always the same round of the MBS document: box 1 has a Pontoon and a Pandemonium wager, box 3
has 18 against the dealer's 8. So every phase occurs in it, and its settlements follow from the
multiplier alone. A scenario disturbs the table in some phase and has the round played to its end;
the disturbance must not change what is paid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.steps import step
from hil_tests.people.dealer import Dealer, stack_whole_set
from hil_tests.people.playing import CARD, ENDED, basic, play_to_end
from hil_tests.people.shoe_hand import WAIT_S

CARDS: Final = "AS 9D 8H KC 9H 3C 9C"
PONTOON_BOX, OTHER_BOX = 1, 3

PHASES: Final = (
    "idle",
    "betting",
    "dealing",
    "armed",
    "spinning",
    "showing",
    "deciding",
    "dealers_hand",
    "settled",
)
"""In the order in which the round comes through them: nobody bets; bets are open; the first card of
the initial deal is out; the button is armed; the meter spins; it shows, the dealer pays; box 3 has
the choice; the dealer has one more card to draw; all is settled."""

MID_ROUND: Final = PHASES[2:-1]
"""Those in which a new boot of the machine is put to the supervisor."""

STATES: Final = {
    "idle": "idle",
    "betting": "betting",
    "dealing": "deal.first_cards",
    "armed": "jackpot.armed",
    "spinning": "jackpot.drawing",
    "showing": "jackpot.paying",
    "deciding": "play.decide",
    "dealers_hand": "dealer.draw",
    "settled": "settled",
}
"""The table's state in each phase (docs/states.md)."""

POWER_FAILURE: Final = "power-failure"
DISTURBED: Final = frozenset({POWER_FAILURE})
"""The faults for which a supervisor has to let play go on after a disturbance of this rig's, and no
other: one that tells of something lost is a failure."""

MOST_RESUMED: Final = 5


class TableStrategy:
    """Brings the table of a bench from phase to phase."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.dealer = Dealer(bench)
        self.phase = "idle"
        self.multiplier: int | None = None
        self._steps: dict[str, Callable[[], None]] = {
            "betting": self._bet,
            "dealing": self._first_card,
            "armed": self._to_the_button,
            "spinning": self._press,
            "showing": self._read_meter,
            "deciding": self._pay,
            "dealers_hand": self._stand,
            "settled": self._finish,
        }

    @step
    def reach(self, phase: str) -> None:
        """Go on until this phase, which must not lie behind."""
        assert PHASES.index(phase) >= PHASES.index(self.phase), (self.phase, phase)
        while self.phase != phase:
            following = PHASES[PHASES.index(self.phase) + 1]
            self._steps[following]()
            self.phase = following
            may_be = {STATES[following]}
            if following == "spinning" != phase:  # nobody stops there: the spin may be over
                may_be.add(STATES["showing"])
            state = self.dealer.state
            assert state in may_be, (following, state, self.dealer.status["held"])

    @step
    def play_out(self) -> Json:
        """Play the round to its end and clear the table; the state in which it was settled.

        Raises:
            AssertionError: it did not come to what its cards and its multiplier come to.
        """
        self.reach("settled")
        state = self.dealer.status
        expected = self.dealer.record.expected()
        assert state["settlements"] == expected["settlements"], state["settlements"]
        assert self.dealer.record.multipliers == [self.multiplier]
        self.dealer.next()
        self.phase, self.multiplier = "idle", None
        return state

    @step
    def recover(self, *devices: str) -> set[str]:
        """After a disturbance: the devices (or all) are there again, and whoever must say that play
        may go on has said so. The faults for which that was needed.

        Raises:
            AssertionError: play is held for what no disturbance may bring about, above all what
                tells that something acknowledged is lost.
        """
        self.dealer.wait_for_devices(*devices)
        told: set[str] = set()
        for _ in range(MOST_RESUMED):
            state = self._at_rest()
            if not state["held"]:
                break
            told |= set(state["held"]["faults"])
            assert told <= DISTURBED, state["held"]
            assert "resume" in state["held"]["remedies"], state["held"]
            self.dealer.supervisor("resume", why="cards and wagers lie as they did")
        else:
            raise AssertionError(f"held after {MOST_RESUMED} resumes: {state['held']}")
        if state["state"].startswith("deal.") and "done" in state["permitted"]:
            self.dealer.end_offer()  # wagers may be taken back (5.29.1): nobody does
        return told

    def _at_rest(self) -> Json:
        """The state once no device is waited for; a meter that spins is not waited for here."""

        def rests(state: Json) -> bool:
            held = state["held"]
            return state["awaiting"] != "device" if held else not state["state"].startswith("held")

        return self.dealer.wait_until(rests, "a table at rest")

    @step
    def lose_power(self, times: int = 1) -> None:
        """The machine loses its power and comes back; in mid-round a supervisor lets play go on."""
        for _ in range(times):
            self.bench.reboot()
        told = self.recover()
        assert (POWER_FAILURE in told) == (self.phase in MID_ROUND), told

    def pressed(self) -> None:
        """Somebody has pressed the armed button, whatever has become of it since."""
        assert self.phase == "armed", self.phase
        self.phase = "spinning"

    # ---- from each phase to the next ----------------------------------------------------------

    def _bet(self) -> None:
        dealer = self.dealer
        stack_whole_set(dealer, CARDS.split(), burned=dealer.rules_burn, tens=False)
        dealer.open_bets()
        dealer.burn_where_due()
        dealer.wager(PONTOON_BOX, main=100, pandemonium=5)
        dealer.wager(OTHER_BOX, main=50)

    def _first_card(self) -> None:
        self.dealer.no_more_bets()
        self.dealer.card()

    def _to_the_button(self) -> None:
        self.dealer.deal()
        self.dealer.jackpot.wait_for(lambda unit: unit["armed"], WAIT_S, "an armed button")

    def _press(self) -> None:
        self.dealer.press_button()
        self.dealer.jackpot.wait_for(
            lambda unit: unit["state"] in ("spinning", "showing"), WAIT_S, "the spin"
        )

    def _read_meter(self) -> None:
        self.multiplier = self.dealer.read_meter()
        shown = self.dealer.jackpot.look()["shown"]
        assert shown == self.multiplier, f"the meter shows {shown}"

    def _pay(self) -> None:
        self.dealer.paid()

    def _stand(self) -> None:
        self.dealer.stand(OTHER_BOX)
        self.dealer.card()

    def _finish(self) -> None:
        self.dealer.dealers_hand()


STACKED_PHASES: Final = ("armed", "spinning", "showing")
MOST_ROUNDS: Final = 20
"""The dealer draws a third card in about every second round; a choice comes in nearly every one."""


class DealtStrategy(TableStrategy):
    """Brings a table to a phase with whatever cards come: boxes 1 and 3 wager, the simple strategy
    decides, and the round must settle as its round script does. The phases of the button need a
    Pontoon, hence a known card: those scenarios need ``stacked`` (:data:`STACKED_PHASES`)."""

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
