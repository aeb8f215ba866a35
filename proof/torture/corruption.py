"""``python -m proof.torture corruption``: every page of a journal altered, and the log, and whole
files.

A journal is made by real play, its files altered in one place at a time, and each time it must be
refused, found, or be harmless: value for value what was written. ``--each all`` takes every byte
class of every page in every kind, ``--each 3`` three by chance; ``--pages`` takes only that number
pages and frames. What is accepted, or ends in a traceback, is printed; the seed and the options
reproduce it. The exit status is then 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from proof.torture.files.altering import Alteration, alterations
from proof.torture.files.material import Files, PlayedJournal, play_journal
from proof.torture.files.trial import Outcome, Verdict, try_out

ROUNDS = 20
EACH = "2"
MOST_TOLD = 20
MEMORY_FOLDER = Path("/dev/shm")

Tried = tuple[str, str, str, Outcome]
"""Where, which byte class, what was done, and what came of it."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is to be tried: of every page ``each`` alterations (None: all), of ``pages`` pages."""

    rounds: int
    seed: int
    each: int | None
    pages: int | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all alterations and print the account."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture corruption",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, help="of the play and of what is taken by chance")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of the play")
    parser.add_argument("--each", default=EACH, help="alterations of each page, or 'all'")
    parser.add_argument("--pages", type=int, help="number of pages and frames, by chance")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    seed = int(time.time()) if given.seed is None else given.seed
    each = None if given.each == "all" else int(given.each)
    options = Options(given.rounds, seed, each, given.pages)
    print(f"corruption from seed {seed}: {given.rounds} rounds, {given.each} of each page")
    began = time.monotonic()
    parent = MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="corruption-", dir=parent) as folder:
        made = play_journal(Path(folder), options.rounds, seed)
        print(
            f"{made.left.pages} pages and {len(made.left.log):,} bytes of log, "
            f"{len(made.content):,} rows; made in {time.monotonic() - began:.0f} s",
            flush=True,
        )
        account = Account()
        for tried in _all(made, options, given.jobs, Path(folder)):
            account.count_trial(tried)
    account.print_sums(time.monotonic() - began)
    return 1 if account.wrong else 0


def try_alterations(
    made: PlayedJournal, options: Options, part: int = 0, parts: int = 1
) -> Iterator[Tried]:
    """Try every alteration of one part of them; the same in every process."""
    with tempfile.TemporaryDirectory(prefix="altered-", dir=made.copy.parent) as folder:
        source = random.Random(options.seed)
        each = alterations(made, source, each=options.each, pages=options.pages)
        for number, alteration in enumerate(each):
            if number % parts == part and (files := _altered(made.left, alteration)):
                outcome = try_out(made, files, Path(folder))
                yield alteration.where, alteration.what, alteration.kind, outcome


def _altered(left: Files, alteration: Alteration) -> Files | None:
    files = alteration.files()
    return None if files == left else files


def _all(made: PlayedJournal, options: Options, jobs: int, folder: Path) -> Iterable[Tried]:
    """All of them, shared among processes."""
    if jobs == 1:
        yield from try_alterations(made, options)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        work = partial(_part, made, options, jobs)
        for found in pool.imap_unordered(work, range(jobs)):
            yield from found


def _part(made: PlayedJournal, options: Options, parts: int, part: int) -> list[Tried]:
    return list(try_alterations(made, options, part, parts))


class Account:
    """What was tried, and what came of it."""

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.classes: Counter[tuple[str, Verdict]] = Counter()
        self.kinds: Counter[tuple[str, Verdict]] = Counter()
        self.places: set[str] = set()
        self.noticed: Counter[str] = Counter()
        self.wrong: list[str] = []

    def count_trial(self, tried: Tried) -> None:
        """Count one."""
        where, what, kind, outcome = tried
        verdict = outcome.verdict
        self.verdicts[verdict] += 1
        self.classes[what, verdict] += 1
        self.kinds[kind, verdict] += 1
        self.places.add(where)
        self.noticed.update(outcome.noticed)
        if verdict in (Verdict.ACCEPTED, Verdict.BLUNDER):
            self.wrong.append(f"{where}, {what}, {kind}: {verdict.value}: {outcome.told}")

    def print_sums(self, seconds: float) -> None:
        """Print the sums, by byte class and by kind."""
        for name, counts in (("byte class", self.classes), ("kind", self.kinds)):
            print(f"{name:32}" + "".join(f"{verdict.name.lower():>10}" for verdict in Verdict))
            for what in sorted({what for what, _ in counts}):
                sums = "".join(f"{counts[what, verdict]:10}" for verdict in Verdict)
                print(f"  {what:30}{sums}")
        lost = ", ".join(f"by the {who} {count}" for who, count in sorted(self.noticed.items()))
        print(
            f"{sum(self.verdicts.values())} alterations of {len(self.places)} places in "
            f"{seconds:.0f} s: "
            + ", ".join(f"{self.verdicts[verdict]} {verdict.value}" for verdict in Verdict)
        )
        print(f"lost or unsigned ends noticed: {lost or 'none came about'}")
        for told in self.wrong[:MOST_TOLD]:
            print(f"WRONG: {told}")
