"""A table at which things go wrong, told round by round, and its journal looked at in the end.

What every irregularity has in common is looked for here: play is held with the reason and its
clause, the gate locked, the lamp red, the prompt telling who may do what; the dealer is refused
what is the supervisor's.
"""

from __future__ import annotations

import json

from controller.control.client import Rejected
from hil_tests.bench import Json
from hil_tests.dealer import Dealer
from hil_tests.tablectl import tablectl


class Story:
    """The dealer of a story, and what the rounds have come to."""

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self._told: list[Json] = []

    def deal(self, cards: str, **wagers: Json) -> None:
        """A round of these cards, and the initial deal up to the first that is not as it should
        be. ``wagers`` by seats: ``box_1={"main": 100}``."""
        dealer = self.dealer
        dealer.stack(cards.replace("^", "u").replace("%", "b"))
        dealer.open_bets()
        for box, told in dealer.status["boxes"].items():
            for bettor in told["wagers"]:
                dealer.say(f"wager {box}{bettor} main 0")
        for seat, amounts in wagers.items():
            dealer.wager(seat.removeprefix("box_"), **amounts)
        dealer.no_more_bets()
        dealer.deal()

    def held(self, reason: str, clause: str, *remedies: str, dealer: tuple[str, ...] = ()) -> None:
        """Play is held for ``reason``, with its clause; these are the supervisor's remedies, and
        those of ``dealer`` are the dealer's too."""
        state = self.dealer.status
        assert state["held"], state
        said = state["held"]["reason"]
        assert reason in said, said
        assert f"({clause}" in said, said
        assert state["held"]["remedies"] == list(remedies), state["held"]["remedies"]
        assert state["permitted"] == list(dealer), state["permitted"]
        assert state["awaiting"] == ("dealer" if dealer else "supervisor")
        assert state["state"].startswith("held.")
        assert state["prompt"].startswith(f"Held: {said}. The supervisor may: ")
        assert ("You may: " in state["prompt"]) == bool(dealer)
        self.dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "locked")
        self.dealer.shoe.wait_for(lambda shoe: (shoe["signal"], shoe["blink"]) == ("red", True))
        row = "HELD: SEE SCREEN" if dealer else "HELD: SUPERVISOR"
        keypad = self.dealer.bench.devices["keypad"]
        keypad.wait_for(lambda pad: pad["hold"] and pad["rows"][0] == row)

    def supervisor(self, remedy: str) -> None:
        """A remedy that is not the dealer's: he is refused, the supervisor gives it."""
        try:
            self.dealer.say(remedy)
        except Rejected:
            self.dealer.supervisor(remedy, why=f"{remedy}, as the clause has it")
            return
        raise AssertionError(f"the dealer was not refused {remedy}")

    def power_cut(self) -> None:
        """The box starts anew, everything else as it lay."""
        self.dealer.bench.reboot()
        self.dealer.wait_for_devices()

    def on(self) -> None:
        """Nothing is wrong any more: play goes on."""
        state = self.dealer.status
        assert (state["held"], state["state"].startswith("held.")) == (None, False)

    def comes_to(self, shoe: str, *settled: str) -> None:
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
        self._told.append({**shown, "shoe": shoe, "multipliers": list(draws)})
        self.dealer.next()

    def is_written_down(self) -> None:
        """The journal is well, and shows every round as it was."""
        bench = self.dealer.bench
        assert bench.stop_controller() == 0
        state = ("--state", str(bench.state_directory))
        verified = tablectl("journal", "verify", *state)
        assert verified.returncode == 0, verified.stdout + verified.stderr
        for told in self._told:
            shown = json.loads(
                tablectl("round", "show", str(told["round"]), "--json", *state).stdout
            )
            assert shown["shoe"] == told["shoe"], shown["shoe"]
            assert shown["settlements"] == told["settlements"]
            assert shown["dealer"] == told["dealer"]
            assert [draw["multiplier"] for draw in shown["draws"]] == told["multipliers"]
