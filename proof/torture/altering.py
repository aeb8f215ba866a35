"""A table's journal altered by an attacker who knows everything but the key, and byte by byte.

Journals are made by real play. A forger rewrites them, as he likes or in an attack that has a name,
and makes all that lies beside fit (--count); or the files are altered as a disk or a hand alters
files, in one place at a time, --each so many of every page and frame. Then start, 'journal verify',
the inspector's verifier and the scrubber look at it with the true key. What nobody finds who must,
or ends in a traceback, is printed; the seed and the options reproduce it, and --first N --count 1
--each 0 trial N alone. The exit status is then 1. Altered bytes must be found, or be harmless:
value for value what was written. "Rolled back whole" is an earlier state with all that knows of a
later one: no signature shows that, and it is counted apart.
"""

from __future__ import annotations

import argparse
import logging
import os
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from controller.configuration.model import Configuration
from controller.upkeep import night_report
from figures.workers import spread
from proof.torture.alterations.attacks import by_chance
from proof.torture.alterations.file_bytes import alterations
from proof.torture.alterations.image import NIGHT, Images
from proof.torture.alterations.judging import (
    SCRUBBER,
    START,
    VERIFIER,
    VERIFY,
    Attack,
    Found,
    Kind,
    judge,
)
from proof.torture.alterations.ledger import Key
from proof.torture.alterations.material import (
    Material,
    PlayedJournal,
    place,
    play_journal,
    play_material,
)
from proof.torture.alterations.named import NAMED
from proof.torture.alterations.vouching import goes_on
from proof.torture.virtual.site import folder_in_memory

COUNT: Final = 10_000
NEW_AFTER: Final = 2_000
"""Trials, after which other journals are played."""
A_NAMED: Final = 4
"""One in this number has a name."""
A_VOUCHED: Final = 200
"""One in this number is a genuine start on a forged end, which takes a second."""
ROUNDS: Final = 20
"""Of the journal whose bytes are altered."""
EACH: Final = "2"
MOST_TOLD: Final = 20
BY_CHANCE: Final = "by chance"
GOES_ON: Final = "a genuine start on it"
TRACEBACK: Final = "ended in a traceback"
NOBODY: Final = "nobody"
LOOKING: Final = (VERIFY, VERIFIER, START, SCRUBBER)


@dataclass(frozen=True, slots=True)
class Tried:
    """A trial by its ``number``: which attack, what it amounted to, who ``found`` what, and what is
    ``wrong`` with that, "" for nothing."""

    number: int
    name: str
    kind: str
    found: Found = field(default_factory=dict)
    wrong: str = ""


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many of which alterations."""
    parser.add_argument("--count", type=int, default=COUNT, help=f"rewrites and attacks, {COUNT:,}")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them")
    parser.add_argument("--each", default=EACH, help="of each page and frame, or 'all'; 2")
    parser.add_argument("--pages", type=int, help="so many pages and frames, by chance; all")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="whose bytes are altered; 20")
    parser.add_argument("--seed", type=int, help="of the play and of what is taken by chance")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")


def run_torture(given: argparse.Namespace) -> int:
    """Try all of them and print the account."""
    given.seed = int(time.time()) if given.seed is None else given.seed
    print(f"altering from seed {given.seed}: {given.count} trials, {given.each} of each page")
    began = time.monotonic()
    account = Account()
    for found in spread(given.jobs, partial(_share, given), range(given.jobs)):
        for tried in found:
            account.count_trial(tried)
    account.print_sums(time.monotonic() - began)
    return 1 if account.wrong else 0


def _share(given: argparse.Namespace, part: int) -> list[Tried]:
    """What one of the processes tries."""
    numbers = range(given.first, given.first + given.count)[part :: given.jobs]
    found = list(run_trials(given.seed, numbers))
    if given.each != "0":
        with trial_place() as (folder, config):
            played = play_journal(folder / "bytes", given.rounds, given.seed)
            each = None if given.each == "all" else int(given.each)
            chance = Random(given.seed)
            found += byte_trials(played, config, chance, each, given.pages, part, given.jobs)
    return found


@contextmanager
def trial_place() -> Iterator[tuple[Path, Configuration]]:
    """A folder in memory, and a table's place in it; what a start logs of a forged journal is of no
    interest."""
    with folder_in_memory("altering-") as folder:
        config = place(Path(folder) / "place")
        logging.disable()
        try:
            with patch.object(night_report, "USUAL", config.path.parent / NIGHT):
                yield Path(folder), config
        finally:
            logging.disable(logging.NOTSET)


def run_trials(seed: int, numbers: Iterable[int]) -> Iterator[Tried]:
    """The rewrites and attacks of these numbers; the same whatever others are tried."""
    with trial_place() as (folder, config):
        for era, of_it in groupby(numbers, lambda number: number // NEW_AFTER):
            material = play_material(folder / str(era), seed + era)
            yield from (_rewritten(material, config, seed, number) for number in of_it)


def _rewritten(material: Material, config: Configuration, seed: int, number: int) -> Tried:
    source = Random(f"{seed}-{number}")
    images, own = material.images, material.own
    name, attack = BY_CHANCE, partial(_by_chance, images, own, source)
    if number % A_VOUCHED == A_VOUCHED // 2:

        def vouched() -> Tried:
            wrong = "; ".join(goes_on(images, own, source, config))
            found = dict.fromkeys((VERIFY, VERIFIER), "the start")
            return Tried(number, GOES_ON, Kind.VOUCHED.words, found, wrong)

        return _attempt(number, GOES_ON, vouched)
    if number % A_NAMED == 0:
        named = NAMED[number // A_NAMED % len(NAMED)]
        name, attack = named.__name__.replace("_", " "), partial(named, images, own, source)
    return _attempt(number, name, lambda: judged(number, name, attack(), config))


def _by_chance(images: Images, own: Key, source: Random) -> Attack:
    while True:
        image = images[source.choice(sorted(images))]
        if (attack := by_chance(image, own, source)) is not None:
            return attack


def byte_trials(
    played: PlayedJournal,
    config: Configuration,
    source: Random,
    each: int | None,
    pages: int | None,
    part: int = 0,
    parts: int = 1,
) -> Iterator[Tried]:
    """Try every alteration of bytes of one part of them, which are the same in every process."""
    for number, one in enumerate(alterations(played, source, each=each, pages=pages)):
        if number % parts == part and (attack := one.attack(played)) is not None:
            name = one.what
            yield _attempt(number, name, partial(judged, number, name, attack, config))


def judged(number: int, name: str, attack: Attack, config: Configuration) -> Tried:
    """What is found of an attack."""
    found, wrong = judge(attack, config)
    by = {who: what for who, what in found.items() if what}
    return Tried(number, name, attack.kind.words, by, wrong and f"{wrong}: {attack.told}")


def _attempt(number: int, name: str, trial: Callable[[], Tried]) -> Tried:
    try:
        return trial()
    except Exception:  # a traceback is what nobody can do anything with
        return Tried(number, name, TRACEBACK, wrong=traceback.format_exc(limit=-4))


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
        whole, count = self.kinds[Kind.BACK_WHOLE.words], self.kinds.total()
        harmless = sum(self.found[kind.words, NOBODY] for kind in Kind if kind.must is None)
        print(
            f"{count} trials in {seconds:.0f} s: {len(self.wrong)} accepted or not named; "
            f"{whole} rolled back whole, which no signature shows; {harmless} harmless"
        )
        for tried in sorted(self.wrong, key=lambda one: one.number)[:MOST_TOLD]:
            print(f"WRONG: trial {tried.number}, {tried.name}, {tried.kind}: {tried.wrong}")
