"""The demo at a live table: rounds dealt and decided, and the controller killed twice.

The first kill comes while a card is due: the dealer draws it although nobody is there to be told.
The second comes while the meter spins. Both times the controller is started again and play goes
on by itself, with the card where it belongs and the multiplier that was drawn.

At the end :func:`faults` compares records that were made apart: the table's settlements with what
the round scripts give for the cards that were dealt; the journal's cards with those that left the
shoe; the journal's draws with the presses and with what the meter showed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hil_tests.bench.interface import Json
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo.narration import Narration
from hil_tests.demo.plan import Plan
from hil_tests.demo.standing import undisturbed
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import basic, play_to_end
from hil_tests.people.record import Record
from hil_tests.tables.comparison import card_name

KILL_IN = 2
"""The round in whose middle the controller is killed."""


@dataclass(slots=True)
class Played:
    """What the demo has played: every round's script and what the table made of it."""

    rounds: list[tuple[Record, Json]] = field(default_factory=list)
    kills: int = 0
    cards: list[str] = field(default_factory=list)


class DemoDealer(Dealer):
    """A dealer whose controller dies."""

    def __init__(self, bench: VirtualBench, narration: Narration, played: Played) -> None:
        super().__init__(bench)
        self._table = bench
        self._narration = narration
        self._played = played
        played.cards = self.drawn
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
        self._played.kills += 1

    def _resume(self, device: str) -> None:
        with undisturbed():
            self._table.start_controller()
        self.wait_for_devices(device)
        self._narration.note("started again: play goes on by itself")


def play(plan: Plan, bench: VirtualBench, narration: Narration, played: Played) -> None:
    """Play all rounds of the plan; what was played is noted as it happens."""
    dealer = DemoDealer(bench, narration, played)
    narration.devices(dealer.wait_for_devices()["devices"], bench)
    dealer.enter("shuffle 1")
    narration.note("the shuffler shuffles the other set meanwhile")
    for number in range(1, plan.rounds + 1):
        if plan.fill_shoe(dealer, number) and number > 1:
            narration.note("a new shoe")
        dealer.kill_at_card = number == min(KILL_IN, plan.rounds)
        dealer.kill_in_spin = number == plan.press_in
        _round(plan, dealer, number, narration, played)


def _round(
    plan: Plan, dealer: DemoDealer, number: int, narration: Narration, played: Played
) -> None:
    narration.round(number, plan.rounds)
    if plan.place_bets(dealer, number):
        narration.note("the first card of the new shoe is burned")
    narration.wagers(dealer.status)
    state = play_to_end(dealer, basic, narration.step)
    played.rounds.append((dealer.record, state))
    narration.settled(state)
    dealer.next()


def faults(played: Played, entries: list[Json]) -> Iterator[str]:
    """What was not as it must be, in plain words."""
    for record, state in played.rounds:
        if state["settlements"] != record.expected()["settlements"]:
            yield f"round {state['round']}: the round script comes to other settlements"
    cards = [card_name(entry) for entry in entries if entry["type"] == "CARD"]
    if cards != played.cards:
        yield f"{len(played.cards)} cards left the shoe, the journal has {len(cards)} or others"
    drawn = [entry["multiplier"] for entry in entries if entry["type"] == "draw"]
    shown = [multiplier for record, _ in played.rounds for multiplier in record.multipliers]
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    if drawn != shown:
        yield f"the journal has drawn {drawn}, the meter has shown {shown}"
    if len(set(pressed)) != len(pressed) or len(pressed) != len(drawn):
        yield f"{len(pressed)} presses, but {len(drawn)} draws"
