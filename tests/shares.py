"""The order in which several workers run the tests, so that a processor has work from the beginning
to the end: tests that wait for devices are spread over the run, and those that take long are begun
first, that none is still at work when the others have ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

WAITING: Final = "hil_tests/"
"""How the names of tests begin that wait most of their time."""

LONG: Final = (
    "tests/console/test_every_screen.py::test_every_screen",
    "tests/console/test_walk.py::test_worked_rounds",
    "tests/console/test_walk.py::test_taps",
    "tests/daemon/devices/test_line_watches.py",
    "tests/drivers/test_usb.py",
    "tests/proof/torture/test_altering.py::test_nothing_that_is_forged",
    "tests/replay/course/test_of_any_rounds.py",
    "tests/table/live/test_anything.py",
    "tests/table/test_permitted.py::test_listed",
)
"""And of others that take some ten seconds and more."""


def in_shares(names: Sequence[str], workers: int) -> list[int]:
    """The places of the tests in another order. Each worker gets an equal share of them to begin
    with, one behind the other, and takes from the end of another's when it has done its own: half
    of the shares begin with what waits, the others with what takes long."""
    if workers == 1:
        return list(range(len(names)))
    waiting = [at for at, name in enumerate(names) if name.startswith(WAITING)]
    long = [at for at, name in enumerate(names) if name.startswith(LONG)]
    others = iter(sorted({*range(len(names))} - {*waiting, *long}))
    wait, work = workers // 2, workers - workers // 2
    part = -(-len(waiting) // wait)  # those of one file stay together
    firsts = [waiting[at * part : (at + 1) * part] for at in range(wait)]
    firsts += [long[at::work] for at in range(work)]
    share = len(names) // workers
    ordered: list[int] = []
    for first in firsts:
        ordered += [*first, *islice(others, max(0, share - len(first)))]
    return [*ordered, *others]
