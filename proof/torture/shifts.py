"""``python -m proof.torture shifts``: shifts in virtual time, faults and crashes included, from
seeds.

``--seed N --count 1`` plays one again; what a seed breaks, it breaks every time. A shift that broke
a rule prints its seed, its table and the rule; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from proof.torture.virtual.shift import FAULTS, ROUNDS, Account, play_shift

COUNT = 20
TELL_EVERY = 50
"""Shifts after which a line says how far it has come."""
PLAY_S = 75.0
"""What a round takes at a real table: to say how much faster this is."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the shifts and print the account."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture shifts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=COUNT, help="shifts")
    parser.add_argument("--seed", type=int, help="of the first shift; the next ones count on")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of a shift")
    parser.add_argument("--faults", type=int, default=FAULTS, help="in a shift")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--minutes", type=float, help="go on until these minutes have passed")
    given = parser.parse_args(arguments)
    first = int(time.time()) if given.seed is None else given.seed
    print(f"shifts from seed {first}: {given.rounds} rounds, {given.faults} faults each")
    return _report(_play(first, given))


def _play(first: int, given: argparse.Namespace) -> Iterable[Account]:
    """The accounts of all shifts, in any order, as they are done."""
    until = None if given.minutes is None else time.monotonic() + given.minutes * 60
    play = partial(play_shift, rounds=given.rounds, faults=given.faults)
    count = 1 << 30 if until else given.count
    if given.jobs == 1 or count == 1:
        for seed in range(first, first + count):
            yield play(seed)
            if until and time.monotonic() > until:
                return
        return
    with multiprocessing.get_context("spawn").Pool(given.jobs, maxtasksperchild=50) as pool:
        for account in pool.imap_unordered(play, range(first, first + count)):
            yield account
            if until and time.monotonic() > until:
                pool.terminate()
                return


def _report(accounts: Iterable[Account]) -> int:
    """Print each broken shift as it comes, and the sums."""
    begun = time.monotonic()
    shifts = broken = rounds = entries = cards = draws = lives = voids = 0
    virtual_s = real_s = 0.0
    faults: Counter[str] = Counter()
    for account in accounts:
        shifts, rounds = shifts + 1, rounds + account.rounds
        entries, cards = entries + account.entries, cards + account.cards
        draws, lives, voids = draws + account.draws, lives + account.lives, voids + account.voids
        virtual_s, real_s = virtual_s + account.virtual_s, real_s + account.real_s
        faults += account.faults
        if account.broken:
            broken += 1
            print(
                f"BROKEN seed {account.seed} ({account.rules}, round {account.rounds + 1}): "
                f"{account.broken}",
                flush=True,
            )
        if shifts % TELL_EVERY == 0:
            print(f"  {shifts} shifts, {time.monotonic() - begun:.0f} s", flush=True)
    if not shifts:
        print("no shift was played", file=sys.stderr)
        return 1
    took_s = time.monotonic() - begun
    print(
        f"{shifts} shifts, {rounds} rounds, {sum(faults.values())} faults of {len(faults)} kinds, "
        f"{lives} starts of the daemon, {entries} entries, {cards} cards, {draws} draws, "
        f"{voids} rounds void; {broken} broken"
    )
    print(
        f"{took_s:.0f} s ({real_s / max(rounds, 1) * 1000:.1f} ms a round and process: "
        f"{rounds * PLAY_S / max(real_s, 1e-9):,.0f} times as fast as play); "
        f"{virtual_s / 3600:.1f} hours in virtual time"
    )
    for kind, count in sorted(faults.items()):
        print(f"  {count:6} {kind}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
