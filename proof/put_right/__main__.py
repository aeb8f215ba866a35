"""``python -m proof.put_right [--document ID] [--rounds N] [--seed N] [--live] [--jobs N]``

Rounds by chance in which up to three mistakes are made and put right, each held against its
partner (:mod:`~.verdicts`), in the round itself and as a script; ``--live``: at a live table in
this process, too. Prints, of each document, what was compared, what was not and why, the exceptions
that were met, and the smallest script of each kind of failure; its title is the seed that plays it
again. Exit status 1 where a round fails, or where many rounds never meet an exception.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from controller.files.rules import rule_files
from figures.workers import spread
from proof.put_right.remedies import clauses_of
from proof.put_right.verdicts import Part, Tally, play

PART: Final = 500
"""Rounds that a process plays at a time."""
ENOUGH: Final = 20_000
"""Rounds that meet every exception."""


def main(arguments: Sequence[str]) -> int:
    """The command."""
    options = _options(arguments)
    faults = 0
    for document in options.documents or list(rule_files()):
        began, found = time.monotonic(), Tally()
        parts = [
            Part(document, options.seed, first, min(PART, options.rounds - first), options.live)
            for first in range(0, options.rounds, PART)
        ]
        for played in spread(options.jobs, play, parts):
            found.add(played)
        faults += _print_tally(document, found, time.monotonic() - began)
    return 1 if faults else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    known = list(rule_files())
    parser = argparse.ArgumentParser(
        prog="python -m proof.put_right", description="Rounds put right, against those never wrong."
    )
    add = parser.add_argument
    add("--document", dest="documents", action="append", choices=known, metavar="ID", help="one")
    add("--rounds", type=int, default=2000, metavar="N", help="of each document (%(default)s)")
    add("--seed", type=int, default=1, metavar="N", help="of all that is by chance (%(default)s)")
    add("--live", action="store_true", help="each round at a live table, too")
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (%(default)s)")
    options = parser.parse_args(arguments)
    if options.jobs < 1 or options.rounds < 1:
        parser.error("--jobs, --rounds: expected 1 or more")
    return options


def _print_tally(document: str, found: Tally, took: float) -> int:
    """Print what the rounds of a document came to; the number of faults."""
    print(
        f"{document}: {found.rounds} rounds in {took:.0f} s, {found.compared} compared", flush=True
    )
    for title, counts in (
        ("mistakes", found.kinds),
        ("put right", found.moments),
        ("not comparable", found.apart),
        ("exceptions met", found.met),
        ("FAILED", found.failures),
    ):
        told = ", ".join(f"{what}: {count}" for what, count in sorted(counts.items()))
        if told:
            print(f"    {title}: {told}")
    for failed, verdicts in sorted(found.smallest.items()):
        for one in verdicts:
            print(f"    {failed}: {one.said}\n        {json.dumps(one.script)}")
    never = [clause for clause in clauses_of(document) if clause not in found.met]
    if found.rounds < ENOUGH:
        never = []
    elif never:
        print(f"    NEVER MET: {', '.join(never)}")
    return found.failures.total() + len(never)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
