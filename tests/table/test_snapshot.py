"""Snapshots of a live table: complete, exact, and as good as having played every round."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterator
from functools import partial
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import settings as examples
from hypothesis.stateful import run_state_machine_as_test

from controller.files.rules import rule_files
from controller.game.commands.command import Command
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.game.round.steps import Step
from controller.journal.canonical import canonical, decode
from controller.table import snapshot
from controller.table.apply import apply
from controller.table.dry_run import Mould
from controller.table.events.event import Event
from controller.table.events.reading import read_event
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.showing.wanted import wants
from controller.table.snapshot import (
    FORMAT,
    GIVEN,
    BadSnapshot,
    dump,
    dump_table,
    is_quiet,
    load_table,
)
from controller.table.state.device import Device
from controller.table.state.entering import Saved
from controller.table.state.holds import Hold
from controller.table.state.table import Table
from pages.table.happenings import happenings
from pages.table.tours import tour_of
from tests.shares import NIGHT
from tests.table.live.driver import MBS, RWS, Live, dealt, settings
from tests.table.live.examine import snapshot as remembered
from tests.table.live.test_anything import AnyTable

LAYOUT = "80f5345af9683f19"
"""What a snapshot of format 1 is made of. Where this fails, types have changed: before 1.0.0 write
the new digest here; from then on the form is frozen."""


def again(table: Table) -> Table:
    """The table made of its snapshot, by way of the journal's spelling."""
    plain = dump_table(table)
    made = load_table(decode(canonical(plain)))
    assert dump_table(made) == plain
    return made


def layout(hint: Any, seen: set[Any]) -> Iterator[str]:
    """Every dataclass that a value of that type may hold, with types and defaults of its fields."""
    if isinstance(hint, type) and issubclass(hint, Step | Command):
        return  # their texts
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint not in seen:
        seen.add(hint)
        types = get_type_hints(hint)
        for name, default in snapshot._defaults(hint).items():
            inner, said = types[name], "-" if default is dataclasses.MISSING else repr(default)
            yield f"{hint!r}.{name}: {inner!r} = {said}"
            yield from layout(inner, seen)
    if isinstance(hint, UnionType):  # which of several it is, the plain value would not tell
        assert len({*get_args(hint)} - {NoneType}) == 1
    for inner in get_args(hint):
        yield from layout(inner, seen)


def test_a_format_stands_for_one_layout() -> None:
    seen: set[Any] = {Settings, Saved}
    hints = [type(part) for part in Table().parts().values()]
    lines = [line for hint in (Device, *hints, *GIVEN.values()) for line in layout(hint, seen)]
    lines = [re.sub(r"\b[\w.]+\.(?=[A-Z])", "", line) for line in lines]  # without modules
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    assert (FORMAT, digest) == (1, LAYOUT), "\n".join(lines)


NOVELTY = "novelty"


def test_nothing_can_be_remembered_that_no_part_declares() -> None:
    table = dealt("KC 8D 5C 9D").table
    for thing in (table, *table.parts().values()):
        with pytest.raises(AttributeError):
            setattr(thing, NOVELTY, 1)


def test_the_order_in_which_wagers_were_placed_is_not_kept() -> None:
    sheets = []
    for entries in (("pair", "pandemonium"), ("pandemonium", "pair")):
        table = Live().play("open")
        for kind in ("main", *entries):
            table.say(f"wager 1 {kind} 10")
        sheets.append(canonical({"sheet": dump(table.table.betting.sheet)}))
    assert sheets[0] == sheets[1]


@pytest.mark.parametrize("rules", rule_files())
def test_a_table_made_of_its_snapshot_does_the_same_with_every_event(rules: str) -> None:
    """At every quiet table of the tour: by night all that may happen next, by day one of a kind."""
    quiet = [played for played in tour_of(rules).met.values() if is_quiet(played.table)]
    assert quiet
    for played in quiet:
        mould, of_snapshot = Mould(played.table), Mould(again(played.table))
        things = [*happenings(played)] if NIGHT else dict(happenings(played)).items()
        for _, event in things:
            left, right = mould.cast(), of_snapshot.cast()
            assert _told(left, event) == _told(right, event)


