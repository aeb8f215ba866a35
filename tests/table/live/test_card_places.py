"""Where each card was put, as its entry tells it; every other test at a live table compares the
hands that follow from all entries with those that lie there
(:mod:`tests.table.live.examine`)."""

from __future__ import annotations

import json

import pytest

from controller.journal.model import Draft, Entry
from controller.replay.replay import Replay
from controller.table.apply import apply
from controller.table.events.reading import body_of, columns_of, read_event
from hil_tests.benches.driven_table import TOGETHER
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, betting, dealt, live


def _told(table: Live, since: int = 0) -> list[tuple[str | None, dict[str, str]]]:
    return [(outcome.to, outcome.hands) for outcome in table.outcomes[since:]]


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV, FIVE])
def test_each_card_of_the_deal_tells_its_place(rules: str) -> None:
    table = live("1 main 10, 2 main 10", rules)
    since = len(table.outcomes)
    table.deal("9C 8C 7D 9H 8D")
    assert _told(table, since) == [(to, {}) for to in ("1.1", "2.1", "dealer", "1.1", "2.1")]


def test_a_split_tells_both_hands_and_the_cards_behind_it_theirs() -> None:
    table = dealt("8C 7D 8H")
    since = len(table.outcomes)
    table.play("split 1", "5C")
    assert _told(table, since)[0][0] is None
    assert {place: cards for _, told in _told(table, since) for place, cards in told.items()} == {
        "1.1": "8C",
        "1.2": "8H",
    }
    assert table.outcomes[-1].to == "1.1"


def test_a_card_that_is_burned_or_waits_is_out_and_is_told_when_it_is_placed() -> None:
    table = Live().play("open", "wager 1 main 10", "burn")
    assert table.slip("KD").to == "out"
    table.say("close")
    assert table.slip("??").to == "out"
    named = table.order("card 9C")
    assert (named.to, named.hands) == ("1.1", {"1.1": "9C"})


def test_cards_that_left_together_are_taken_back_and_chosen() -> None:
    table = dealt("9C 7D 2C", rules=PLUS)
    table.slip("3C")
    second = table.slip("4C", TOGETHER)
    assert second.to == "out"
    chosen = table.say("choose 1 4C")
    assert chosen.hands == {"1.1": "9C 2C 4C"}


def test_undo_and_a_correction_tell_the_hands_as_they_are_then() -> None:
    table = dealt("8C 7D 8H").play("split 1")
    assert table.say("undo").hands == {"1.1": "8C 8H", "1.2": ""}
    assert table.order("correct 3 9H").hands == {}
    assert table.order("done").hands == {"1.1": "8C 9H"}


def test_a_card_that_is_kept_back_lies_where_it_will_be_turned() -> None:
    table = betting("1 main 10", PLUS).play("squeeze 1", "close", "AS 7D AH")
    assert [outcome.to for outcome in table.outcomes[-3:]] == ["1.1", "dealer", "1.1"]
    assert table.say("reveal 1").hands == {}


@pytest.mark.parametrize("stored", [{"to": "1.1"}, {}, {"to": "2.1"}])
def test_a_replay_compares_what_is_stored_of_it(stored: dict[str, str]) -> None:
    replay = Replay()
    *before, last = [read_event(**json.loads(line)) for line in dealt("9C").events]
    for event in before:
        apply(replay.table, event)
    body = {**body_of(last), "after": {"state": "deal.dealer_card", **stored}}
    draft = Draft("CARD", body, t_ms=0, **columns_of(last))
    found = replay.replay_entry(Entry(99, 1, 0, "", draft, 0, b""))
    differs = [] if stored == {"to": "1.1"} else ["to is '1.1' on replay"]
    assert [one.partition(",")[0] for one in found] == differs
