"""Rounds played while the controller is killed, each with a new shoe and wagers of every kind.

A round must settle as its round script does, however often the controller was killed in it.
"""

from __future__ import annotations

import random

from hil_tests.bench.interface import Json
from hil_tests.bench.setup import Setup, setup_for
from hil_tests.kills.account import Account
from hil_tests.kills.killable_table import KillableTable
from hil_tests.people.players import Player
from hil_tests.people.playing import play_to_end
from hil_tests.people.record import Record, rules_by_name
from hil_tests.tables.comparison import Witness, compare
from simulators.cards import shuffled

DEALS = ("A 9 {} K 7", "Q A {} A J", "8 K {} 8 A", "5 5 {} 6 5")
"""The initial deals for boxes 1 and 3 and the dealer between them: most have a Pontoon; the cards
behind them are shuffled."""

SAME_DEAL = "AS 9D 8H KC 9H 3C 9C"
"""A round that is always the same: a Pontoon for box 1; box 3 has 18, the dealer 8 and 3 and 9."""

BURNED = "QC"
MAIN, SIDE = 100, 5


def kill_setup(rules: str, seed: int, spin_ms: int) -> Setup:
    """The table; ``spin_ms`` has to leave time for a kill while the meter spins."""
    return setup_for(rules, seed=seed % 9999, spin_ms=spin_ms)


def some_deal(source: random.Random) -> str:
    """One of :data:`DEALS` in suits."""
    ranks = source.choice(DEALS).format(source.choice("A279K"))
    return " ".join(rank + source.choice("CDHS") for rank in ranks.split())


class KilledRounds:
    """Plays rounds at ``table``, whose devices are up."""

    def __init__(self, table: KillableTable, source: random.Random) -> None:
        self.table = table
        self._source = source
        self._rules = rules_by_name()(table.bench.setup.rules)
        self._settled: list[Json] = []

    def play(self, deal: str, player: Player) -> None:
        """One round, from a new shoe to a table that is cleared."""
        table, setup = self.table, self.table.bench.setup
        self._load(deal.split())
        table.dealer.record = Record(setup.rules, setup.limits)
        table.enter("open")
        table.burn_where_due()
        self._bet()
        state = play_to_end(table, player)
        try:
            expected = table.dealer.record.expected()["settlements"]
        except Exception as error:
            script = table.dealer.record.script()
            raise AssertionError(f"what was seen is no round: {script}; {state}") from error
        if state["settlements"] != expected:
            script = table.dealer.record.script()
            table.account.wrong.append(f"{script} settled otherwise: {state['settlements']}")
        self._settled.append(state)
        table.enter("next")
        table.account.rounds += 1

    def finish(self) -> Account:
        """Stop the controller in good order and compare its journal with what was seen."""
        self.table.until(lambda state: state["state"] == "idle")  # it may have been killed just now
        witness, bench = self.witness, self.table.bench
        status = bench.stop_controller()
        assert status == 0, f"exit status {status} of a stop:\n{bench.complaints()}"
        compare(self.table.account, witness, bench.state_directory)
        return self.table.account

    @property
    def witness(self) -> Witness:
        """What has been seen up to now."""
        table = self.table
        devices = {name: device.look() for name, device in table.bench.devices.items()}
        return Witness(table.cards, table.shown, table.answered, self._settled, devices)

    def _load(self, front: list[str]) -> None:
        """A whole set in the shoe, so that the table finds no card too many."""
        tens = bool(self._rules.cards.tens.value)
        if self._rules.shoe.burn.value != "never":
            front = [BURNED, *front]
        decks = self.table.bench.setup.decks
        rest = [str(card) for card in shuffled(decks, self._source.randrange(9999), tens=tens)]
        for name in front:
            rest.remove(name)
        self.table.dealer.shoe.do("load", cards=[*front, *rest])
        self.table.acknowledged("shoe")

    def _bet(self) -> None:
        """Other amounts than in the round before, whose wagers still lie there: each is an entry
        that changes something."""
        table, more = self.table, 1 + self.table.account.rounds % 2
        sides = list(self._rules.side_wagers)
        table.enter(f"wager 1 main {MAIN * more}")
        for kind in sides:
            table.enter(f"wager 1 {kind} {SIDE * more}")
        table.enter(f"wager 1b main {MAIN * more}")
        table.enter(f"wager 3 main {MAIN * more}")
        table.dealer.record.close(table.status["boxes"])
        table.enter("close")
