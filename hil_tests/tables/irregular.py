"""A table at which things go wrong, played round by round, and its journal checked at the end.

What all irregularities have in common is checked here: play is held with the reason and its clause,
the gate is locked, the lamp red, the prompt says who may do what; the dealer is refused what is the
supervisor's.
"""

from __future__ import annotations

import json

from controller.control.client import RefusedByController
from hil_tests.bench.interface import Json
from hil_tests.bench.processes import tablectl
from hil_tests.people.dealer import Dealer, Wagers
from hil_tests.tables.comparison import stop_and_verify


class IrregularTable:
    """The dealer of such a table, and how its rounds were settled."""

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self._rounds: list[Json] = []

    def deal(self, cards: str, **wagers: Json) -> None:
        """A round of these cards, and the initial deal up to the first that is not as it should
        be. ``wagers`` by seats: ``box_1={"main": 100}``."""
        placed: Wagers = {seat.removeprefix("box_"): amounts for seat, amounts in wagers.items()}
        self.dealer.deal_round(cards.replace("^", "u").replace("%", "b"), placed)

    def expect_held(
        self, reason: str, clause: str, *remedies: str, dealer: tuple[str, ...] = ()
    ) -> None:
        """Play is held for ``reason``, with its clause; these are the supervisor's remedies, and
        those of ``dealer`` are the dealer's too, who may take back what he has reported himself."""
        state = self.dealer.status
        assert state["held"], state
        said = state["held"]["reason"]
        assert reason in said, said
        assert f"({clause}" in said, said
        assert state["held"]["remedies"] == list(remedies), state["held"]["remedies"]
        remedies_of_his = [one["text"] for one in state["actions"] if one["verb"] != "undo"]
        assert remedies_of_his == list(dealer), state["permitted"]
        assert state["awaiting"] == ("dealer" if dealer else "supervisor")
        assert state["state"].startswith("held.")
        assert state["prompt"].startswith(f"Held: {said}. The supervisor may: ")
        assert ("You may: " in state["prompt"]) == bool(state["permitted"])
        self.dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "locked")
        self.dealer.shoe.wait_for(lambda shoe: (shoe["signal"], shoe["blink"]) == ("red", True))
        row = "HELD: SEE SCREEN" if dealer else "HELD: SUPERVISOR"
        keypad = self.dealer.bench.devices["keypad"]
        keypad.wait_for(lambda pad: pad["hold"] and pad["rows"][0] == row)

    def remedy_by_supervisor(self, remedy: str) -> None:
        """A remedy that is not the dealer's: he is refused, the supervisor gives it."""
        try:
            self.dealer.enter(remedy)
        except RefusedByController:
            self.dealer.supervisor(remedy, why=f"{remedy}, as the clause has it")
            if (self.dealer.status["held"] or {}).get("fault") == "void-unconfirmed":
                self.dealer.second_person()
            return
        raise AssertionError(f"the dealer was not refused {remedy}")

    def power_cut(self) -> None:
        """The machine is rebooted; cards and wagers stay as they are."""
        self.dealer.bench.reboot()
        self.dealer.wait_for_devices()

    def expect_play(self) -> None:
        """Play is not held."""
        state = self.dealer.status
        assert (state["held"], state["state"].startswith("held.")) == (None, False)

    def expect_settled(self, shoe: str, *settled: str) -> None:
        """The round is over: these wagers, in their order; ``shoe`` is what is written of the
        cards as they left. The table is cleared."""
        state = self.dealer.status
        lines = [
            f"{s['box']}{s['bettor']} {s['kind']} {s['outcome']} {s['net']} ({s['clause']})"
            for s in state["settlements"]
        ]
        assert lines == list(settled), lines
        shown = {key: state[key] for key in ("round", "settlements", "dealer")}
        draws = self.dealer.record.multipliers
        self._rounds.append({**shown, "shoe": shoe, "multipliers": list(draws)})
        self.dealer.next()

    def check_journal(self) -> None:
        """Stop the controller; the journal is intact and shows every round as it was."""
        state = ("--state", str(stop_and_verify(self.dealer.bench)))
        for told in self._rounds:
            shown = json.loads(
                tablectl("round", "show", str(told["round"]), "--json", *state).stdout
            )
            assert shown["shoe"] == told["shoe"], shown["shoe"]
            assert shown["settlements"] == told["settlements"]
            assert shown["dealer"] == told["dealer"]
            assert [draw["multiplier"] for draw in shown["draws"]] == told["multipliers"]
