"""What is counted at a table whose controller is killed again and again.

What a device was waiting for is looked at after the kill, when nobody can change it any more:

- an event unacknowledged: the device still has it, whether or not the journal does;
- a press not read back: pressed, and SHOWN not acknowledged;
- a command outstanding: sent and unread, or carried out and unanswered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from hil_tests.bench.interface import Json
from hil_tests.tables.comparison import Comparison

EVENT = "an event unacknowledged"
PRESS = "a press not read back"
COMMAND = "a command outstanding"
NEITHER = "none of these"
NO_COMMANDS = ("HELLO", "EVENT_ACK")


def kinds_of(look: Json) -> Iterator[str]:
    """What a device was waiting for, of EVENT, PRESS and COMMAND; ``look``: its state."""
    if look["unacked"]:
        yield EVENT
    events = look["events"]
    shown = events.get("SHOWN", 0) - (look.get("state") == "showing" and look["unacked"] > 0)
    if events.get("PRESS", 0) > shown:
        yield PRESS
    if commands(look):
        yield COMMAND


def commands(look: Json) -> list[str]:
    """The commands that wait at a device, unread or unanswered."""
    unread = [name for name in look["held_in"] if name not in NO_COMMANDS]
    return unread + [name for name in look["held_out"] if name.startswith("answer ")]


@dataclass(slots=True)
class Account(Comparison):
    """The kills, and what the journal came to. ``in_doubt`` are the kills between an event and its
    acknowledgement or a press and its readback; ``spins`` those in which the meter was spinning;
    ``in_commit`` those that fell between the first and the last request of a commit to its disk,
    where a bench can tell. ``unreached`` are planned commits that a round did not reach, because it
    had fewer than the one from which they were planned."""

    kills: int = 0
    in_doubt: int = 0
    spins: int = 0
    in_commit: int = 0
    unreached: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)

    def count_kill(self, moment: str, devices: Mapping[str, Json]) -> None:
        """Count a kill by what the devices were waiting for."""
        kinds = {kind for look in devices.values() for kind in kinds_of(look)}
        self.kills += 1
        self.in_doubt += bool(kinds & {EVENT, PRESS})
        self.spins += any(look.get("state") == "spinning" for look in devices.values())
        self.moments[moment] += 1
        self.kinds.update(kinds or {NEITHER})

    def add(self, other: Account) -> None:
        """Add the counts of another table."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))

    def summary(self) -> Iterator[str]:
        """The totals, and everything that is wrong."""
        yield (
            f"{self.kills} kills in {self.rounds} rounds; {self.in_doubt} of them with {EVENT} or "
            f"{PRESS}, {self.spins} while the meter was spinning; {self.cards} cards, "
            f"{self.draws} draws, {self.answers} entries answered"
        )
        if self.in_commit:
            yield f"between two requests of a commit to the disk: {self.in_commit} of the kills"
        if self.unreached:
            yield f"planned commits that a round did not come to: {self.unreached}"
        yield f"lost: {self.lost}; twice: {self.twice}; otherwise wrong: {len(self.wrong)}"
        yield from (f"  wrong: {what}" for what in self.wrong)

    def lines(self) -> Iterator[str]:
        """The summary, and the kills by what the devices waited for and by the moment."""
        yield from self.summary()
        for kind, count in sorted(self.kinds.items()):
            yield f"  {count:5} with {kind}"
        for moment, count in sorted(self.moments.items()):
            yield f"      {count:5} {moment}"
