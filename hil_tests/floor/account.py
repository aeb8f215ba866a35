"""What a floor came to: tables' journals compared with what is stored, and how late that was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Final

from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import until
from hil_tests.floor.at_play import TableAtPlay
from hil_tests.floor.house import House

_COSIGNED = """
    select origin, size, taken_at from floor.checkpoint join floor.log on log.id = log
    where role = 'mirror'"""


_DERIVED: Final = """
    select coalesce(halted, ''), facts_upto, (select count(*) from floor_facts.rounds
            where rounds.origin = tables.origin and outcome is not null),
        (select min(words) from floor_facts.differences where differences.origin = tables.origin)
    from floor_facts.tables where origin = %s"""
"""Why no facts are derived any more, up to where they are, rounds that have ended, and what plays
otherwise than the journal says."""


@dataclass(slots=True)
class Delays:
    """When the mirror has cosigned which size of which log: it keeps the newest ones only."""

    at: dict[tuple[str, int], datetime] = field(default_factory=dict)

    def note_cosignatures(self, house: House) -> None:
        """Take what is new."""
        for origin, size, taken_at in house.rows_of(_COSIGNED):
            self.at.setdefault((origin, size), taken_at)

    def behind(self, origin: str, export: Sequence[bytes]) -> list[float]:
        """Seconds from the last entry of each size to its cosignature; but for the first size,
        which is there before its table is known."""
        _, *sizes = [(size, at) for (of, size), at in self.at.items() if of == origin]
        return [
            (at - datetime.fromisoformat(json.loads(export[size - 1])["wall"])).total_seconds()
            for size, at in sizes
        ]


@dataclass(slots=True)
class FloorAccount:
    """What it came to: by table, its rounds, and the entries that are in the database as well;
    ``delays`` in seconds; what is ``wrong``."""

    rounds: dict[str, int] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)
    collector_s: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def as_json(self) -> Json:
        """As JSON."""
        late = self.delay_s()
        return {
            "rounds": self.rounds,
            "entries": self.entries,
            "delay_s": {"median": late[0], "p99": late[1]},
            "collector_ms_a_round": round(1e3 * self.collector_s / max(1, self._all_rounds()), 1),
            "well": not self.wrong,
            "found": self.wrong,
        }

    def lines(self) -> list[str]:
        """For people."""
        median, late = self.delay_s()
        return [
            *(
                f"{table}: {rounds} rounds, {self.entries.get(table, 0):,} entries in the database"
                for table, rounds in self.rounds.items()
            ),
            f"cosigned {median:.2f} s behind the end of a round, 99 of 100 within {late:.2f} s",
            *(["All is at the floor, byte for byte. Nothing is left behind."] * (not self.wrong)),
        ]

    def delay_s(self) -> tuple[float, float]:
        """Median and 99th of a hundred."""
        late = sorted(self.delays) or [0.0]
        return round(late[len(late) // 2], 3), round(late[len(late) * 99 // 100], 3)

    def _all_rounds(self) -> int:
        return sum(self.rounds.values())


def account_of(house: House, tables: Sequence[TableAtPlay], delays: Delays) -> FloorAccount:
    """End play, wait until all is sent, and compare."""
    account = FloorAccount(wrong=[table.wrong for table in tables if table.wrong])
    for table in tables:
        table.end_play()
    for table in tables:
        sent = table.sent
        account.rounds[sent.table] = table.rounds
        try:
            size = table.until_sent()
        except (TimeoutError, ChildProcessError) as error:
            if str(error) not in account.wrong:  # of all tables alike
                account.wrong.append(str(error))
            continue
        export = list(islice(sent.export(), size))
        if wrong := house.differs(sent.origin, iter(export), size):
            account.wrong.append(f"{sent.table}: {wrong}")
        account.entries[sent.table] = size
        delays.note_cosignatures(house)
        account.delays += delays.behind(sent.origin, export)
        if wrong := _facts_wrong(house, sent.origin, size, table.rounds):
            account.wrong.append(f"{sent.table}: {wrong}")
    account.collector_s = sum(collector.used_s() for collector in house.collectors)
    return account


def _facts_wrong(house: House, origin: str, size: int, rounds: int) -> str:
    """What is wrong with the facts of a log: they are all there soon, and play as the journal
    says."""

    def derived() -> bool:
        return house.lives() and all(
            halted or upto >= size for halted, upto, *_ in house.rows_of(_DERIVED, origin)
        )

    try:
        until(derived, f"the facts of {size} entries")
    except (TimeoutError, ChildProcessError) as error:
        return str(error)
    ((halted, _, told, otherwise),) = house.rows_of(_DERIVED, origin)
    if halted or otherwise:
        return f"its facts: {halted or otherwise}"
    return "" if told in (rounds, rounds + 1) else f"{told} rounds in its facts, {rounds} played"