def _told(table: Table, event: Event) -> Any:
    """What a table does with an event."""
    try:
        outcome = apply(table, event).as_body()
    except (Refused, Malformed) as refused:
        return str(refused)
    return outcome, json.dumps(status(table)), wants(table)


def test_the_round_before_can_be_taken_back_to() -> None:
    live = dealt("KC 8D 5C 9D").play("next")
    other = again(live.table)
    for one in (live.table, other):
        apply(one, read_event("dealer", {"command": "undo"}))
    assert other.phase == "ended"
    assert json.dumps(status(other)) == json.dumps(status(live.table))
    assert other.rnd is not None
    assert other.rnd.rules is other.rules


def test_the_cards_of_a_stored_round_are_known_by_number_again() -> None:
    """Where each lies is not stored: the round is played again for it."""
    live = dealt("9C 8D 7D KC 5H", "1 main 10, 2 main 10").play("stand 1", "stand 2", "KD", "next")
    stored = again(live.table)
    assert remembered(stored, Settings.dump) == remembered(live.table, Settings.dump)
    for said in ("correct 1 9D", "lies 4 2", "done"):
        for table in (live.table, stored):
            apply(table, read_event("supervisor", {"command": said, "by": "ann", "why": "so"}))
    assert json.dumps(status(stored)) == json.dumps(status(live.table))
    assert live.table.rnd is not None
    assert [str(card) for card in live.table.rnd.boxes[2].hands[0].cards] == ["8D", "KC", "5H"]


def test_settings_stand_once_unless_they_differ() -> None:
    live = dealt("KC 8D 5C 9D")
    live.start(new=settings(RWS))
    live.say("next")
    for name in ("shoe", "jackpot"):
        live.up(name)
    plain: dict[str, Any] = dump_table(live.table)
    assert [each["rules"]["document"]["id"] for each in plain["settings"]] == [RWS, MBS]
    made = again(live.table)
    apply(made, read_event("dealer", {"command": "undo"}))
    assert made.rules.id == MBS


@pytest.mark.parametrize(
    "commands",
    [("open", "wager 1 main 10", "close"), ("burn",)],
)
def test_it_is_not_quiet_while_anything_is_under_way(commands: tuple[str, ...]) -> None:
    live = Live()
    assert is_quiet(live.table)
    live.say(*commands)
    assert not is_quiet(live.table)
    with pytest.raises(BadSnapshot, match="not quiet"):
        dump_table(live.table)


def test_a_table_that_was_never_started_is_not_quiet() -> None:
    assert not is_quiet(Table())


def test_a_hold_without_cards_is_kept() -> None:
    live = Live()
    live.table.holds.standing.append(Hold("disk-low", "little room"))
    assert again(live.table).holds.standing == [Hold("disk-low", "little room")]
    live.slip("9C")  # nobody dealt: it waits
    assert not is_quiet(live.table)


@pytest.mark.parametrize("name", ["shoe", "settings", "entering", "devices"])
def test_what_is_no_snapshot_is_told(name: str) -> None:
    live = dealt("KC 8D 5C 9D").play("next")
    nonsense: tuple[object, ...] = ("nonsense", [["9X", 1]], {"saved": {"parts": 1}, "used": 1})
    for broken in nonsense:
        with pytest.raises(BadSnapshot):
            load_table({**dump_table(live.table), name: broken})
    plain = dump_table(live.table)
    del plain[name]
    with pytest.raises(BadSnapshot):
        load_table(plain)


class TakenOver(AnyTable):
    """Anything happens, and at every quiet moment the table is replaced by one made of its
    snapshot; the uninterrupted replay at the end must come to the same."""

    taken_at = 0
    """The number of events then: a table that has taken none since is the same."""

    def _look(self) -> None:
        super()._look()
        if self.taken_at < len(self.table.events) and snapshot.is_quiet(self.table.table):
            self.table.table = again(self.table.table)
            self.taken_at = len(self.table.events)


@pytest.mark.parametrize("rules", rule_files())
def test_a_table_is_taken_over_at_any_quiet_moment(rules: str) -> None:
    many = examples(max_examples=max(1, examples().max_examples // 16), stateful_step_count=30)
    machine = partial(TakenOver, rules)  # as good as a class of its own
    run_state_machine_as_test(machine, settings=many)  # type: ignore[arg-type]
