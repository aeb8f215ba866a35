"""``python -m proof.mutation [DOCUMENT ...] [--rounds] [--list] [--only TEXT]``

Changes every value of the rule files, and leaves every case of an irregularity out, one at a time;
prints what kills the mutants of each document, and those that survive. Exit status 1 when one
survives that ``proof/mutation/equivalents.toml`` does not list, or when what it lists is killed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence

from controller.files.rules import rule_files
from figures.changes import Mutant, mutants_of
from proof.mutation.fates import (
    FILE,
    Equivalents,
    EquivalentsError,
    Fate,
    by_rounds,
    by_tests,
    excused,
    read_equivalents,
    rounds_of,
    wrongly_listed,
)
from proof.mutation.live import failing_test, tests_of

ENDS = {
    "refused": "refused by the loader",
    "rounds": "killed by rounds",
    "tests": "killed by tests",
    "equivalent": "equivalent",
    "survives": "survive",
}


def main(arguments: Sequence[str]) -> int:
    """The command."""
    options = _options(arguments)
    try:
        equivalents = read_equivalents(FILE.read_text(encoding="utf-8"))
    except EquivalentsError as error:
        print(f"mutation: {FILE.name}: {error}", file=sys.stderr)
        return 2
    documents = options.documents or list(rule_files())
    tests = {} if options.rounds else tests_of(documents)
    faults = 0
    for document in documents:
        fates = _fates(document, options.only, tests.get(document, ()), equivalents)
        listed = [] if options.only else wrongly_listed(fates, document, equivalents)
        faults += _print_fates(document, fates, listed, options.list)
    return 1 if faults else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m proof.mutation", description="Rule files, changed."
    )
    known = list(rule_files())
    parser.add_argument("documents", nargs="*", metavar="DOCUMENT", help=", ".join(known))
    parser.add_argument("--rounds", action="store_true", help="hand-worked rounds only: a minute")
    parser.add_argument("--list", action="store_true", help="each mutant, and what became of it")
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants with it in their name")
    options = parser.parse_args(arguments)
    if unknown := set(options.documents) - set(known):
        parser.error(f"no document {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return options


def _fates(document: str, only: str, tests: Sequence[str], equivalents: Equivalents) -> list[Fate]:
    def judge(mutant: Mutant) -> str | None:
        return failing_test(document, mutant.text, tests)

    text = rule_files()[document].read_text(encoding="utf-8")
    mutants = (mutant for mutant in mutants_of(document, text) if only in mutant.name)
    played = list(by_rounds(mutants, rounds_of(document)))
    tested = by_tests(played, judge, os.cpu_count() or 1)
    return list(excused(tested, equivalents))


def _print_fates(document: str, fates: Sequence[Fate], listed: Sequence[str], every: bool) -> int:
    """Print what became of the mutants; the number of faults."""
    ends = Counter(fate.how for fate in fates)
    summary = ", ".join(f"{ends[how]} {words}" for how, words in ENDS.items())
    print(f"{document}: {len(fates)} mutants: {summary}", flush=True)
    for fate in fates:
        if every or fate.how == "survives":
            why = fate.why or fate.mutant.clause
            print(f"    {fate.mutant.name}: {ENDS[fate.how]} ({why})")
    for fault in listed:
        print(f"    {fault}")
    return ends["survives"] + len(listed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
