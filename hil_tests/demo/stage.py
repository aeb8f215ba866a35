"""The demo at a live table: rounds dealt and decided, and the controller killed twice.

The first kill comes while a card is due: the dealer draws it although nobody is there to be told.
The second comes while the meter spins. Both times the controller is started again and play goes
on by itself, with the card where it belongs and the multiplier that was drawn.

At the end records are compared that were made apart: the table's settlements with what the round
scripts give for the cards that were dealt, and its journal with what was seen there.
"""

from __future__ import annotations

from hil_tests.bench.interface import Json
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo.narration import Narration
from hil_tests.demo.plan import Plan
from hil_tests.demo.standing import undisturbed
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import basic, play_to_end
from hil_tests.people.record import Record
from hil_tests.tables.comparison import Comparison, Witness, compare

KILL_IN = 2
"""The round in whose middle the controller is killed."""


class DemoDealer(Dealer):
    """A dealer whose controller dies. ``rounds`` has every round's script and what the table made
    of it."""

    def __init__(self, bench: VirtualBench, narration: Narration) -> None:
        super().__init__(bench)
        self._table = bench
        self._narration = narration
        self.rounds: list[tuple[Record, Json]] = []
        self.kills = 0
        self.kill_at_card = False
        self.kill_in_spin = False

    def card(self, **marks: bool) -> str:
        """The next card; if it is to be, drawn while no controller is there."""
        before = self.status
        if not (self.kill_at_card and not before["state"].startswith("deal.")):
            return super().card(**marks)
        self.kill_at_card = False
        self.wait_for("shoe", lambda shoe: shoe["gate"] == "unlocked", "a card")
        self._narration.dealt(before)
        self._kill("while a card is due")
        card = self.reach_for_card()
        self._narration.note(f"a card leaves the shoe, and nobody is there to be told: {card}")
        self._resume("shoe")
        self.acknowledged()
        self.record.card(card, before)
        return card

    def press_button(self) -> None:
        """The button; if it is to be, the controller dies while the meter spins."""
        before = self.status
        super().press_button()
        if self.kill_in_spin:
            self.kill_in_spin = False
            self.wait_for("jackpot", lambda unit: unit["state"] == "spinning", "the meter")
            self._narration.tell_act(before, "pressed")
            self._kill("while the meter spins")
            self._resume("jackpot")

    def _kill(self, when: str) -> None:
        self._narration.killed(f"the controller is killed (SIGKILL) {when}")
        self._table.kill_controller()
        self.kills += 1

    def _resume(self, device: str) -> None:
        with undisturbed():
            self._table.start_controller()
        self.wait_for_devices(device)
        self._narration.note("started again: play goes on by itself")

    def play(self, plan: Plan) -> None:
        """Play all rounds of the plan."""
        narration = self._narration
        narration.devices(self.wait_for_devices()["devices"], self._table)
        self.enter("shuffle 1")
        narration.note("the shuffler shuffles the other set meanwhile")
        for number in range(1, plan.rounds + 1):
            if plan.fill_shoe(self, number) and number > 1:
                narration.note("a new shoe")
            self.kill_at_card = number == min(KILL_IN, plan.rounds)
            self.kill_in_spin = number == plan.press_in
            narration.round(number, plan.rounds)
            if plan.place_bets(self, number):
                narration.note("the first card of the new shoe is burned")
            narration.wagers(self.status)
            state = play_to_end(self, basic, narration.step)
            self.rounds.append((self.record, state))
            narration.settled(state)
            self.next()

    def stop_and_compare(self) -> Comparison:
        """Stop the controller, and compare what was seen here with the round scripts and with its
        journal."""
        devices = {name: device.look() for name, device in self._table.devices.items()}
        stopped = self._table.stop_controller()
        found = Comparison()
        if stopped:
            said = self._table.controller.last_words()
            found.wrong.append(f"the controller ended with {stopped}:\n{said}")
        for record, state in self.rounds:
            if state["settlements"] != record.expected()["settlements"]:
                found.wrong.append(f"round {state['round']}: the script settles otherwise")
        witness = Witness.of_dealer(self, [state for _, state in self.rounds], devices)
        compare(found, witness, self._table.state_directory)
        return found
