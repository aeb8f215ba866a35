"""The kinds of facts, each a frozen class.

Entries are named by their numbers in the journal (``seq``). Money is in cents, None where amounts
are not entered. Times are those of the wall clock of the table, None where the journal has none
that can be read. A fact belongs to a gaming ``day`` and a ``shift`` as in the shift report
(:mod:`controller.counters.belonging`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, TypeVar

T = TypeVar("T")

NO_DAY: Final = date.min
"""The day of what came before any clock could be read."""


@dataclass(frozen=True, slots=True)
class JournalPlace:
    """Where in the journal something stands: entry ``seq``, when, in which day and shift."""

    seq: int
    wall: datetime | None
    day: date
    shift: int


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what a round was played: the rule ``document``, the SHA-256 of its file (``rules``),
    the ``weights`` of the multiplier as ``100=4 25=96``, the version of the ``engine``; each empty
    where the journal does not tell it."""

    document: str
    rules: str
    weights: str
    engine: str


@dataclass(frozen=True, slots=True)
class SettlementFact:
    """A settled wager, as :class:`~controller.game.round.model.Settlement` has it; ``n`` counts
    those of a round from 0."""

    n: int
    box: int
    bettor: str
    hand: int
    kind: str
    stake: int | None
    net: int | None
    outcome: str
    odds: str | None
    clause: str


@dataclass(frozen=True, slots=True)
class RoundFact:
    """A round whose bets are closed, as it stands. ``first`` opened it and ``last`` ended it;
    ``outcome`` is ``settled``, ``void``, or empty while it goes on (then ``last`` and ``ended`` are
    those of the last entry that changed it). ``staked`` are the main wagers before the deal that
    were played for, ``squares`` the sum of their squares."""

    number: int
    day: date
    shift: int
    first: int
    opened: datetime | None
    last: int
    ended: datetime | None
    outcome: str
    staked: int
    squares: int
    terms: Terms
    settlements: tuple[SettlementFact, ...]


@dataclass(frozen=True, slots=True)
class DrawFact:
    """A multiplier that was drawn in a round, for an offer to a box, under ``terms``."""

    at: JournalPlace
    round: int
    box: int | None
    offer: int
    multiplier: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class ShiftFact:
    """A shift that was begun by a supervisor."""

    at: JournalPlace
    number: int
    by: str


@dataclass(frozen=True, slots=True)
class HoldFact:
    """A hold of play: ``n`` tells it from others that began with the same entry. ``until`` is the
    entry that ended it, at ``ended``, ``by`` whom and ``why``; None and empty while it stands."""

    began: JournalPlace
    n: int
    fault: str
    device: str
    reason: str
    until: int | None = None
    ended: datetime | None = None
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ActFact:
    """What a person did that is told by name: ``void`` (the round was made void),
    ``void after draw`` (besides, where a multiplier was seen before), ``correction``,
    ``second person`` (he agreed to a void), ``order`` (a supervisor's command), ``readiness``,
    ``device tested``, ``person`` (who is known by PIN changed). ``said`` is the command or what
    came of it, ``why`` the person's own words, ``round`` the last one that was opened."""

    at: JournalPlace
    n: int
    round: int
    what: str
    by: str
    said: str
    why: str


@dataclass(frozen=True, slots=True)
class LinkFact:
    """A device's link came ``up`` or went down, and what is known of the device."""

    at: JournalPlace
    device: str
    kind: str
    up: bool
    serial: str
    firmware: str
    reason: str


@dataclass(frozen=True, slots=True)
class StartFact:
    """A start of the controller: versions and the SHA-256 of what it runs, each empty where the
    entry does not tell it."""

    at: JournalPlace
    version: str
    engine: str
    program: str
    libraries: str
    configuration: str
    rules: str
    weights: str
    document: str
    readings: str


@dataclass(frozen=True, slots=True)
class OddFact:
    """An entry that played otherwise than the journal says, in words."""

    at: JournalPlace
    n: int
    words: str


@dataclass(frozen=True, slots=True)
class StretchFact:
    """What was counted between two snapshots, in one day and shift; ``segment`` is the entry of the
    first of them, 0 where there is none. ``ran_ns``: for how long the controller ran."""

    segment: int
    day: date
    shift: int
    ran_ns: int
    cards: int
    shoes: int


@dataclass(frozen=True, slots=True)
class HeldFact:
    """Likewise, how often ``fault`` began to hold play, and for how long it did."""

    segment: int
    day: date
    shift: int
    fault: str
    count: int
    ns: int


@dataclass(slots=True)
class Batch:
    """What some entries said, up to entry ``upto``. Rounds from number ``rounds_from`` on are those
    that are told here, and no others (None: no round has changed), from day ``days_from`` on;
    stretches and times of holds replace those of their segments; the rest is added, a hold by its
    first entry. ``carried`` is what has to be known besides the snapshot ``segment`` to go on from
    there, as JSON."""

    upto: int = 0
    rounds_from: int | None = None
    days_from: date = date.max
    rounds: dict[int, RoundFact] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    segment: int = 0
    carried: str = ""

    def facts_of(self, kind: type[T]) -> Iterator[T]:
        """The facts of that kind."""
        return (fact for fact in self.facts if isinstance(fact, kind))

    def add(self, facts: Iterable[Fact]) -> None:
        """Add facts, in their order."""
        self.facts += facts


Fact = (
    DrawFact
    | ShiftFact
    | HoldFact
    | ActFact
    | LinkFact
    | StartFact
    | OddFact
    | StretchFact
    | HeldFact
)
"""A fact that is no round."""
