"""The demo's verdict: it finds what is not as it must be."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from hil_tests.bench.interface import Json
from hil_tests.demo.plan import make_plan
from hil_tests.demo.stage import Played, faults
from hil_tests.people.players import basic
from hil_tests.people.playing import play_to_end
from hil_tests.people.record import Record
from hil_tests.tables.offline import OfflineTable

CODES = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}


def _played() -> tuple[Played, list[Json]]:
    """The demo's rounds up to the first press, on paper, with the journal they would have made."""
    plan = make_plan("mbs-pontoon-pandemonium-v5", 1, 6)
    table, played = OfflineTable(plan.setup, plan.shoe_seed), Played()
    assert plan.press_in
    for number in range(1, plan.press_in + 1):
        table.record = Record(plan.setup.rules, plan.setup.limits)
        table.enter("open")
        table.burn_where_due()
        for call in plan.wagers(number == 1):
            table.enter(call)
        table.record.close(table.status["boxes"])
        table.enter("close")
        played.rounds.append((table.record, play_to_end(table, basic)))
        played.cards += table.record.cards
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
