"""``python -m proof.agreement [DOCUMENT ...] [--rounds N] [--uncompiled] [--mutants] [--jobs N]``

Plays rounds by chance with the kernel and with the table's own rounds and compares all that can be
seen; ``--mutants``: by the rules with each of their values changed, instead, and then rounds in
which that value matters. Prints what was
played, and the first difference of each rule set with the options that play it again (``--seed``,
``--first``, ``--rounds``, ``--only``). Exit status 1 where there is one.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from controller.files.rules import rule_files
from figures.workers import spread
from proof.agreement.changed import Part, changed, play
from proof.agreement.outcomes import as_compiled
from proof.agreement.played_tables import PlayedRounds

PART: Final = 5000
"""Rounds that a process plays at a time."""
TIMES: Final = 50
"""Rounds of a mutant in which its value matters, where there are so many."""


def main(arguments: Sequence[str]) -> int:
    """The command."""
    options = _options(arguments)
    if not options.uncompiled:
        try:
            as_compiled()
        except ImportError:
            print("agreement: Numba is not installed: install it, or say --uncompiled")
            return 2
    differences = 0
    for document in options.documents or list(rule_files()):
        began, found, mutants = time.monotonic(), PlayedRounds(), _mutants(document, options)
        parts = [
            part
            for place, mutant in enumerate(mutants)
            for part in _parts(document, mutant, place, options)
        ]
        for played in spread(options.jobs, play, parts):
            found.add(played)
            if played.difference:
                differences += 1
                print(played.difference, flush=True)
        of = f"{len(mutants)} rule sets" if options.mutants else "its own rules"
        took = time.monotonic() - began
        print(f"{document}: {of}, {found.rounds} rounds in {took:.0f} s", flush=True)
        print("    " + ", ".join(f"{what}: {count}" for what, count in sorted(found.seen.items())))
    return 1 if differences else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    known = list(rule_files())
    parser = argparse.ArgumentParser(
        prog="python -m proof.agreement", description="The kernel, against the table's own rounds."
    )
    add = parser.add_argument
    add("documents", nargs="*", metavar="DOCUMENT", help=", ".join(known))
    add("--rounds", type=int, default=20_000, metavar="N", help="of each rule set (%(default)s)")
    add("--seed", type=int, default=1, metavar="N", help="of all that is by chance (%(default)s)")
    add("--first", type=int, default=0, metavar="N", help="the first trial (%(default)s)")
    add("--uncompiled", action="store_true", help="the kernel's source as it stands")
    add("--mutants", action="store_true", help="the rules with each value changed, instead")
    add("--only", default="", metavar="TEXT", help="mutants with it in their name")
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (%(default)s)")
    options = parser.parse_args(arguments)
    if unknown := set(options.documents) - set(known):
        parser.error(f"no document {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.jobs < 1 or options.rounds < 1:
        parser.error("--jobs, --rounds: expected 1 or more")
    return options


def _mutants(document: str, options: argparse.Namespace) -> list[str]:
    if not options.mutants:
        return [""]
    return [name for name in changed(document) if options.only in name]


def _parts(document: str, mutant: str, place: int, options: argparse.Namespace) -> list[Part]:
    """Parts of all rounds; each begins with trials of its own, for how many it needs is not known
    before, and each mutant with another kind of them."""
    return [
        Part(
            document,
            mutant,
            not options.uncompiled,
            options.seed,
            options.first + place + begin,
            min(PART, options.rounds - begin),
            TIMES if begin == 0 else 0,
        )
        for begin in range(0, options.rounds, PART)
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
