"""The live table takes an event as it is made, replay as the journal has it: its keys by name, its
tuples as lists. Both must come to the same table: nothing that it does or remembers may
depend on the order of the keys, in any state of any document. Of what may happen at each, a part is
tried in one state, another part in the next.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from controller.files.rules import rule_files
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.journal.canonical import canonical, decode
from controller.replay.counted_table import CountedTable
from controller.table.dry_run import Mould
from controller.table.events.event import Event
from controller.table.events.reading import body_of, columns_of, read_event
from controller.table.settings import Settings
from controller.table.state.table import Table
from drivers.vocabulary import DISPLAY
from pages.table.happenings import AT, happenings
from pages.table.played_tables import DEVICES, Played, order, start
from pages.table.tours import tour_of
from tests.shares import NIGHT
from tests.table.live.examine import snapshot

Body = Mapping[str, Any]
PARTS = 3 if NIGHT else 6


def turned(value: Any) -> Any:
    """With the keys of all that is in it the other way round; lists have an order of their own."""
    if isinstance(value, Mapping):
        return {name: turned(value[name]) for name in reversed(value)}
    return [turned(part) for part in value] if isinstance(value, list | tuple) else value


def spellings(body: Body) -> tuple[Body, Body, Body]:
    """As it is made, as the journal gives it back, and that the other way round."""
    stored = decode(canonical(body))
    return body, stored, turned(stored)


def more(played: Played) -> Iterator[Event]:
    """Events with more fields than the documentation's need, in an order that is not by name."""
    counted = {"void": 1, "rounds": 12, "cards": 80, "presses": 3, "jams": 0}
    checks = [{"name": name, "ok": False, "what": "no", "next_step": ""} for name in ("z", "a")]
    report = {"ready": False, "checks": checks, "counted": counted, "at": AT, "user": "sue"}
    yield read_event("readiness", report)
    names = ("zeta", "beta")
    kinds = tuple((name, DISPLAY) for name in names)
    known = replace(played.settings, devices=(*DEVICES, *names), kinds=kinds)
    digests = {"weights": "4", "program": "3", "rules": "2", "libraries": "1", "configuration": "0"}
    yield read_event("start", {**body_of(start(known, "boot-2")), "digests": digests})
    fields = {"unlocked": 1, "cards": 0, "after": 2}
    command = {"user": "tess", "fields": fields, "command": "GATE"}
    yield read_event("device-command", command, device="shoe")


def told(counted: CountedTable, event: Event) -> object:
    """What a table makes of an event, and all that it remembers, mappings in their order."""
    try:
        outcome = canonical(counted.apply(event).as_body())
    except (Refused, Malformed) as refused:
        return str(refused)
    return outcome, snapshot(counted.table, _spelled), json.dumps(counted.counters.dump())


def _spelled(settings: Settings) -> str:
    """By value. Of a document's mappings play follows the order of the side wagers alone: in the
    others it looks for one key."""
    found = _SPELLED.get(id(settings))
    if found is None or found[0] is not settings:
        said = {"settings": settings.dump(), "in order": list(settings.rules.side_wagers)}
        found = _SPELLED[id(settings)] = settings, canonical(said)
    return found[1]


_SPELLED: dict[int, tuple[Settings, str]] = {}


def check(cast: Callable[[], Table], event: Event, bodies: Iterable[Body]) -> None:
    """Whichever of these is the event's body, a table makes the same of it."""
    made = []
    for body in bodies:
        counted = CountedTable()
        counted.table = cast()
        made.append(told(counted, read_event(event.type, body, **columns_of(event))))
    assert all(one == made[0] for one in made), event


@pytest.mark.parametrize("rules", rule_files())
def test_no_event_does_another_thing_when_its_keys_come_in_another_order(rules: str) -> None:
    tour = tour_of(rules)
    for at, played in enumerate(tour.met.values()):
        mould = Mould(played.table)
        of_each_kind = list(dict(happenings(played)).values())
        for event in of_each_kind[at % PARTS :: PARTS]:
            check(mould.cast, event, spellings(body_of(event))[1:])
    served = tour.met["idle"].copy()
    served.apply(order("service on"))
    for played in (tour.met["idle"], tour.met["settled"], served):
        mould = Mould(played.table)
        for event in more(played):
            check(mould.cast, event, spellings(body_of(event)))
