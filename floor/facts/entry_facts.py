"""Facts that one entry gives by itself: what people did, which holds began and ended, which links
came and went, and what a start says of the program.

The rules:

- Voids and corrections are those that the counters count, under the names that they have there. A
  correction counts when it is judged, a second person when he agrees
  (:mod:`controller.counters`).
- Names are as people gave them; a person who signed in by PIN goes by that name.
- A hold is told when it begins and again when it has ended. One whose fault becomes another one
  has ended, and another has begun.
- Who ended it is who gave the command that did; one that ends without was ended by the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from controller.counters.figures import BY_ITSELF, who_of
from controller.game.round.state import Round
from controller.journal.model import read_written
from controller.table.events import of_controller
from controller.table.events.event import Event
from controller.table.events.of_devices import KeyPressed
from controller.table.events.of_people import (
    ByPerson,
    DeviceTested,
    PeopleChanged,
    SupervisorCommanded,
)
from controller.table.state.table import Table
from floor.facts.kinds import ActFact, HoldFact, JournalPlace, LinkFact, StartFact
from floor.facts.played_entry import PlayedEntry, StandingHold
from floor.facts.round_facts import day_of


def equipment_facts(seen: PlayedEntry) -> Iterator[LinkFact | StartFact]:
    """The link that came or went with the entry, or the start that it is."""
    match seen.event:
        case of_controller.LinkCame() | of_controller.LinkWent() as event:
            yield _link(seen, event)
        case of_controller.ControllerStarted() as event:
            yield _start(seen, event)


def _link(seen: PlayedEntry, event: of_controller.LinkCame | of_controller.LinkWent) -> LinkFact:
    device = seen.table.named(event.device)
    reason = event.reason if isinstance(event, of_controller.LinkWent) else ""
    if device is None:
        return LinkFact(seen.at, event.device, "", event.up, "", "", reason)
    return LinkFact(
        seen.at, device.name, device.kind, event.up, device.serial, device.firmware, reason
    )


def _start(seen: PlayedEntry, event: of_controller.ControllerStarted) -> StartFact:
    digests: Mapping[str, str] = event.digests or {}
    versions = event.versions or {}
    settings = seen.table.setup.next_settings or seen.table.settings
    return StartFact(
        seen.at,
        str(versions.get("controller", "")),
        str(versions.get("engine", "")),
        digests.get("program", ""),
        digests.get("libraries", ""),
        digests.get("configuration", ""),
        digests.get("rules", ""),
        digests.get("weights", ""),
        settings.rules.id,
        digests.get("readings", ""),
    )


def engine_of(event: of_controller.ControllerStarted) -> str:
    """The version of the engine that plays from that start on."""
    return str((event.versions or {}).get("engine", ""))


class HoldWatch:
    """Tells holds; ``standing`` are those that stand."""

    def __init__(self, standing: list[StandingHold]) -> None:
        self.standing = standing

    def hold_facts(self, seen: PlayedEntry) -> Iterator[HoldFact]:
        """The holds that have begun or ended with the entry."""
        holds = seen.table.holds.standing
        if not holds and not self.standing:
            return
        now = Counter((hold.fault, hold.device) for hold in holds)
        kept: list[StandingHold] = []
        for one in self.standing:
            if now[key := (one.fault, one.device)]:
                now[key] -= 1
                kept.append(one)
            else:
                yield _hold_fact(one, seen)
        for n, hold in enumerate(holds):
            if now[key := (hold.fault, hold.device)]:
                now[key] -= 1
                at = seen.at
                kept.append(
                    StandingHold(
                        *(at.seq, seen.entry.wall, str(at.day), at.shift),
                        *(n, hold.fault, hold.device, hold.reason),
                    )
                )
                yield _hold_fact(kept[-1], None)
        self.standing = kept


def _hold_fact(one: StandingHold, ended: PlayedEntry | None) -> HoldFact:
    began = JournalPlace(one.seq, read_written(one.wall), day_of(one.day), one.shift)
    fact = (began, one.n, one.fault, one.device, one.reason)
    if ended is None:
        return HoldFact(*fact)
    event = ended.event
    why = (event.why or "") if isinstance(event, SupervisorCommanded) else ""
    return HoldFact(*fact, ended.at.seq, ended.at.wall, _ender(ended), why)


def _ender(seen: PlayedEntry) -> str:
    by_people = isinstance(seen.event, ByPerson | KeyPressed | of_controller.GateLocked)
    return seen.who if by_people else BY_ITSELF


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
        case of_controller.ReadinessReported():
            wrong = [str(check.get("name", "")) for check in event.checks if not check.get("ok")]
            yield "readiness", who_of(event), ", ".join(wrong) or "ready"
        case DeviceTested():
            said = f"{event.device} {event.test}: {event.what}"
            yield "device tested", event.giver.name, said
        case PeopleChanged():
            yield "person", event.giver.name, f"{event.change} {event.of} ({event.role})"
