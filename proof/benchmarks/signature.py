"""What the signed row costs: a commit of the journal with it, the same without, and a bare one.

The three take turns entry by entry on one disk, so that a busy moment burdens all. Measured is the
processor's time of the thread, which hardly depends on the disk; what a signed commit takes more
than the one beside it without is the signature, the row, and the row's page in the log. The bare
commit is a single-row INSERT of as many bytes, set up like the journal.

The bytes of the log are those of the pages that each wrote into it, between checkpoints at the same
times outside the measurement.

Run: ``python -m proof.benchmarks.signature [--commits N] [--directory DIR]``; one JSON object,
times in microseconds.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.journal.commits import signed_text
from controller.journal.keys import ControllerKey
from controller.journal.log_check import FRAME
from controller.journal.model import Draft, Entry
from controller.journal.opening import PAGE_BYTES, checkpoint, configure
from controller.journal.store import Journal
from proof.benchmarks.journal_append import CARD, SESSION, WALL, WARM_UP, row_bytes

CHECKPOINT_EVERY = 200
COMMITS = 2000


class _Unsigned(Journal):
    """The same journal, but for the row."""

    def _sign(self, last: Entry) -> None:
        """Nothing is signed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians: processor time of a commit in microseconds, ``signed``, ``unsigned`` and ``bare``;
    of the ``signature`` alone; of what a signed one takes more, ``added``. And bytes of the log a
    commit."""

    commits: int
    signed_us: float
    unsigned_us: float
    bare_us: float
    signature_us: float
    added_us: float
    signed_bytes: float
    unsigned_bytes: float
    bare_bytes: float


def _processor_us(work: Callable[..., object], *arguments: object) -> float:
    begun = time.thread_time_ns()
    work(*arguments)
    return (time.thread_time_ns() - begun) / 1000


def measure(directory: Path, commits: int) -> Cost:
    """Commit so many each way in ``directory``, which is made."""
    directory.mkdir(exist_ok=True)
    key, floor = ControllerKey(directory / "key"), directory / "floor.sqlite3"
    us: dict[str, list[float]] = {name: [] for name in ("signed", "unsigned", "bare", "signature")}
    pages = dict.fromkeys(("signed", "unsigned", "bare"), 0)
    with (
        closing(sqlite3.connect(floor, isolation_level=None)) as bare,
        Journal(directory / "signed", key) as signed,
        _Unsigned(directory / "unsigned", key) as unsigned,
    ):
        bare.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        configure(bare, floor)
        bare.execute("CREATE TABLE floor (seq INTEGER PRIMARY KEY, bytes BLOB)")
        payload, text = b"x" * row_bytes(), signed_text(signed.identity, 1, bytes(32), WALL)
        for number in range(1, WARM_UP + commits + 1):
            draft = Draft("CARD", CARD, "shoe", SESSION, number, number * 700)
            mono_ns = time.monotonic_ns()
            row = (number, payload)
            us["bare"].append(_processor_us(bare.execute, "INSERT INTO floor VALUES (?, ?)", row))
            us["unsigned"].append(_processor_us(unsigned.append, [draft], mono_ns, WALL))
            us["signed"].append(_processor_us(signed.append, [draft], mono_ns, WALL))
            us["signature"].append(_processor_us(key.sign, text))
            if number % CHECKPOINT_EVERY == 0 or number == WARM_UP + commits:
                moved = {
                    "signed": signed.checkpoint(),
                    "unsigned": unsigned.checkpoint(),
                    "bare": checkpoint(bare),
                }
                for name, (log_pages, _) in moved.items() if number > WARM_UP else ():
                    pages[name] += log_pages
    added = [one - other for one, other in zip(us["signed"], us["unsigned"], strict=True)]
    frame = FRAME.size + PAGE_BYTES
    return Cost(
        commits,
        **{f"{name}_us": statistics.median(all_[WARM_UP:]) for name, all_ in us.items()},
        added_us=statistics.median(added[WARM_UP:]),
        **{f"{name}_bytes": count * frame / commits for name, count in pages.items()},
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--commits", type=int, default=COMMITS)
    parser.add_argument("--directory", type=Path, help="on the disk to be measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        cost = measure(Path(directory), options.commits)
    print(json.dumps({name: round(value, 1) for name, value in asdict(cost).items()}, indent=2))


if __name__ == "__main__":
    main()
