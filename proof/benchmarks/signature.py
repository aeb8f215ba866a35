"""What the journal costs beyond the disk, and its signed row: a commit of the journal with it, the
same without, and a bare one (:class:`proof.benchmarks.floor.Floor`).

The three take turns entry by entry on one disk, so that a busy moment burdens all. The processor's
time of the thread hardly depends on the disk; what a signed commit takes more of it than the one
beside it without is the signature, the row, and the row's page in the log. By the clock the disk
counts, too.

The bytes of the log are those of the pages that each wrote into it, between checkpoints at the same
times outside the measurement. A checkpoint lets the log be written over from its beginning, which
on a journaling file system is nearly twice as quick as lengthening it (``--checkpoint-every 0``):
the floor itself halves.

Run: ``python -m proof.benchmarks.signature [--commits N] [--checkpoint-every N] [--directory DIR]
[--json]``
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from controller.journal.commits import signed_text
from controller.journal.keys import ControllerKey
from controller.journal.log_check import FRAME
from controller.journal.model import Draft, Entry
from controller.journal.opening import PAGE_BYTES
from controller.journal.store import Journal
from proof.benchmarks.figures import Figure, alone, late, over, print_measured
from proof.benchmarks.floor import CARD, ROW_BYTES, WALL, Floor

SESSION: Final = 2864434397
WARM_UP: Final = 200
CHECKPOINT_EVERY: Final = 200
COMMITS: Final = 2000
KINDS: Final = ("bare", "unsigned", "signed", "signature")


class _Unsigned(Journal):
    """The same journal, but for the row."""

    def _sign(self, last: Entry) -> None:
        """Nothing is signed."""


def _took_us(work: Callable[[], object]) -> tuple[float, float]:
    """The thread's processor time of the work, and its time by the clock."""
    begun, began = time.thread_time_ns(), time.perf_counter_ns()
    work()
    ended = time.perf_counter_ns()
    return (time.thread_time_ns() - begun) / 1000, (ended - began) / 1000


def measure(
    directory: Path, commits: int, checkpoint_every: int = CHECKPOINT_EVERY
) -> list[Figure]:
    """Commit so many each way in ``directory``, which is made. The aim is for the machine of
    docs/figures.md, in microseconds."""
    directory.mkdir(exist_ok=True)
    key, pages, last = ControllerKey(directory / "key"), Counter[str](), WARM_UP + commits
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in KINDS}
    with (
        closing(Floor(directory / "floor.sqlite3", ROW_BYTES)) as bare,
        Journal(directory / "signed", key) as signed,
        _Unsigned(directory / "unsigned", key) as unsigned,
    ):
        files: Mapping[str, Floor | Journal] = {
            "bare": bare,
            "unsigned": unsigned,
            "signed": signed,
        }
        text = signed_text(signed.identity, 1, bytes(32), WALL)
        for number in range(1, last + 1):
            draft = Draft("CARD", CARD, "shoe", SESSION, number, number * 700)
            entry = [draft], time.monotonic_ns(), WALL
            works: tuple[Callable[[], object], ...] = (
                bare.commit,
                partial(unsigned.append, *entry),
                partial(signed.append, *entry),
                partial(key.sign, text),
            )
            for name, work in zip(KINDS, works, strict=True):
                took[name].append(_took_us(work))
            due = checkpoint_every and number % checkpoint_every == 0
            if due or number in (WARM_UP, last):
                written = {name: one.checkpoint()[0] for name, one in files.items()}
                pages.update(written if number > WARM_UP else {})
    cpu, wall = (
        {name: [one[at] for one in every[WARM_UP:]] for name, every in took.items()}
        for at in (0, 1)
    )
    us = {name: statistics.median(every) for name, every in cpu.items()}
    clock = {name: statistics.median(every) for name, every in wall.items()}
    log = {name: count * (FRAME.size + PAGE_BYTES) / commits for name, count in pages.items()}
    added = statistics.median(
        one - other for one, other in zip(cpu["signed"], cpu["unsigned"], strict=True)
    )
    return [
        alone(f"signature and row, processor time, of {commits}", added, "us", 60),
        over("  a commit with it, against without", us["signed"], us["unsigned"], "us"),
        over("  a commit with it, against a bare one", us["signed"], us["bare"], "us"),
        over("  the row, against the signature alone", added, us["signature"], "us"),
        over("log of a commit, against without", log["signed"], log["unsigned"], "bytes"),
        over("  against a bare one", log["signed"], log["bare"], "bytes"),
        over("a commit by the clock, against a bare one", clock["signed"], clock["bare"], "us"),
        over("  99th of a hundred", late(wall["signed"]), late(wall["bare"]), "us"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks.signature")
    parser.add_argument("--commits", type=int, default=COMMITS)
    parser.add_argument("--checkpoint-every", type=int, default=CHECKPOINT_EVERY, help="0: never")
    print_measured(
        parser,
        lambda options, _, disk: measure(disk, options.commits, options.checkpoint_every),
    )


if __name__ == "__main__":
    main()
