"""Facts about what people did: voids, corrections, second persons, orders, and what they confirmed.

The rules:

- Voids and corrections are those that the counters count, under the names that they have there. A
  correction counts when it is judged, a second person when he agrees
  (:mod:`controller.counters`).
- Names are as people gave them; a person who signed in by PIN goes by that name.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.counters.names import who_of
from controller.game.round.state import Round
from controller.table.events.event import Event
from controller.table.events.of_controller import ReadinessReported
from controller.table.events.of_people import (
    DeviceTested,
    PeopleChanged,
    SupervisorCommanded,
)
from controller.table.state.table import Table
from floor.facts.kinds import ActFact
from floor.facts.seen import PlayedEntry

VOID = "void"
VOID_AFTER_DRAW = "void after draw"
CORRECTION = "correction"
SECOND_PERSON = "second person"
ORDER = "order"
_COUNTED = {VOID: "voids", VOID_AFTER_DRAW: "voids_after_draw", CORRECTION: "corrections"}

Done = tuple[str, str, str]
"""What was done, by whom, and what is said of it."""


class ActWatch:
    """Tells acts; begins behind what ``table`` and ``counted`` have."""

    def __init__(self, table: Table, counted: dict[str, dict[str, int]]) -> None:
        self._counted = counted
        self._asked, self._rnd = _void_request(table)

    def act_facts(self, seen: PlayedEntry) -> Iterator[ActFact]:
        """What was done with the entry."""
        event = seen.event
        why = (event.why or "") if isinstance(event, SupervisorCommanded) else ""
        for n, (what, by, said) in enumerate(self._acts(seen, event)):
            yield ActFact(seen.at, n, seen.table.round_number, what, by, said, why)

    def _acts(self, seen: PlayedEntry, event: Event) -> Iterator[Done]:
        for what, name in _COUNTED.items():
            now: dict[str, int] = getattr(seen.total, name)
            if now != (before := self._counted[name]):
                self._counted[name] = dict(now)
                for by, count in now.items():
                    yield from [(what, by, "")] * (count - before.get(by, 0))
        was_asked, before_it = self._asked, self._rnd
        self._asked, self._rnd = _void_request(seen.table)
        if was_asked and not self._asked and self._rnd is not before_it:
            yield SECOND_PERSON, seen.who, ""
        yield from _by_itself(event)


def counted(seen_total: object) -> dict[str, dict[str, int]]:
    """What the counters have by name."""
    return {name: dict(getattr(seen_total, name)) for name in _COUNTED.values()}


def _void_request(table: Table) -> tuple[bool, Round | None]:
    """Whether a second person is awaited, and the round."""
    return table.entering.void_asked is not None, table.rnd


def _by_itself(event: Event) -> Iterator[Done]:
    """What the event alone tells."""
    match event:
        case SupervisorCommanded():
            yield ORDER, who_of(event), event.command
        case ReadinessReported():
            wrong = [str(check.get("name", "")) for check in event.checks if not check.get("ok")]
            yield "readiness", who_of(event), ", ".join(wrong) or "ready"
        case DeviceTested():
            said = f"{event.device} {event.test}: {event.what}"
            yield "device tested", event.who.name, said
        case PeopleChanged():
            yield "person", event.who.name, f"{event.change} {event.of} ({event.role})"
