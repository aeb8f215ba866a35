"""``python -m proof.torture forging``: the attacker who knows everything but the key.

Journals are made by real play; a forger rewrites them, as he likes or in an attack that has a name,
makes all that lies beside fit, and start, 'journal verify', the inspector's verifier and the
scrubber look at it with the true key. What nobody finds who must, or ends in a traceback, is
printed with its trial; the seed reproduces it (--seed S --first N --count 1). The exit status is
then 1. "Rolled back whole" is an earlier state with all that knows of a later one: no signature
shows that, and it is counted apart.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Final

from controller.configuration.model import Configuration
from proof.torture.forged.attacks import Attack, Kind, by_chance
from proof.torture.forged.judging import SCRUBBER, START, VERIFIER, VERIFY, judge, nights_of
from proof.torture.forged.material import Material, place, play_material
from proof.torture.forged.named import NAMED
from proof.torture.forged.vouching import goes_on

COUNT: Final = 10_000
NEW_AFTER: Final = 2_000
"""Trials, after which other journals are played."""
A_NAMED: Final = 4
"""One in this number has a name."""
A_VOUCHED: Final = 200
"""One in this number is a genuine start on a forged end, which takes a second."""
MOST_TOLD: Final = 20
MEMORY_FOLDER: Final = Path("/dev/shm")
BY_CHANCE: Final = "by chance"
GOES_ON: Final = "a genuine start on it"
VOUCHED: Final = "signed by a genuine start"
TRACEBACK: Final = "ended in a traceback"
NOBODY: Final = "nobody"
LOOKING: Final = (VERIFY, VERIFIER, START, SCRUBBER)


@dataclass(frozen=True, slots=True)
class Tried:
    """A trial by its ``number``: which attack, what it amounted to, who ``found`` it, and what is
    ``wrong`` with that, "" for nothing."""

    number: int
    name: str
    kind: str
    found: frozenset[str] = frozenset()
    wrong: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all of them and print the account."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture forging",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=COUNT, help=f"of trials, {COUNT:,} by default")
    parser.add_argument("--seed", type=int, help="of the play and of what is taken by chance")
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    seed = int(time.time()) if given.seed is None else given.seed
    numbers = range(given.first, given.first + given.count)
    print(f"forging from seed {seed}: {given.count} trials", flush=True)
    began = time.monotonic()
    account = Account()
    for tried in _all(seed, numbers, min(given.jobs, given.count)):
        account.count_trial(tried)
    account.print_sums(time.monotonic() - began)
    return 1 if account.wrong else 0


def run_trials(seed: int, numbers: Iterable[int]) -> Iterator[Tried]:
    """The trials of these numbers; the same whatever others are tried."""
    parent = MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="forging-", dir=parent) as folder:
        config = place(Path(folder) / "place")
        with nights_of(config), _quiet():
            for era, of_it in groupby(numbers, lambda number: number // NEW_AFTER):
                material = play_material(Path(folder) / str(era), seed + era)
                yield from (attempt(material, config, seed, number) for number in of_it)


@contextmanager
def _quiet() -> Iterator[None]:
    """What a start logs of a forged journal is of no interest."""
    logging.disable()
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def attempt(material: Material, config: Configuration, seed: int, number: int) -> Tried:
    """One trial."""
    source = Random(f"{seed}-{number}")
    name = BY_CHANCE
    try:
        if number % A_VOUCHED == A_VOUCHED // 2:
            name = GOES_ON
            wrong = goes_on(material.images, material.own, source, config)
            return Tried(number, name, VOUCHED, frozenset(LOOKING[:2]), "; ".join(wrong))
        if number % A_NAMED:
            return judged(number, name, _by_chance(material, source), config)
        named = NAMED[number // A_NAMED % len(NAMED)]
        name = named.__name__.replace("_", " ")
        return judged(number, name, named(material.images, material.own, source), config)
    except Exception:  # a traceback is what nobody can do anything with
        return Tried(number, name, TRACEBACK, wrong=traceback.format_exc(limit=-4))


def judged(number: int, name: str, attack: Attack, config: Configuration) -> Tried:
    """What is found of an attack."""
    found = judge(attack.image, config, walks=attack.kind is Kind.BROKEN).found
    missing = [who for who in attack.kind.finders if not found[who]]
    wrong = f"not found by {', '.join(missing)}: {attack.told}" if missing else ""
    by = frozenset(who for who, what in found.items() if what)
    return Tried(number, name, attack.kind.value, by, wrong)


def _by_chance(material: Material, source: Random) -> Attack:
    while True:
        image = material.images[source.choice(sorted(material.images))]
        if (attack := by_chance(image, material.own, source)) is not None:
            return attack


def _all(seed: int, numbers: range, jobs: int) -> Iterable[Tried]:
    """All of them, shared among processes."""
    if jobs <= 1:
        yield from run_trials(seed, numbers)
        return
    shares = [numbers[part::jobs] for part in range(jobs)]
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for found in pool.imap_unordered(partial(_share, seed), shares):
            yield from found


def _share(seed: int, numbers: Sequence[int]) -> list[Tried]:
    return list(run_trials(seed, numbers))


@dataclass(slots=True)
class Account:
    """What was tried, and who found it: by what an attack amounted to, and by its name."""

    kinds: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[Tried] = field(default_factory=list)

    def count_trial(self, tried: Tried) -> None:
        """Count one."""
        for counts, name in ((self.kinds, tried.kind), (self.names, tried.name)):
            counts[name] += 1
            self.found.update((name, who) for who in tried.found)
            self.found[name, NOBODY] += not tried.found
        if tried.wrong:
            self.wrong.append(tried)

    def print_sums(self, seconds: float) -> None:
        """Print the sums."""
        who = (*LOOKING, NOBODY)
        for title, counts in (("what it is", self.kinds), ("attack", self.names)):
            print(f"{title:42}{'trials':>8}" + "".join(f"{one:>10}" for one in who))
            for name, count in sorted(counts.items()):
                sums = "".join(f"{self.found[name, one]:10}" for one in who)
                print(f"  {name:40}{count:8}{sums}")
        whole, count = self.kinds[Kind.BACK_WHOLE.value], self.kinds.total()
        print(
            f"{count} trials in {seconds:.0f} s: {len(self.wrong)} accepted or not named; "
            f"{whole} rolled back whole, which no signature shows"
        )
        for tried in sorted(self.wrong, key=lambda one: one.number)[:MOST_TOLD]:
            print(f"WRONG: trial {tried.number}, {tried.name}, {tried.kind}: {tried.wrong}")
