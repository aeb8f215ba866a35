"""A table at play, in real time, which sends its journal to a floor: a dealer and his players in a
thread, round after round until they are told to end."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Final

from controller.files.rules import load_rules
from hil_tests.bench.logged_program import until
from hil_tests.bench.processes import ROOT
from hil_tests.bench.setup import DIVISION_15, MBS, PLUS, RWS, TRICK, setup_for
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo.plan import ENOUGH_CARDS, SPIN_MS, Plan, shoe_options
from hil_tests.floor.house import House
from hil_tests.floor.sending import SentJournal, cosigned
from hil_tests.people.dealer import Dealer
from hil_tests.people.players import basic
from hil_tests.people.playing import play_to_end
from hil_tests.people.shoe_hand import WAIT_S

DOCUMENTS: Final = (MBS, RWS, PLUS, DIVISION_15, TRICK, MBS)
"""Of six tables."""

PACE_S: Final = 0.5
"""Between two things that people do: a round takes some ten seconds."""

NEVER: Final = 1 << 30


class _Over(Exception):
    """Play is to end."""


class TableAtPlay:
    """The table with that number at the house, from :meth:`put_up` on. Its people take ``pace_s``
    from one thing that they do to the next."""

    def __init__(self, house: House, number: int, seed: int, pace_s: float = PACE_S) -> None:
        rules = DOCUMENTS[(number - 1) % len(DOCUMENTS)]
        setup = setup_for(rules, table=f"P{number}", seed=seed + number, spin_ms=SPIN_MS)
        self._house = house
        self._plan = Plan(load_rules(rules, ROOT), setup, NEVER, seed + number, 1, None)
        self._over = threading.Event()
        self._pace_s = pace_s
        self._thread = threading.Thread(target=self._play, name=setup.table, daemon=True)
        self.bench = VirtualBench(setup)
        configuration = self.bench.folder / "table.toml"
        self.sent = SentJournal(configuration, self.bench.state_directory, house, setup.table)
        self.rounds = 0
        self.wrong = ""
        """What ended play that nobody has ended."""

    @property
    def words(self) -> str:
        """Which table it is."""
        return f"{self.sent.table} {self._plan.rules.id}"

    def put_up(self) -> None:
        """Plug in all devices, and start the controller and the process that sends."""
        for name in self.bench.setup.devices:
            self.bench.add_device(name, *(shoe_options(self._plan) if name == "shoe" else ()))
        self.bench.start_controller()
        self.sent.process.start()

    def play(self) -> None:
        """Let play begin."""
        self._thread.start()

    def lives(self) -> bool:
        """The floor runs, and the process that sends to it.

        Raises:
            ChildProcessError: one has ended by itself.
        """
        return self._house.lives() and self.sent.process.lives()

    def end_play(self) -> None:
        """Tell dealer and players to end, where they are."""
        self._over.set()

    def until_sent(self) -> int:
        """Once play is over: wait until the floor has cosigned what is signed; how many entries.

        Raises:
            ChildProcessError: a program that does it has ended. TimeoutError.
        """
        self._thread.join(WAIT_S)

        def level() -> bool:
            control = self.bench.control
            return self.lives() and cosigned(control.status()) == control.checkpoint()["size"]

        until(level, f"{self.sent.table}: the floor cosigns the newest checkpoint")
        return cosigned(self.bench.control.status())

    def close(self) -> None:
        """End everything of it; nothing is left."""
        with ExitStack() as undo:
            undo.callback(self.bench.close)
            undo.callback(self.sent.process.kill)
            self.end_play()
            if self._thread.is_alive():
                self._thread.join(2 * WAIT_S)

    # ---- in the thread ------------------------------------------------------------------------

    def _play(self) -> None:
        try:
            dealer = Dealer(self.bench)
            dealer.wait_for_devices()
            while True:
                self._round(dealer)
                self.rounds += 1
        except _Over:
            return
        except Exception as error:  # it is told by whoever watches over all tables
            self.wrong = f"{self.words}: {type(error).__name__}: {error}"

    def _round(self, dealer: Dealer) -> None:
        self._full_shoe(dealer)
        dealer.open_bets()
        dealer.burn_where_due()
        for wager in self._plan.wagers(self.rounds == 0):
            dealer.enter(wager)
            self._pause(self._pace_s / 4)
        dealer.no_more_bets()
        play_to_end(dealer, basic, lambda *_: self._pause(self._pace_s))
        self._pause(2 * self._pace_s)
        dealer.next()

    def _full_shoe(self, dealer: Dealer) -> None:
        shoe, plan = dealer.shoe, self._plan
        if shoe.look()["remaining"] < ENOUGH_CARDS:
            tens = bool(plan.rules.cards.tens.value)
            seed = plan.shoe_seed + 1000 * (self.rounds + 1)
            shoe.do("load", decks=plan.setup.decks, seed=seed, tens=tens)
            shoe.wait_for(lambda look: look["unacked"] == 0, WAIT_S, "the new shoe")

    def _pause(self, seconds: float) -> None:
        if self._over.wait(seconds):
            raise _Over
