"""Whole runs on twins with a defect each: ``python -m hil_tests.conformance.defects.planted``.

A defect has to be found by the checks that are about it and by no other: whoever reads of a failure
would otherwise look for it in the wrong place. A check that cannot be made because of the defect is
told as not made. Exit 1 where that is not so of one. All of them take three minutes.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from hil_tests.conformance.catalogue import checks
from hil_tests.conformance.defects.broken import DEFECTS
from hil_tests.conformance.judge import NotMade
from hil_tests.conformance.subject import Subject, examined_twin

AT_ONCE: Final = 12
"""Runs beside each other: nearly all of each is waiting."""


class Examined(NamedTuple):
    """The checks that do not hold with what they say, and those that could not be made."""

    fails: dict[str, str]
    not_made: dict[str, str]


def broken(name: str) -> AbstractContextManager[Subject]:
    """A twin with that defect, whose ``twin`` is its kind, with ``-usb`` behind it on that
    carrier."""
    kind, _, carrier = DEFECTS[name].twin.partition("-")
    program = (sys.executable, "-m", "hil_tests.conformance.defects.broken", name)
    return examined_twin(kind, carrier, program)


def examined(subject: Subject) -> Examined:
    """Every check that is about the device, one behind the other, on the same device."""
    result = Examined({}, {})
    for check in checks():
        for case in check.cases if check.about(subject.place) else ():
            try:
                check.examine(subject, case)
            except AssertionError as failure:
                result.fails.setdefault(check.name, str(failure))
            except NotMade as why:
                result.not_made.setdefault(check.name, str(why))
    return result


def examine_defect(defect: str) -> Examined:
    """A whole run on a twin with that defect."""
    with broken(defect) as subject:
        return examined(subject)


def main(arguments: list[str] | None = None) -> int:
    """Run them; 1 when other checks fail than those that are about the defect."""
    parser = argparse.ArgumentParser(prog="python -m hil_tests.conformance.defects.planted")
    parser.add_argument("defects", metavar="DEFECT", nargs="*", help="(all)")
    chosen = parser.parse_args(arguments).defects or sorted(DEFECTS)
    wrong = 0
    with ProcessPoolExecutor(AT_ONCE) as pool:
        for defect, result in zip(chosen, pool.map(examine_defect, chosen), strict=True):
            wanted = DEFECTS[defect]
            same = set(result.fails) == set(wanted.fails)
            wrong += not same or bool(result.not_made) != wanted.keeps_from_being_made
            found, not_made = len(result.fails), len(result.not_made)
            print(f"{defect}: {found} do not hold, {not_made} not made")
            for name, failure in result.fails.items() if not same else ():
                print(f"  {'' if name in wanted.fails else 'unexpected: '}{name}\n    {failure}")
            for name in set(wanted.fails) - set(result.fails):
                print(f"  holds, and should not: {name}")
            for name, why in result.not_made.items() if not wanted.keeps_from_being_made else ():
                print(f"  not made: {name}: {why}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
