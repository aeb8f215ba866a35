"""What is counted at a table whose controller is killed again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from hil_tests.bench.interface import Json
from hil_tests.kills.device_states import EVENT, NEITHER, PRESS, kinds_of
from hil_tests.tables.comparison import Comparison


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
