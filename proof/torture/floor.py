"""Whole journals sent to a floor whose parts are killed.

Boxes have journals of made play (:mod:`proof.torture.floor_boxes`). Their daemons and the processes
that send are real, and so are two collectors and PostgreSQL. While entries arrive,
collectors, database, daemons and senders are killed (SIGKILL), one after the other, spread over
the whole way; the network between is cut, slow, or doubles requests. A third of the boxes have a
clock that is an hour off. At no moment may a box have a cosignature of what is not stored; at the
end the floor has each entry once, byte for byte, and each round once among its facts. Then it is
tried what must be refused, and what must not matter (there, too).

Exit status 1: something was lost, came twice, was altered, or was taken that must be refused.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Final

from hil_tests.bench import processes
from hil_tests.bench.controller_process import ControllerProcess
from hil_tests.bench.logged_program import LoggedProgram, until
from hil_tests.bench.wire import CLEAR, DOUBLING, KINDS, Wire
from hil_tests.demo import standing
from hil_tests.floor.house import House, cosigned, prefix
from proof.torture.floor_boxes import WRONGS, Box

ENTRIES: Final = 1_000_000
KILLS: Final = 100
SEED: Final = 20_261_126
BOXES: Final = 6
DOWN_S: Final = 0.5
"""What was killed is started again within this time."""
STRETCH_S: Final = 1.5
"""The network is cut or slow for about so long, from a kill on; it doubles until the next one."""
STILL_S: Final = 180.0
"""Nothing stored for so long: it does not go on by itself."""
FACTS_S: Final = 600.0
"""After the last entry, for facts."""
LOOK_S: Final = 0.05
WEIGHTS: Final = {"collector": 3, "database": 2, "sender": 3, "daemon": 1}

_STORED: Final = "select origin, next_entry from floor.log"
_KEPT: Final = "select sum(entries), sum(octet_length(lines)) from floor.bundle"
_UNDERIVED: Final = "select origin from floor.log where facts_upto < next_entry"
_ROUNDS: Final = "select count(*), count(distinct (log, number)) from floor_facts.round"
_FACTS: Final = """
    select sum(pg_total_relation_size(oid)) from pg_class
    where relkind = 'r' and relnamespace = 'floor_facts'::regnamespace"""


class Siege:
    """The floor, its boxes and the network between, and what is done to them."""

    def __init__(self, house: House, wire: Wire, boxes: Sequence[Box], seed: int) -> None:
        self._house = house
        self._wire = wire
        self._boxes = boxes
        self._chance = Random(seed)
        self._victims: dict[str, Callable[[], None]] = {
            "collector": self._kill_collector,
            "database": self._kill_database,
            "sender": lambda: _start_again(self._chance.choice(boxes).sent.process),
            "daemon": lambda: _start_again(self._chance.choice(boxes).daemon),
        }
        self.killed: Counter[str] = Counter()
        self.networks: Counter[str] = Counter()
        self.wrong: list[str] = []

    def lay(self, entries: int, kills: int) -> None:
        """Kill so often on the way to so many entries in the database."""
        moments = sorted(self._chance.uniform(0, entries * 0.97) for _ in range(kills))
        for moment in moments:
            self._until_stored(moment)
            kind = self._chance.choice(KINDS)
            self._wire.become(kind)
            self.networks[kind] += 1
            victim = self._chance.choices([*WEIGHTS], [*WEIGHTS.values()])[0]
            self._victims[victim]()
            self.killed[victim] += 1
            self._nothing_is_promised()
        self._wire.become(CLEAR)

    def _until_stored(self, wanted: float) -> None:
        seen, since = -1, time.monotonic()
        while (stored := sum(self._stored().values())) < wanted:
            if stored != seen:
                seen, since = stored, time.monotonic()
            if time.monotonic() - since > STILL_S:
                raise TimeoutError(f"{stored} entries stored, and no more in {STILL_S:g} s")
            time.sleep(LOOK_S)
            if self._wire.kind != DOUBLING and self._chance.random() < LOOK_S / STRETCH_S:
                self._wire.become(CLEAR)

    def _stored(self) -> dict[str, int]:
        return dict(self._house.rows_of(_STORED))

    def _nothing_is_promised(self) -> None:
        """What is cosigned is stored."""
        promised = {box.sent.origin: cosigned(box.status()) for box in self._boxes}
        stored = self._stored()
        self.wrong += [
            f"{size} entries of {origin} are cosigned, {stored.get(origin, 0)} stored"
            for origin, size in promised.items()
            if size > stored.get(origin, 0)
        ]

    def _kill_collector(self) -> None:
        collector = self._chance.choice(self._house.collectors)
        collector.kill()
        time.sleep(self._chance.uniform(0, DOWN_S))
        collector.serve()

    def _kill_database(self) -> None:
        self._house.cluster.kill()
        time.sleep(self._chance.uniform(0, DOWN_S))
        self._house.cluster.start()


def _start_again(program: LoggedProgram | ControllerProcess) -> None:
    program.kill()
    program.start()


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many."""
    parser.add_argument("--entries", type=int, default=ENTRIES, help="of all boxes together")
    parser.add_argument("--kills", type=int, default=KILLS, help="spread over the way")
    parser.add_argument("--seed", type=int, default=SEED, help="of play and of what is done to it")


