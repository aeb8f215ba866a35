"""Every entry with which a round is played shows in the status.

Who looks again after a crash must see whether his entry counted; so must
:class:`hil_tests.kills.killable_dealer.KillableDealer`, who makes one again only where it did not.
(Who was nominated to press shows in the prompt alone: no round played here nominates.)
"""

from __future__ import annotations

import random
from itertools import product
from typing import cast

import pytest

from controller.control.client import RefusedByController
from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.setup import DIVISION_15, MBS, PLUS, RWS, TRICK, setup_for
from hil_tests.benches.in_process import InProcessBench
from hil_tests.kills.killable_dealer import entry_effects
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import CARD, RandomPlayer, play_to_end

ROUNDS = 30
LEFT = 120
"""A round never takes more cards than these."""

ONLY_SAYS = ("free",)
"""Says what card comes, as `hit` does; where the hand has had one already, nothing changes."""


def assert_shown(table: Dealer, command: str) -> None:
    """Enter it: once it is taken, it shows."""
    before = entry_effects(table.status)
    table.enter(command)
    assert entry_effects(table.status) != before, command


def bet(table: Dealer) -> None:
    """Whatever the document knows, by three bettors on two boxes. A wager that is said again is the
    same one: nothing need show."""
    for box, bettor, kind in product("13", "abc", ("main", "pair", "pandemonium", "bonus")):
        try:
            table.enter(f"wager {box}{bettor} {kind} {100 if kind == 'main' else 5}")
        except RefusedByController:
            assert (bettor, kind) != ("a", "main")


@pytest.mark.parametrize("rules", [RWS, PLUS, MBS, DIVISION_15, TRICK])
def test_an_entry_that_is_taken_shows(rules: str) -> None:
    source = random.Random(f"{rules} 5")
    setup = setup_for(rules)
    tens = rules == TRICK
    table = Dealer(cast("Bench", InProcessBench(setup)))
    table.load(decks=setup.decks, seed=source.randrange(9999), tens=tens)
    entries = 0

    def note_entry(before: Json, what: str, _: str) -> None:
        nonlocal entries
        if what in (CARD, "press") or what.split(maxsplit=1)[0] in ONLY_SAYS:
            return
        entries += 1
        assert entry_effects(table.status) != entry_effects(before), (what, before)

    for _ in range(ROUNDS):
        if table.shoe.look()["remaining"] < LEFT:
            table.load(decks=setup.decks, seed=source.randrange(9999), tens=tens)
        assert_shown(table, "open")
        table.burn_where_due()
        bet(table)
        assert_shown(table, "close")
        play_to_end(table, RandomPlayer(source), note_entry)
        assert_shown(table, "next")
    assert entries > ROUNDS
