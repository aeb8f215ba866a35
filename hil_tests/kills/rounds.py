"""Rounds played while the controller is killed, each with a new shoe and wagers of every kind.

A round must settle as its round script does, however often the controller was killed in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from hil_tests.bench.interface import Json
from hil_tests.bench.setup import Setup, setup_for
from hil_tests.kills.killable_dealer import Account, KillableDealer
from hil_tests.people.dealer import stack_whole_set
from hil_tests.people.playing import Player, RandomPlayer, play_to_end
from hil_tests.people.record import rules_by_name
from hil_tests.tables.comparison import Witness, compare

DEALS = ("A 9 {} K 7", "Q A {} A J", "8 K {} 8 A", "5 5 {} 6 5")
"""The initial deals for boxes 1 and 3 and the dealer between them: most have a Pontoon; the cards
behind them are shuffled."""

MAIN, SIDE = 100, 5
WITHOUT_A_KILL = 20
"""Rounds after which something is wrong with the way to kill."""

People = TypeVar("People", bound=KillableDealer)


def kill_setup(rules: str, seed: int, spin_ms: int) -> Setup:
    """The table; ``spin_ms`` has to leave time for a kill while the meter spins."""
    return setup_for(rules, seed=seed % 9999, spin_ms=spin_ms)


def some_deal(source: random.Random) -> str:
    """One of :data:`DEALS` in suits."""
    ranks = source.choice(DEALS).format(source.choice("A279K"))
    return " ".join(rank + source.choice("CDHS") for rank in ranks.split())


class KilledRounds:
    """Plays rounds with ``dealer``, whose devices are up."""

    def __init__(self, dealer: KillableDealer, source: random.Random) -> None:
        self.dealer = dealer
        self._source = source
        self._rules = rules_by_name()(dealer.bench.setup.rules)
        self._settled: list[Json] = []

    def play(self, deal: str, player: Player) -> None:
        """One round, from a new shoe to a table that is cleared."""
        dealer = self.dealer
        self._load(deal.split())
        dealer.open_bets()
        dealer.burn_where_due()
        self._bet()
        state = play_to_end(dealer, player)
        try:
            expected = dealer.record.expected()["settlements"]
        except Exception as error:
            script = dealer.record.script()
            raise AssertionError(f"what was seen is no round: {script}; {state}") from error
        if state["settlements"] != expected:
            script = dealer.record.script()
            dealer.account.wrong.append(f"{script} settled otherwise: {state['settlements']}")
        self._settled.append(state)
        dealer.next()
        dealer.account.rounds += 1

    def play_until_killed(self, kills: int, in_doubt: int = 0, spins: int = 0) -> Account:
        """Rounds by chance until there were so many kills at least, in doubt, and while the meter
        spun; the account."""
        account = self.dealer.account
        while account.kills < kills or account.in_doubt < in_doubt or account.spins < spins:
            self.play(some_deal(self._source), RandomPlayer(self._source))
            assert account.rounds < WITHOUT_A_KILL + kills, f"no kill of the wanted kind: {account}"
        return self.finish()

    def finish(self) -> Account:
        """Stop the controller in good order and compare its journal with what was seen."""
        dealer = self.dealer
        dealer.wait_until(
            lambda state: state["state"] == "idle"
        )  # it may have been killed just now
        witness, bench = self.witness, dealer.bench
        status = bench.stop_controller()
        assert status == 0, f"exit status {status} of a stop:\n{bench.complaints()}"
        compare(dealer.account, witness, bench.state_directory)
        return dealer.account

    @property
    def witness(self) -> Witness:
        """What has been seen up to now."""
        devices = {name: device.look() for name, device in self.dealer.bench.devices.items()}
        return Witness.of_dealer(self.dealer, self._settled, devices)

    def _load(self, front: list[str]) -> None:
        """A whole set in the shoe, so that the table finds no card too many."""
        tens, burned = bool(self._rules.cards.tens.value), self.dealer.rules_burn
        stack_whole_set(self.dealer, front, burned=burned, tens=tens, source=self._source)

    def _bet(self) -> None:
        """Other amounts than in the round before, whose wagers still lie there: each is an entry
        that changes something."""
        dealer, more = self.dealer, 1 + self.dealer.account.rounds % 2
        sides = dict.fromkeys(self._rules.side_wagers, SIDE * more)
        dealer.wager(1, main=MAIN * more, **sides)
        dealer.wager("1b", main=MAIN * more)
        dealer.wager(3, main=MAIN * more)
        dealer.no_more_bets()


@contextmanager
def running(dealer: People) -> Iterator[People]:
    """The dealer at his bench with everything plugged in, and the report before opening made."""
    with dealer.bench:
        dealer.wait_for_devices()
        dealer.ask_ready()
        yield dealer
