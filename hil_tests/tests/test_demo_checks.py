"""The demo's verdict: it finds what is not as it must be."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import cast

import pytest

from hil_tests.bench.interface import Bench, Json
from hil_tests.benches.in_process import InProcessBench
from hil_tests.demo.plan import make_plan
from hil_tests.demo.stage import Played, faults
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import basic, play_to_end

CODES = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}


def _played() -> tuple[Played, list[Json]]:
    """The demo's rounds up to the first press, on paper, with the journal they would have made."""
    plan = make_plan("mbs-pontoon-pandemonium-v5", 1, 6)
    dealer, played = Dealer(cast("Bench", InProcessBench(plan.setup))), Played()
    assert plan.press_in
    for number in range(1, plan.press_in + 1):
        plan.fill_shoe(dealer, number)
        plan.place_bets(dealer, number)
        played.rounds.append((dealer.record, play_to_end(dealer, basic)))
        played.cards += dealer.record.cards
    entries: list[Json] = [
        {"type": "CARD", "rank": CODES[card[0]], "suit": "CDHS".index(card[1]) + 1}
        for card in played.cards
    ]
    entries += [{"type": "PRESS", "offer_id": 1}, {"type": "draw", "offer": 1, "multiplier": 2}]
    return played, entries


def _a_card_twice(_: Played, entries: list[Json]) -> None:
    entries.insert(1, dict(entries[0]))


def _a_card_lost(_: Played, entries: list[Json]) -> None:
    entries.pop(0)


def _a_second_draw(_: Played, entries: list[Json]) -> None:
    entries.append({"type": "draw", "offer": 1, "multiplier": 2})


def _another_figure(_: Played, entries: list[Json]) -> None:
    entries[-1]["multiplier"] = 100


def _paid_otherwise(played: Played, _: list[Json]) -> None:
    played.rounds[0][1]["settlements"][0]["net"] = "1.00"


def test_all_as_it_must_be() -> None:
    assert list(faults(*_played())) == []


@pytest.mark.parametrize(
    "spoil", [_a_card_twice, _a_card_lost, _a_second_draw, _another_figure, _paid_otherwise]
)
def test_what_is_not_is_found(spoil: Callable[[Played, list[Json]], None]) -> None:
    played, entries = copy.deepcopy(_played())
    spoil(played, entries)
    assert list(faults(played, entries))
