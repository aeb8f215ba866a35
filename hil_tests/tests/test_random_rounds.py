"""Random rounds from a shuffled shoe: the live table and the round scripts come to the same.

Wagers, decisions and cards are anything that is permitted. Each round is written down as a script
twice, from what the dealer said and from what the journal tells (``round show``), and played by
the runner of scripts.
"""

from __future__ import annotations

import json
import random

import pytest

from hil_tests.bench.interface import Json
from hil_tests.bench.processes import tablectl
from hil_tests.bench.setup import MBS, RWS
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import RandomPlayer, play_to_end
from hil_tests.people.record import result_of
from hil_tests.rig.opening import MakeDealer

ROUNDS = 20
SHOWN = 4
"""The number of them that are also compared with ``round show``: each of these starts a process."""


def _wager(dealer: Dealer, source: random.Random) -> None:
    dealer.clear_wagers()
    for box in sorted(source.sample(range(1, 8), source.randint(1, 4))):
        for bettor in source.choice(["a", "a", "ab", "abc", "bc"]):
            dealer.wager(f"{box}{bettor}", main=2 * source.randint(10, 100))
            for kind in ("pair", "pandemonium"):
                if source.random() < 0.5:
                    dealer.wager(f"{box}{bettor}", **{kind: source.randint(1, 50)})


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_random_rounds(rules: str, table: MakeDealer) -> None:
    source = random.Random(f"{rules} 7")
    dealer = table(rules=rules, seed=7, spin_ms=0)
    player = RandomPlayer(source)
    played: dict[int, tuple[Json, Json]] = {}
    for number in range(1, ROUNDS + 1):
        if dealer.shoe.look()["remaining"] < 150:
            dealer.shoe.do("load", decks=8, seed=source.randrange(10**6))
            dealer.shoe.wait_for(lambda shoe: shoe["unacked"] == 0, what="the new shoe")
        dealer.open_bets()
        _wager(dealer, source)
        dealer.no_more_bets()
        state = play_to_end(dealer, player)
        result = dealer.record.expected()
        assert state["settlements"] == result["settlements"], dealer.record.script()
        played[number] = (dealer.record.script(), result)
        dealer.next()
    assert dealer.bench.stop_controller() == 0
    for number in source.sample(sorted(played), SHOWN):
        _is_shown(dealer, number, *played[number])


def _is_shown(dealer: Dealer, number: int, script: Json, result: Json) -> None:
    """``round show`` tells the same round: its shoe and draws make the same script."""
    state = str(dealer.bench.state_directory)
    told = tablectl("round", "show", str(number), "--json", "--state", state)
    assert told.returncode == 0, told.stderr
    shown = json.loads(told.stdout)
    from_journal = {
        **script,
        "shoe": shown["shoe"],
        "multipliers": [draw["multiplier"] for draw in shown["draws"]],
    }
    assert result_of(from_journal)["settlements"] == shown["settlements"]
    assert shown["round"] == number
    for name in ("settlements", "boxes", "dealer", "outcome", "net"):
        assert shown[name] == result[name]
