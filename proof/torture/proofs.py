"""A proof of one round out of a very long journal: real rounds, and millions of entries behind.

What stands behind the rounds is one entry that changes nothing (a refused attempt) again and again,
for the tree takes it as it takes any other; with a snapshot and a signed head for each batch, as a
table has. The daemon is started on it, beside one on an empty journal.

    python -m proof.torture proofs --entries 10000000        4 GB, a quarter of an hour
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller.evidence.tree.entries import TREE_FILE
from controller.journal.model import Draft
from controller.replay.recovery import recover
from controller.replay.replay import SNAPSHOT, draft_of
from controller.table.events.reading import read_event
from proof.torture.proof_cost import proof_text
from proof.torture.signing import Signing
from proof.torture.soak import BATCH, Bench

ROUNDS: Final = 5_000
"""Entries of real rounds, at the beginning."""


def main(argv: Sequence[str]) -> int:
    """Measure; 1 where the round could not be proven."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture proofs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--entries", metavar="N", type=int, default=200_000)
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where; else in the system's")
    options = parser.parse_args(argv)
    folder = Path(tempfile.mkdtemp(prefix="proofs-", dir=options.folder))
    try:
        empty, bench = Bench(folder / "empty"), Bench(folder / "long")
        rounds, _ = bench.fill(ROUNDS)
        began = time.perf_counter()
        last = _fill(bench, options.entries)
        took = time.perf_counter() - began
        nodes = (bench.state / TREE_FILE).stat().st_size
        print(
            f"{last:,} entries, {bench.file.stat().st_size / 1e6:,.0f} MB, filled in {took:,.0f} s "
            f"with a head for each {BATCH:,}; the tree's nodes {nodes:,} bytes"
        )
        starts = [(empty.start().took_s, bench.start().took_s) for _ in range(3)]
        print(
            f"start: {min(one for one, _ in starts):.2f} s on an empty journal, "
            f"{min(other for _, other in starts):.2f} s on this one"
        )
        said = proof_text(bench.state, rounds // 2)
        print(said)
        return 0 if "exit 0" in said and "exit 1" in said else 1
    finally:
        shutil.rmtree(folder)


def _fill(bench: Bench, upto: int) -> int:
    """Append entries that change nothing up to that number; the last one's."""
    with bench.journal() as journal:
        journal.connection.execute("PRAGMA synchronous = OFF")
        counted = recover(journal, journal.iterate).counted
        who = {"user": "ida", "uid": 7, "pid": 8, "what": "a connection", "why": "", "count": 1}
        signing = Signing(bench.state, "SOAK")
        while journal.head.seq < upto:
            event = read_event("refused-attempt", who)
            batch = [draft_of(event, counted.apply(event))] * (BATCH - 2)
            batch.append(Draft(SNAPSHOT, counted.dump()))
            wall = time.strftime("%Y-%m-%dT%H:%M:%S.000+00:00", time.gmtime())
            journal.append(batch, time.monotonic_ns(), wall)
            journal.checkpoint()
            signing.sign(journal)
        return journal.head.seq
