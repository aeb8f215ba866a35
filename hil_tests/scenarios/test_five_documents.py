"""Every document is played live, on real links: rounds of anything that is permitted.

What the table settles is what the round scripts make of the same cards; burning and squeezing do
not change it.
"""

from __future__ import annotations

import random

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.setup import DIVISION_15, DOCUMENTS, MBS, PLUS, RWS, TRICK, setup_for
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import RandomPlayer, play_to_end
from hil_tests.rig.opening import MakeDealer

pytestmark = pytest.mark.needs_bench("hands")

ROUNDS = 6
SEED = 5


def _wager(dealer: Dealer, source: random.Random, rules: str) -> None:
    for box, told in dealer.status["boxes"].items():
        for bettor in told["wagers"]:
            dealer.enter(f"wager {box}{bettor} main 0")
    for box in sorted(source.sample(range(1, 8), source.randint(1, 3))):
        for bettor in "a" if rules == TRICK else source.choice(["a", "ab", "bc"]):
            dealer.wager(f"{box}{bettor}", main=2 * source.randint(10, 100))
            for kind in ("pair", "bonus", "pandemonium"):
                if f"wager BOX {kind} AMOUNT" in dealer.status["permitted"]:
                    dealer.wager(f"{box}{bettor}", **{kind: source.randint(1, 50)})


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_rounds(rules: str, table: MakeDealer) -> None:
    source = random.Random(f"{rules} {SEED}")
    dealer = table(setup_for(rules, seed=SEED, spin_ms=0))
    player = RandomPlayer(source)
    for number in range(ROUNDS):
        dealer.open_bets()
        assert bool(dealer.burn_where_due()) == (number == 0 and rules in (MBS, DIVISION_15))
        _wager(dealer, source, rules)
        if rules == PLUS:
            box = next(iter(dealer.status["boxes"]))
            dealer.enter(f"squeeze {box}")
        dealer.no_more_bets()
        state = play_to_end(dealer, player)
        assert state["settlements"] == dealer.record.expected()["settlements"]
        dealer.next()
    used = dealer.status["shoe"]["used"]
    assert dealer.status["shoe"]["remaining"] == dealer.shoe.look()["remaining"]
    assert used == dealer.shoe.look()["drawn"]


def test_a_shoe_with_a_card_missing_holds_between_rounds(table: MakeDealer) -> None:
    dealer = table(rules=RWS)
    dealer.open_bets()
    dealer.wager(1, main=100)
    dealer.no_more_bets()
    play_to_end(dealer, RandomPlayer(random.Random(SEED)))
    dealer.next()
    left = dealer.shoe.look()["remaining"]
    dealer.shoe.do("load", cards=["9C"] * (left - 1))
    held = dealer.wait_until(lambda state: state["held"], "a hold")["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-count", ["resume"])
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
