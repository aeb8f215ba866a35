"""Every document is played live, on real links: rounds of anything that is permitted.

What the table settles is what the round scripts make of the same cards; burning and squeezing do
not change it.
"""

from __future__ import annotations

import json
import random

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.interface import Json
from hil_tests.bench.setup import DIVISION_15, DOCUMENTS, MBS, PLUS, RWS, TRICK, setup_for
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import wait_until_held
from hil_tests.people.playing import RandomPlayer, play_to_end
from hil_tests.people.record import result_of
from hil_tests.rig.opening import MakeDealer

pytestmark = pytest.mark.needs_bench("hands")

ROUNDS = dict.fromkeys(DOCUMENTS, 6) | {MBS: 20, RWS: 20}
SHOWN = 4
"""So many of them are also compared with ``round show``: each of these starts a process."""
LEFT = 150
"""Cards with which nobody begins a round."""
SEED = 5


def _wager(dealer: Dealer, source: random.Random, rules: str) -> None:
    """Anything that is permitted."""
    dealer.clear_wagers()
    for box in sorted(source.sample(range(1, 8), source.randint(1, 4))):
        for bettor in "a" if rules == TRICK else source.choice(["a", "a", "ab", "abc", "bc"]):
            dealer.wager(f"{box}{bettor}", main=2 * source.randint(10, 100))
            for kind in ("pair", "bonus", "pandemonium"):
                permitted = f"wager BOX {kind} AMOUNT" in dealer.status["permitted"]
                if permitted and source.random() < 0.7:
                    dealer.wager(f"{box}{bettor}", **{kind: source.randint(1, 50)})


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_rounds(rules: str, table: MakeDealer) -> None:
    """Each is written down as a script twice, from what the dealer said and from what the journal
    tells (``round show``)."""
    source = random.Random(f"{rules} {SEED}")
    dealer = table(setup_for(rules, seed=SEED, spin_ms=0))
    player = RandomPlayer(source)
    played: dict[int, tuple[Json, Json]] = {}
    before = 0
    for number in range(1, ROUNDS[rules] + 1):
        look = dealer.shoe.look()
        if look["remaining"] < LEFT:
            before = look["drawn"]
            dealer.load(decks=8, seed=source.randrange(10**6), tens=rules == TRICK)
        dealer.open_bets()
        fresh = look["drawn"] == before
        assert bool(dealer.burn_where_due()) == (fresh and rules in (MBS, DIVISION_15))
        _wager(dealer, source, rules)
        if rules == PLUS:
            box = next(iter(dealer.status["boxes"]))
            dealer.enter(f"squeeze {box}")
        dealer.no_more_bets()
        state = play_to_end(dealer, player)
        expected = dealer.record.expected()
        assert state["settlements"] == expected["settlements"], dealer.record.script()
        played[number] = (dealer.record.script(), expected)
        dealer.next()
    used = dealer.status["shoe"]["used"]
    assert dealer.status["shoe"]["remaining"] == dealer.shoe.look()["remaining"]
    assert used == dealer.shoe.look()["drawn"] - before
    for number in source.sample(sorted(played), SHOWN):
        _is_shown(dealer, number, *played[number])


def _is_shown(dealer: Dealer, number: int, script: Json, expected: Json) -> None:
    """``round show`` tells the same round: its shoe and draws make the same script."""
    told = dealer.bench.tablectl("round", "show", str(number), "--json")
    assert told.returncode == 0, told.stderr
    shown = json.loads(told.stdout)
    draws = [draw["multiplier"] for draw in shown["draws"]]
    from_journal = result_of({**script, "shoe": shown["shoe"], "multipliers": draws})
    assert from_journal["settlements"] == shown["settlements"]
    assert shown["round"] == number
    for name in ("settlements", "boxes", "dealer", "outcome", "net"):
        assert shown[name] == expected[name]


def test_a_shoe_with_a_card_missing_holds_between_rounds(table: MakeDealer) -> None:
    dealer = table(rules=RWS)
    dealer.open_bets()
    dealer.wager(1, main=100)
    dealer.no_more_bets()
    play_to_end(dealer, RandomPlayer(random.Random(SEED)))
    dealer.next()
    left = dealer.shoe.look()["remaining"]
    dealer.shoe.do("load", cards=["9C"] * (left - 1))
    held = wait_until_held(dealer, "shoe-count")
    assert held["remedies"] == ["resume"]
    assert "1 missing" in held["reason"]
    dealer.supervisor("resume")
    dealer.open_bets()


def test_the_cutting_card_before_a_round_shuffles_first(table: MakeDealer) -> None:
    dealer = table(setup_for(DIVISION_15, options={"shoe": ("--cut", "383")}))
    dealer.open_bets()
    dealer.wager(1, main=100)
    dealer.burn_where_due()  # and the cutting card shows
    dealer.wait_until(lambda state: state["shoe"]["cutting_card"], "the cutting card")
    with pytest.raises(RefusedByController, match="load a shuffled shoe first"):
        dealer.enter("close")
    dealer.shoe.do("load", seed=9)
    dealer.wait_until(lambda state: "close" in state["permitted"], "the new shoe")
    dealer.burn_where_due()
    dealer.no_more_bets()


def test_a_set_that_comes_out_incomplete(table: MakeDealer) -> None:
    options = {"shuffler": ("--shuffle-ms", "30")}
    dealer = table(rules=RWS, options=options)
    assert dealer.status["shoe"]["set"] == 2  # the shuffler holds the other one
    with pytest.raises(RefusedByController, match="set 2 is in play"):
        dealer.enter("shuffle 2")
    shuffler = dealer.bench.devices["shuffler"]
    shuffler.do("plant", set=1, card="9D", difference=-1)
    dealer.enter("shuffle 1")
    told = dealer.wait_until(lambda state: state["shoe"]["blocked"], "the count")
    assert told["shoe"]["blocked"] == {"1": "1 9D missing"}
    assert "open" in told["permitted"]  # set 2 is in play
