"""Facts of holds: since when, until when, and who ended them.

The rules:

- A hold is told when it begins and again when it has ended. One whose fault becomes another one
  has ended, and another has begun.
- Who ended it is who gave the command that did; one that ends without was ended by the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from controller.counters.names import BY_ITSELF
from controller.journal.model import read_written
from controller.table.events.event import ByPerson
from controller.table.events.of_devices import KeyPressed
from controller.table.events.of_links import GateLocked
from controller.table.events.of_people import SupervisorCommanded
from floor.facts.kinds import HoldFact, JournalPlace
from floor.facts.rounds import day_of
from floor.facts.seen import PlayedEntry, StandingHold


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
    by_people = isinstance(seen.event, ByPerson | KeyPressed | GateLocked)
    return seen.who if by_people else BY_ITSELF
