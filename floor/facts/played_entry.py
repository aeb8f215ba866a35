"""An entry that was played, as those see it who make facts of it; and what they have to remember
besides what a snapshot of the table has.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.counters.figures import Figures
from controller.journal.model import Entry
from controller.table.events.event import Event
from controller.table.state.table import Table
from floor.facts.kinds import JournalPlace


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """``table`` as the entry left it, with the ``event`` that the entry tells, ``at`` its place,
    and ``total``, what the counters have since commissioning without the last round. ``who`` gave
    the command that the event is or has let through; ``engine`` is the version that played."""

    entry: Entry
    event: Event
    table: Table
    total: Figures
    at: JournalPlace
    who: str
    engine: str


@dataclass(slots=True)
class OpenedRound:
    """A round that may still change: entry ``first`` opened it at ``wall``, on ``day``; under
    another opening it had no day before ``low``. Days are ISO text, empty where there is none.
    ``rules`` is the digest of its rule file."""

    number: int
    first: int
    wall: str
    day: str
    low: str
    rules: str


@dataclass(slots=True)
class StandingHold:
    """A hold that stands, since entry ``seq``."""

    seq: int
    wall: str
    day: str
    shift: int
    n: int
    fault: str
    device: str
    reason: str


@dataclass(slots=True)
class LastEntry:
    """When the last entry was made."""

    boot: int = 0
    mono_ns: int = 0
    wall: str = ""


@dataclass(slots=True)
class Remembered:
    """What is known at a snapshot besides what it has: the ``day`` that goes on, the ``days`` of
    the last rounds by their numbers, these ``rounds``, the holds, the ``engine`` that plays, and
    when the ``last`` entry was made."""

    day: str = ""
    days: dict[int, str] = field(default_factory=dict)
    rounds: list[OpenedRound] = field(default_factory=list)
    holds: list[StandingHold] = field(default_factory=list)
    engine: str = ""
    last: LastEntry | None = None
