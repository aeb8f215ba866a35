"""What a floor's collector costs, and how late it is: rounds of many tables, as they end.

Tables are made: each has a key, and so a log, of its own, and all have the same entries, out of one
journal of made play. The code that sends is the tables' own (:mod:`controller.witness.forwarding`);
sockets, collector, its facts and PostgreSQL are real. Rounds end evenly, ``--rate`` a second. The
delay is from then to the mirror's cosignature.

Run: ``python -m proof.benchmarks.collecting [--tables N] [--rate N] [--seconds N] [--json]``
"""

from __future__ import annotations

import argparse
import statistics
import time
from base64 import b64encode
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from controller.configuration.model import FLOOR, WitnessSettings
from controller.control.answers import NewestCheckpoint
from controller.evidence.tree.checkpoint import checkpoint_of, vkey_of
from controller.evidence.tree.cosignature import WitnessKey
from controller.evidence.tree.merkle import leaf_hash, node_hash, root_of, subtree_proof
from controller.journal.keys import ControllerKey
from controller.witness.exchange import WitnessTalk
from controller.witness.forwarding import Forwarder
from hil_tests.floor.house import House
from proof.benchmarks.figures import Figure, alone, late, print_measured
from proof.torture.floor_boxes import Box

TABLES: Final = 200
RATE: Final = 3.9
"""Rounds a second of 200 tables; 39 are those of 2,000."""
SECONDS: Final = 60.0
A_ROUND: Final = 21
"""Entries of a round."""
SENDERS: Final = 16


@dataclass(frozen=True, slots=True)
class MadeEntries:
    """The entries of every table, and the tree over them."""

    lines: list[str]
    _nodes: dict[tuple[int, int], bytes] = field(default_factory=dict)

    def node(self, level: int, index: int) -> bytes:
        """A node of the tree."""
        if (level, index) not in self._nodes:
            self._nodes[level, index] = (
                node_hash(*(self.node(level - 1, 2 * index + side) for side in (0, 1)))
                if level
                else leaf_hash(self.lines[index].encode("ascii"))
            )
        return self._nodes[level, index]


class MadeTable:
    """A table, as the process that sends talks with its controller; ``size`` entries are signed."""

    def __init__(self, key: Path, entries: MadeEntries) -> None:
        self._key = ControllerKey(key)
        self._entries = entries
        self.vkey = vkey_of(self._key.public)
        self.size = 0
        self._cosigned = 0
        self._forwarder = Forwarder()

    def round_ends(self, floor: WitnessSettings) -> None:
        """Send one more round.

        Raises:
            RuntimeError: it was not cosigned.
        """
        self.size += A_ROUND
        self.send(floor)

    def send(self, floor: WitnessSettings) -> None:
        """Send all that is signed; raises as :meth:`round_ends`."""
        _, answer = self._forwarder(cast("WitnessTalk", self), floor, self._cosigned)
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {answer.body!r}")
        self._cosigned = self.size

    def answer_to(self, question: Any, *of: Any, **by: Any) -> Any:
        """As a talk with the controller has it."""
        return getattr(self, question.__name__)(*of, **by)

    def checkpoint(self, old: int = 0) -> NewestCheckpoint:
        """The newest checkpoint, proven from ``old``."""
        node = self._entries.node
        key, root = self._key, root_of(self.size, node)
        text = checkpoint_of(key.public, self.size, root).signed(key)
        path = subtree_proof(0, old, self.size, node) if 0 < old < self.size else []
        return {"checkpoint": text, "size": self.size, "proof": _base64_lines(path), "cosigned": {}}

    def entries(self, after: int, most: int) -> list[str]:
        """The lines behind that entry."""
        return self._entries.lines[after : after + most]

    def subtree(self, start: int, end: int, size: int) -> list[str]:
        """The proof of a subtree."""
        return _base64_lines(subtree_proof(start, end, size, self._entries.node))

    def witnessed(self, *_: object) -> None:
        """What was answered is not kept."""


def known(house: House, tables: Mapping[str, MadeTable]) -> WitnessSettings:
    """Have the house know the tables by these names, and see them; the floor that they send to."""
    for name, table in tables.items():
        house.knows(name, table.vkey)
    time.sleep(3.0)
    return WitnessSettings(FLOOR, house.url, WitnessKey.of_vkey(house.vkey), required=False)


def _base64_lines(path: list[bytes]) -> list[str]:
    return [b64encode(one).decode("ascii") for one in path]


def measure(given: argparse.Namespace, folder: Path, _: Path) -> list[Figure]:
    """Send for so long."""
    rounds = int(given.rate * given.seconds)
    with closing(House()) as house:
        box = Box(folder / "box", house, "made", house.url)
        box.write(box.played(1, A_ROUND * (rounds // given.tables + 2))[0])
        entries = MadeEntries([line.decode("ascii") for line in box.sent.export()])
        tables = [MadeTable(folder / f"{n}.key", entries) for n in range(given.tables)]
        floor = known(house, {f"T{number}": table for number, table in enumerate(tables)})
        begun = time.monotonic()
        (collector,) = house.collectors
        before = collector.used_s()

        def send(number: int) -> float:
            ends: float = begun + number / given.rate
            time.sleep(max(0.0, ends - time.monotonic()))
            tables[number % given.tables].round_ends(floor)
            return 1e3 * (time.monotonic() - ends)

        with ThreadPoolExecutor(SENDERS) as senders:
            delays = list(senders.map(send, range(rounds)))
        took = time.monotonic() - begun
        cpu = collector.used_s() - before
    return [
        alone(f"rounds of {given.tables} tables", rounds / took, "a second"),
        alone("  share of a core", cpu / took, ""),
        alone("  processor time a round", 1e3 * cpu / rounds, "ms"),
        alone("cosigned behind a round's end, median", statistics.median(delays), "ms"),
        alone("  99th of a hundred", late(delays), "ms"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks.collecting")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rate", type=float, default=RATE, help="rounds a second")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    print_measured(parser, measure)


if __name__ == "__main__":
    main()
