"""Which tests are run by day, and in which order by several workers.

The order gives a processor work from the beginning to the end: tests that wait for devices are
spread over the run, and those that take long are begun first, so that none is still at work when
the others have ended. By night (``make night``) every test is run; by day some of those that look
for the same thing many times, each of which takes seconds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

NIGHT: Final = os.environ.get("TABLE_NIGHT") == "1"
"""Whether all is wanted, however long it takes."""

WAITING: Final = "hil_tests/"
"""How the names of tests begin that wait most of their time."""

LONG: Final = (
    "tests/console/test_every_screen.py::test_every_screen",
    "tests/console/test_walk.py::test_worked_rounds",
    "tests/console/test_walk.py::test_taps",
    "tests/drivers/test_usb.py",
    "tests/proof/torture/test_altering.py::test_nothing_that_is_forged",
    "tests/replay/course/test_of_any_rounds.py",
    "tests/table/live/test_anything.py",
    "tests/table/test_permitted.py::test_listed",
)
"""And of others that take some ten seconds and more."""

ONE_IN: Final[Mapping[str, int]] = {
    "hil_tests/conformance/defects/test_planted.py::test_a_planted_defect": 4,
    "hil_tests/scenarios/machine/test_power.py::test_the_controller_is_killed": 4,
    "hil_tests/scenarios/machine/test_power.py::test_the_power_is_cut": 4,
    "hil_tests/scenarios/test_bus.py::test_an_endpoint_stalls": 4,
    "hil_tests/scenarios/test_bus.py::test_unplugged_in_the_middle": 4,
    "hil_tests/scenarios/test_unplugged.py::test_unplugged_and_put_back": 4,
    "hil_tests/tests/test_kills.py::test_killed_at_moments": 2,
    "hil_tests/tests/test_scripted_rounds.py::test_settles_as_worked_out": 4,
    "hil_tests/tests/test_table_bench.py::test_scenarios_with_a_person": 2,
    "hil_tests/tests/test_unplugging.py::test_pulled_and_played_on": 3,
    "tests/console/server/test_attacks.py::test_a_dealer_deals_on": 3,
    "tests/console/test_every_screen.py::test_every_screen": 3,
    "tests/console/test_walk.py::test_worked_rounds": 3,
    "tests/figures/edges/test_figures.py::test_what_is_not_asked_about": 3,
    "tests/figures/kernel/test_agreement.py": 3,
    "tests/figures/program/test_program.py::test_several_runs": 2,
    "tests/figures/report/test_page.py::test_it_fits": 2,
    "tests/figures/test_strangers.py::test_the_edge_from_full_shoes": 3,
    "tests/floor/facts/test_deriving.py::test_rounds_of_every_document": 3,
    "tests/floor/page/test_looks.py::test_every_page": 3,
    "tests/proof/fuzzing/test_bite.py::test_a_planted_fault": 3,
    "tests/proof/models/test_claims.py::test_a_claim_holds": 2,
    "tests/proof/models/test_defects.py::test_a_defect_is_found": 4,
    "tests/proof/torture/test_shifts.py::test_planted_defects": 3,
    "tests/table/live/test_rounds_by_hand.py::test_comes_out_the_same": 3,
}
"""How the names of tests begin of which one in so many is run by day. Where parameters are crossed
the number divides none of them, so that each device, moment and kind has its turn."""


def is_by_day(named: Sequence[str], everything: Sequence[str], *, chosen: bool) -> bool:
    """Whether all tests are asked for, by day; ``chosen``: some of them are, by name or for they
    have failed."""
    return not NIGHT and not chosen and {Path(name).name for name in named} == {*everything}


def by_day(names: Sequence[str]) -> list[int]:
    """The places of those that are run by day."""
    met: Counter[str] = Counter()
    places = []
    for at, name in enumerate(names):
        family = next((begin for begin in ONE_IN if name.startswith(begin)), None)
        if family is None or met[family] % ONE_IN[family] == 0:
            places.append(at)
        if family is not None:
            met[family] += 1
    return places


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
