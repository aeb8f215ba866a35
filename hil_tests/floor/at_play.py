"""A table at play, in real time, which sends its journal to a floor: a dealer and his players in a
thread, round after round until they are told to end. And what the floor came to: the tables'
journals compared with what is stored, and how late that was.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Final

from controller.files.rules import load_rules
from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import until
from hil_tests.bench.processes import ROOT
from hil_tests.bench.setup import DIVISION_15, MBS, PLUS, RWS, TRICK, setup_for
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo.plan import SPIN_MS, Plan, shoe_options
from hil_tests.floor.house import House, SentJournal, cosigned
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import basic, play_to_end
from hil_tests.people.shoe_hand import WAIT_S

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


DOCUMENTS: Final = (MBS, RWS, PLUS, DIVISION_15, TRICK, MBS)
"""Of six tables."""

PACE_S: Final = 0.5
"""Between two things that people do: a round takes some ten seconds."""

NEVER: Final = 1 << 30


class _Over(Exception):
    """Play is to end."""


class TableAtPlay:
    """The table with that number at the house, from :meth:`put_up` on. Its people take ``pace_s``
    from one thing that they do to the next."""

    def __init__(self, house: House, number: int, seed: int, pace_s: float = PACE_S) -> None:
        rules = DOCUMENTS[(number - 1) % len(DOCUMENTS)]
        setup = setup_for(rules, table=f"P{number}", seed=seed + number, spin_ms=SPIN_MS)
        self._house = house
        self._plan = Plan(load_rules(rules, ROOT), setup, NEVER, seed + number, 1, None)
        self._over = threading.Event()
        self._pace_s = pace_s
        self._thread = threading.Thread(target=self._play, name=setup.table, daemon=True)
        self.bench = VirtualBench(setup)
        configuration = self.bench.folder / "table.toml"
        self.sent = SentJournal(configuration, self.bench.state_directory, house, setup.table)
        self.rounds = 0
        self.wrong = ""
        """What ended play that nobody has ended."""

    @property
    def words(self) -> str:
        """Which table it is."""
        return f"{self.sent.table} {self._plan.rules.id}"

    def put_up(self) -> None:
        """Plug in all devices, and start the controller and the process that sends."""
        for name in self.bench.setup.devices:
            self.bench.add_device(name, *(shoe_options(self._plan) if name == "shoe" else ()))
        self.bench.start_controller()
        self.sent.process.start()

    def play(self) -> None:
        """Let play begin."""
        self._thread.start()

    def lives(self) -> bool:
        """The floor runs, and the process that sends to it.

        Raises:
            ChildProcessError: one has ended by itself.
        """
        return self._house.lives() and self.sent.process.lives()

    def end_play(self) -> None:
        """Tell dealer and players to end, where they are."""
        self._over.set()

    def until_sent(self) -> int:
        """Once play is over: wait until the floor has cosigned what is signed; how many entries.

        Raises:
            ChildProcessError: a program that does it has ended. TimeoutError.
        """
        self._thread.join(WAIT_S)

        def level() -> bool:
            control = self.bench.control
            return self.lives() and cosigned(control.status()) == control.checkpoint()["size"]

        until(level, f"{self.sent.table}: the floor cosigns the newest checkpoint")
        return cosigned(self.bench.control.status())

    def close(self) -> None:
        """End everything of it; nothing is left."""
        with ExitStack() as undo:
            undo.callback(self.bench.close)
            undo.callback(self.sent.process.kill)
            self.end_play()
            if self._thread.is_alive():
                self._thread.join(2 * WAIT_S)

    # ---- in the thread ------------------------------------------------------------------------

    def _play(self) -> None:
        try:
            dealer = Dealer(self.bench)
            dealer.wait_for_devices()
            while True:
                self._round(dealer)
                self.rounds += 1
        except _Over:
            return
        except Exception as error:  # it is told by whoever watches over all tables
            self.wrong = f"{self.words}: {type(error).__name__}: {error}"

    def _round(self, dealer: Dealer) -> None:
        number = self.rounds + 1
        self._plan.fill_shoe(dealer, number)
        self._plan.place_bets(dealer, number, lambda: self._pause(self._pace_s / 4))
        play_to_end(dealer, basic, lambda *_: self._pause(self._pace_s))
        self._pause(2 * self._pace_s)
        dealer.next()

    def _pause(self, seconds: float) -> None:
        if self._over.wait(seconds):
            raise _Over
