"""Whole runs on twins with a defect each: ``python -m hil_tests.conformance.defects.planted``.

A defect has to be found by the checks that are about it and by no other: whoever reads of a failure
would otherwise look for it in the wrong place. A check that cannot be made because of the defect is
told as not made. Exit 1 where that is not so of one. All of them take three minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from hil_tests.benches.virtual.pyusb_backend import installed
from hil_tests.conformance.catalogue import checks
from hil_tests.conformance.conftest import OPTIONS, UNIT
from hil_tests.conformance.defects.broken import DEFECTS
from hil_tests.conformance.defects.planted_found import FOUND
from hil_tests.conformance.hands import TwinsHands
from hil_tests.conformance.judge import NotMade
from hil_tests.conformance.subject import Place, Subject
from simulators.hands import Hands

AT_ONCE: Final = 12
"""Runs beside each other: nearly all of each is waiting."""


class Examined(NamedTuple):
    """The checks that do not hold with what they say, and those that could not be made."""

    fails: dict[str, str]
    not_made: dict[str, str]


@contextmanager
def broken(defect: str, name: str) -> Iterator[Subject]:
    """A twin with that defect; ``name`` is its kind, with ``-usb`` behind it on that carrier."""
    kind, _, carrier = name.partition("-")
    usb = carrier == "usb"
    with ExitStack() as undo:
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="broken-")))
        hands = undo.enter_context(
            Hands.start(
                kind,
                folder / kind,
                *OPTIONS.get(kind, ()),
                line="--usb-port" if usb else "--link",
                program=(sys.executable, "-m", "hil_tests.conformance.defects.broken", defect),
            )
        )
        if usb:
            undo.enter_context(installed(folder))
        yield Subject(Place(kind, UNIT if usb else str(folder / kind)), TwinsHands(hands))


def examined(subject: Subject) -> Examined:
    """Every check that is about the device, one behind the other, on the same device."""
    result = Examined({}, {})
    for check in checks():
        for case in check.cases if check.about(subject.place) else ():
            controller = subject.greeted()
            controller.section = check.section
            try:
                check.make_once(subject, controller, case)
            except AssertionError as failure:
                result.fails.setdefault(check.name, str(failure))
            except NotMade as why:
                result.not_made.setdefault(check.name, str(why))
            finally:
                subject.end_check(controller, check.name)
    return result


def examine_defect(defect: str) -> Examined:
    """A whole run on a twin with that defect."""
    with broken(defect, FOUND[defect].twin) as subject:
        return examined(subject)


def main(arguments: list[str] | None = None) -> int:
    """Run them; 1 when other checks fail than those that are about the defect."""
    parser = argparse.ArgumentParser(prog="python -m hil_tests.conformance.defects.planted")
    parser.add_argument("defects", metavar="DEFECT", nargs="*", help="(all)")
    chosen = parser.parse_args(arguments).defects or sorted(DEFECTS)
    wrong = 0
    with ProcessPoolExecutor(AT_ONCE) as pool:
        for defect, result in zip(chosen, pool.map(examine_defect, chosen), strict=True):
            wanted = FOUND[defect]
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
