"""Every event in every state of every document is decided, and leaves a table that is in order.

An event is accepted, refused with a reason, held or ignored; it never fails otherwise. What is
refused changes nothing, what is told and wanted agrees afterwards, and the events played again give
the same table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.commands.command import first_word
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import VERBS
from controller.game.round.machine import waiting_states
from controller.game.round.refusal import Refused
from controller.table.apply import HANDLERS, apply
from controller.table.dry_run import Mould
from controller.table.events.event import Event
from controller.table.events.of_controller import MultiplierDrawn
from controller.table.events.of_people import DealerCommanded
from controller.table.events.reading import body_of, columns_of, read_event
from controller.table.showing.status import status
from controller.table.state.table import Table
from pages.table.events import FATES, fate, state_before
from pages.table.happenings import happenings
from pages.table.played_tables import Played, locked
from pages.table.tours import OF_REMEDIES, tour_of
from tests.shares import NIGHT
from tests.table.live.examine import examine, snapshot

SHORTEST = 16
PARTS = 1 if NIGHT else 3
"""Of what may happen every third is tried in one state, another third in the next; by night all."""
FAMILIES = (
    "idle",
    "betting",
    "deal",
    "jackpot",
    "offers",
    "play",
    "dealer",
    "settled",
    "held",
    "void",
)
PLACES = [
    (name, family)
    for name in rule_files()
    for family in FAMILIES
    if family != "jackpot" or "press" not in load_rules(name).not_played
]


def _again(events: list[Event]) -> Table:
    """A table that has been given the events as they come out of a journal."""
    table = Table()
    for event in events:
        apply(table, _read(event))
    return table


def _read(event: Event) -> Event:
    body = json.loads(json.dumps(body_of(event)))
    return read_event(event.type, body, **columns_of(event))


@pytest.mark.parametrize("name", rule_files())
def test_every_state_of_the_document_is_met(name: str) -> None:
    met = {state for state in tour_of(name).met if not state.startswith("held.")}
    waiting = waiting_states(load_rules(name)) - OF_REMEDIES
    assert met == {"idle", "betting", "settled", "void", *waiting}


@pytest.mark.parametrize("name", rule_files())
def test_every_kind_of_event_that_a_table_knows_is_among_those_given(name: str) -> None:
    given = {
        type(event) for played in tour_of(name).met.values() for _, event in happenings(played)
    }
    without_unit = {MultiplierDrawn} if "press" in load_rules(name).not_played else set()
    assert set(HANDLERS) - without_unit <= given


@pytest.mark.parametrize(("name", "family"), PLACES)
def test_every_event_is_decided(name: str, family: str) -> None:
    states = [state for state in tour_of(name).met if state.partition(".")[0] == family]
    offers_none = family == "offers" and "offers.open" not in waiting_states(load_rules(name))
    assert bool(states) != offers_none
    for at, state in enumerate(states, PLACES.index((name, family))):
        _all_at(tour_of(name).met[state], at)


def _tried(played: Played, at: int) -> Iterator[tuple[str, Event]]:
    yield from list(happenings(played))[at % PARTS :: PARTS]


def _all_at(played: Played, at: int) -> None:
    before, unchanged = state_before(played.table), snapshot(played.table)
    again = _again(played.events)
    assert snapshot_of_play(again) == snapshot_of_play(played.table)
    mould_again = Mould(again)
    replayed: set[str] = set()
    mould = Mould(played.table)
    trial = mould.cast()
    for row, event in _tried(played, at):
        became = fate(trial, event, before)
        assert became in FATES, row
        if became == "refused" and event.type == "supervisor":
            assert snapshot(trial) == unchanged, row
        if became == "refused" and event.type == "dealer" and trial.entering.pending is None:
            if trial.entering.entries == played.table.entering.entries:
                continue  # the same copy serves for the next: it is looked at below
        elif became != "ignored":  # else what is told is as before
            examine(trial)
        if became != "refused" and event.type not in replayed:
            replayed.add(event.type)
            same = mould_again.cast()
            apply(same, _read(event))
            if same.entering.pending:
                apply(same, locked(same))
            assert status(same) == status(trial), row
        trial = mould.cast()


def snapshot_of_play(table: Table) -> object:
    """Everything, the settings by the rules that they name."""
    return snapshot(table, lambda settings: settings.rules.id)


@pytest.mark.parametrize("name", rule_files())
def test_what_is_refused_to_the_dealer_changes_nothing_and_has_its_reason(name: str) -> None:
    rules = load_rules(name)
    for at, played in enumerate(tour_of(name).met.values()):
        mould, unchanged = Mould(played.table), snapshot(played.table)
        trial = mould.cast()
        for _, event in _tried(played, at):
            if not isinstance(event, DealerCommanded):
                continue
            refused = _refused(trial, event)
            if refused is None:
                trial = mould.cast()
                continue
            verb = first_word(event.command)
            assert refused.reason
            assert len(refused.short) <= SHORTEST
            judged = (
                trial.mid_round and not trial.hold and not (verb in VERBS and VERBS[verb].device)
            )
            if judged and verb in rules.not_played:
                assert refused.clause == rules.not_played[verb], event.command
        assert snapshot(trial) == unchanged


def _refused(table: Table, event: Event) -> Refused | None:
    """Why an entry is refused, if it is; None too for one that waits for the gate."""
    try:
        outcome = apply(table, event)
    except Refused as refused:
        return refused
    except Malformed as malformed:
        return Refused(str(malformed))
    assert outcome.entry is not None or outcome.answered
    return None
