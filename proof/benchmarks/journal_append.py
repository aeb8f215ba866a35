"""What the journal costs beyond the disk: one append against the barest durable commit.

The floor is a single-row INSERT, WAL with ``synchronous=FULL``, of a row of as many bytes into a
table without indexes, triggers or chain, measured in the same run on the same disk. The two take
turns entry by entry, so that a busy moment of the disk burdens both; both logs are checkpointed
at the same times, outside the measurement. Prints one JSON object; times in microseconds.

A checkpoint lets the log be written over from its beginning, which on a journaling file system is
nearly twice as quick as lengthening it (``--checkpoint-every 0``): the floor itself halves.

Run: ``python -m proof.benchmarks.journal_append [--entries N] [--checkpoint-every N] [--directory
DIR]``
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from controller.journal.canonical import canonical
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.opening import configure
from controller.journal.store import Journal

CARD = {"rank": 11, "suit": 3, "flags": 0, "card_uid": 305419896, "remaining": 311}
WALL = "2026-11-20T18:16:58.123456+00:00"
SESSION = 2864434397
WARM_UP = 200


def row_bytes() -> int:
    """Return about how many bytes an entry's row has: text, digest, numbers of typical width."""
    numbers = 4 + 1 + 6 + 4 + 1 + 4 + 4
    return len(canonical(CARD)) + len(WALL) + len("CARD") + len("shoe") + 32 + numbers


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Return how many microseconds the work took."""
    begun = time.perf_counter_ns()
    work(*arguments)
    return (time.perf_counter_ns() - begun) / 1000


def measure(directory: Path, entries: int, checkpoint_every: int) -> dict[str, float | int]:
    """Write ``entries`` entries each way, with a checkpoint now and then (0: none)."""
    bare = sqlite3.connect(directory / "floor.sqlite3", isolation_level=None)
    configure(bare, directory / "floor.sqlite3")
    bare.execute("CREATE TABLE floor (seq INTEGER PRIMARY KEY, bytes BLOB)")
    payload = b"x" * row_bytes()
    floor: list[float] = []
    ours: list[float] = []
    with Journal(directory / "state", ControllerKey(directory / "key")) as journal:
        for number in range(1, entries + WARM_UP + 1):
            row = (number, payload)
            draft = Draft("CARD", CARD, "shoe", SESSION, number, number * 700)
            floor.append(timed(bare.execute, "INSERT INTO floor VALUES (?, ?)", row))
            ours.append(timed(journal.append, [draft], time.monotonic_ns(), WALL))
            if checkpoint_every and number % checkpoint_every == 0:
                bare.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                journal.checkpoint()
    bare.close()
    floor, ours = floor[WARM_UP:], ours[WARM_UP:]
    return {
        "entries": entries,
        "checkpoint_every": checkpoint_every,
        "row_bytes": row_bytes(),
        "floor_median_us": round(statistics.median(floor), 1),
        "append_median_us": round(statistics.median(ours), 1),
        "floor_mean_us": round(statistics.fmean(floor), 1),
        "append_mean_us": round(statistics.fmean(ours), 1),
        "append_p99_us": round(statistics.quantiles(ours, n=100)[98], 1),
        "ratio_of_medians": round(statistics.median(ours) / statistics.median(floor), 3),
        "ratio_of_means": round(statistics.fmean(ours) / statistics.fmean(floor), 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--checkpoint-every", type=int, default=200)
    parser.add_argument("--directory", type=Path, help="on the disk to be measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        figures = measure(Path(directory), options.entries, options.checkpoint_every)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