def run_torture(given: argparse.Namespace) -> int:
    """Lay siege, print the account, return 1 when anything was lost, came twice or was wrong."""
    standing.listen()  # an interrupt leaves nothing, either
    processes.start_server()
    print(
        f"floor from seed {given.seed}: {given.entries:,} entries, {given.kills} kills", flush=True
    )
    wrong: list[str] = []
    with _floor() as (house, folder):
        wrong += besiege(house, folder, given.entries, given.kills, given.seed)
    for number, trial in enumerate(WRONGS):
        name = trial.__name__.replace("_", " ")
        began = time.monotonic()
        try:
            with _floor() as (house, folder):
                found = list(trial(house, folder, given.seed + number))
        except Exception:  # a box that does not start, an answer that never comes
            found = [traceback.format_exc()]
        print(
            f"{name}: {'WRONG' if found else 'well'}, {time.monotonic() - began:.0f} s", flush=True
        )
        wrong += [f"{name}: {what}" for what in found]
    for what in wrong:
        print(f"wrong: {what}")
    return int(bool(wrong))


@contextmanager
def _floor() -> Iterator[tuple[House, Path]]:
    with (
        tempfile.TemporaryDirectory(prefix="boxes-") as folder,
        closing(House(collectors=2)) as house,
    ):
        yield house, Path(folder)


def besiege(house: House, folder: Path, entries: int, kills: int, seed: int) -> list[str]:
    """Send so many entries through so many kills, and print the account; what is wrong."""
    with ExitStack() as stack:
        wire = stack.enter_context(closing(Wire([one.port for one in house.collectors])))
        began = time.monotonic()
        boxes, rounds = _boxes(house, folder, wire, entries, seed)
        print(f"{rounds:,} rounds made in {time.monotonic() - began:.0f} s", flush=True)
        began = time.monotonic()
        wire.become(DOUBLING)  # the first requests
        for box in boxes:
            stack.enter_context(closing(box)).start_sending()
        siege = Siege(house, wire, boxes, seed)
        try:
            siege.lay(entries, kills)
            sizes = {box: box.until_sent() for box in boxes}
            took = time.monotonic() - began
            for box in boxes:
                box.close()  # nothing comes any more
            until(lambda: not house.rows_of(_UNDERIVED), "all facts are derived", FACTS_S)
        except Exception:
            siege.wrong.append(traceback.format_exc())
            return siege.wrong
        siege.wrong += _compared(house, sizes)
        ((rows, numbers),) = house.rows_of(_ROUNDS)
        if not rows == numbers == rounds:
            siege.wrong.append(f"{rows} rounds are facts, of {rounds}")
        total = sum(sizes.values())
        cpu = sum(collector.used_s() for collector in house.collectors)
        house.compact()
        bundles, facts = house.rows_of(_KEPT)[0][1], house.rows_of(_FACTS)[0][0]
        print(
            f"{total:,} entries in {took:.0f} s; killed: {_counted(siege.killed)}; network: "
            f"{_counted(siege.networks)}, {wire.doubled} requests doubled\n"
            f"collectors: {1e3 * cpu / rounds:.2f} ms of the processor a round "
            f"with its facts; an entry: {bundles / total:.0f} bytes in bundles, "
            f"{facts / total:.0f} in facts",
            flush=True,
        )
    return siege.wrong


def _boxes(
    house: House, folder: Path, wire: Wire, entries: int, seed: int
) -> tuple[list[Box], int]:
    """Boxes that do not run, with the journals that are to be sent; their rounds, all together."""
    boxes = [
        Box(folder / f"box-{number}", house, f"B{number}", prefix(wire.port))
        for number in range(1, BOXES + 1)
    ]
    drafts, rounds = boxes[0].played(seed, entries // BOXES)
    for number, box in enumerate(boxes):
        box.write(drafts, hours_off=number % 3 - 1)
    return boxes, rounds * BOXES


def _compared(house: House, sizes: Mapping[Box, int]) -> list[str]:
    """What of the journals is not in the database as it is in the box, each entry once; so many
    entries at least were sent."""
    stored = {mark.origin: mark.next_entry for mark in house.watermarks()}
    found = []
    for box, size in sizes.items():
        sent = box.sent
        if wrong := house.differs(sent.origin, sent.export(), max(size, stored[sent.origin])):
            found.append(f"{sent.table}: {wrong}")
    kept = int(house.rows_of(_KEPT)[0][0])
    if kept != sum(stored.values()):
        found.append(f"{kept} entries are in bundles, of {sum(stored.values())}")
    return found


def _counted(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
