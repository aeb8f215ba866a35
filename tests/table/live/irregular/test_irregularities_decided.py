"""Who decides what at the live table: every case of every document that a card or a report brings.

For each: what is told, under which clause, by whom its remedies may be given, and that each of them
ends it, with every card in one place and the same table when the events are played again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from controller.files.rules import rule_files
from controller.game.round.irregular.cases import case_of
from controller.game.round.irregular.replaying import known_cards
from controller.game.round.refusal import Refused
from controller.game.rules.cases import KNOWN, TRIGGERS
from controller.table.dealing.irregularities import FAULT_OF
from controller.table.showing.status import status
from hil_tests.benches.driven_table import FACE_UP, FOREIGN, LOCKED, TOGETHER
from tests.shares import NIGHT
from tests.table.live.driver import FIVE, MBS, Live, dealt
from tests.table.live.examine import examine

WAGERS = ("1 main 10", "2 main 40")
PLACES = {
    "first": "",
    "dealing": "9C 8D 7D",
    "initial": "9C 8D 7D 5H 6S",
    "turn": "9C 8D 7D 5H 6S 2C",
}
"""Cards that bring a round somewhere."""
BY_CARD = {"face-up": FACE_UP, "foreign": FOREIGN, "drawn": LOCKED, "together": TOGETHER}
REPORTED = sorted(
    {name for name, one in KNOWN.items() if not one.by_card}
    - {"together", "drawn", "empty-box", "overdraw", "power"}
)


@cache
def _brought(rules: str, place: str) -> Live:
    table = Live(rules)
    table.examined = False  # it is looked at once something has gone wrong
    table.say("open", *(f"wager {wager}" for wager in WAGERS), "close")
    table.deal(PLACES[place])
    return table


def _raised(rules: str, place: str, trigger: str) -> Live | None:
    """A table on which that went wrong; None where it cannot there."""
    table = _brought(rules, place).copy()
    if trigger in BY_CARD:
        table.slip("3S", BY_CARD[trigger])
        return table
    if trigger == "power":
        table.restart("boot-2")
        return table
    try:
        table.order(_report(trigger))
    except Refused:
        return None
    return table


def _report(trigger: str) -> str:
    if trigger == "over-maximum":
        return "report over-maximum 2 20"
    box = " 3" if trigger in ("side-without-main", "late-bet") else " 1"
    return f"report {trigger}{box if KNOWN[trigger].box else ''}"


def _in_order(table: Live) -> None:
    """No card is lost or counted twice, and the events played again give the same table."""
    played = table.table
    examine(played)
    assert json.dumps(status(table.replayed())) == json.dumps(status(played))
    rnd = played.rnd
    assert rnd is not None
    named = [str(loose.card) for loose in played.dealing.drawn if loose.card]
    behind = sum(len(hold.cards) for hold in played.holds.standing)
    assert list(map(str, known_cards(rnd))) == named[: len(named) - behind]
    if played.dealing.reshuffled != played.round_number:
        counted = Counter(str(loose.card) for loose in played.dealing.drawn if not loose.foreign)
        assert Counter(map(str, played.shoe.used.elements())) == counted
    placed = [hand.cards for box in rnd.boxes.values() for hand in box.hands]
    open_cards = rnd.irregular.irregularity.cards if rnd.irregular.irregularity else []
    lies = Counter(
        c for cards in [*placed, rnd.dealer, rnd.irregular.waiting, open_cards] for c in cards
    )
    assert Counter(map(str, lies.elements())) <= Counter(named)


def _open_cases(rules: str) -> Iterator[tuple[str, str, Live]]:
    """What waits for a decision under a document: where, what went wrong, and such a table."""
    for place in PLACES:
        for trigger in [*BY_CARD, "power", *REPORTED]:
            table = _raised(rules, place, trigger)
            if table is not None and table.table.holds.standing:
                yield place, trigger, table


@pytest.mark.parametrize("rules", rule_files())
@pytest.mark.parametrize("place", PLACES)
def test_what_is_reported_is_carried_out_refused_or_held(rules: str, place: str) -> None:
    for trigger in [*BY_CARD, "power", *REPORTED]:
        table = _raised(rules, place, trigger)
        if table is None:
            continue
        rnd = table.table.rnd
        assert rnd
        if rnd.irregular.irregularity is None:
            told = [note for outcome in table.outcomes for note in outcome.notes]
            assert any(TRIGGERS[trigger] in note for note in told), trigger
        else:
            case = case_of(rnd, rnd.irregular.irregularity)
            held = table.status()["held"]
            assert held["fault"] == FAULT_OF.get(trigger, trigger)
            assert f"({case.clause})" in held["reason"]
            assert held["reason"].endswith("decides")
        _in_order(table)


@pytest.mark.parametrize("rules", rule_files())
def test_every_remedy_ends_it_given_by_whom_the_case_names(rules: str) -> None:
    cases = list(_open_cases(rules))
    assert len(cases) > 15
    asked = 0
    for place, trigger, first in cases:
        told = first.status()
        remedies = [text for text in told["held"]["remedies"] if not text.startswith("report")]
        assert remedies
        for remedy in remedies:
            asked += 1
            for by_dealer in (True, False) if NIGHT else (asked % 2 == 0,):
                table = _raised(rules, place, trigger)
                assert table is not None
                _give(table, remedy, by_dealer=by_dealer, told=told)


def _give(table: Live, remedy: str, *, by_dealer: bool, told: dict[str, object]) -> None:
    permitted = told["permitted"]
    assert isinstance(permitted, list)
    if by_dealer and remedy not in permitted:
        assert remedy.split(maxsplit=1)[0] != "choose"
        with pytest.raises(Refused):
            table.enter(remedy.replace("resume", "continue"))
        return
    if by_dealer:
        assert told["awaiting"] == "dealer"
        table.say(remedy)
    else:
        table.order(remedy)
    rnd = table.table.rnd
    if rnd is None:  # no card was dealt: the round had not begun, and the wagers stand
        assert (remedy, table.state) == ("void", "betting")
        return
    more = remedy.startswith(("void-hand", "discard ", "choose 1 refuse"))  # others may be left
    more = more or remedy.endswith(" return")  # the cards still wait
    assert rnd.irregular.irregularity is None or more, remedy
    if remedy == "void":
        assert table.state == "void"
    if remedy.startswith(("use", "reconstruct", "resume", "continue", "reshuffle")):
        assert not table.table.holds.standing
    _in_order(table)


def test_the_supervisors_remedies_need_who_and_why_where_money_depends_on_them() -> None:
    table = dealt("9C 7D 5H", rules=FIVE).play("sue: report other")
    for command in ("void", "void-hand 1", "reconstruct"):
        with pytest.raises(Exception, match="needs who"):
            table.order(command, None, None)
    table.order("continue", None, None)


def test_one_at_a_time() -> None:
    table = dealt("9C 7D 5H").play("sue: report other")
    table.refuses_order("report misdeal", "something is wrong already")
    for command in ("stand 1", "hit 1", "report misdeal", "next"):
        with pytest.raises(Refused, match="held"):
            table.enter(command)


def test_what_the_dealer_may_not_give_is_the_supervisors() -> None:
    table = dealt("9C 7D 5H 2C", rules=MBS)
    table.slip("3S", LOCKED)
    with pytest.raises(Refused, match="supervisor's to give"):
        table.enter("void")
    with pytest.raises(Refused, match="supervisor's to give"):
        table.enter("void-hand 1")
