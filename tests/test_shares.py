"""The order of the tests for several workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shares import LONG, NIGHT, ONE_IN, WAITING, by_day, in_shares, is_by_day

OTHERS = [f"tests/some/test_{number}.py::test_it" for number in range(500)]
NAMES = [*OTHERS, *(f"{name}[it]" for name in LONG), *(f"{WAITING}{n}" for n in range(60))]


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("names", [NAMES, NAMES[:3], NAMES[-3:], []])
def test_every_test_is_run_once(names: list[str], workers: int) -> None:
    assert sorted(in_shares(names, workers)) == list(range(len(names)))


def test_half_of_the_shares_begin_with_what_waits_and_half_with_what_takes_long() -> None:
    ordered = [NAMES[at] for at in in_shares(NAMES, 4)]
    share = len(NAMES) // 4
    begin = [ordered[at * share] for at in range(4)]
    assert begin == [f"{WAITING}0", f"{WAITING}30", f"{LONG[0]}[it]", f"{LONG[1]}[it]"]


def test_by_day_one_in_so_many_of_a_family_is_run_and_all_others() -> None:
    family, many = next(iter(ONE_IN.items()))
    names = [*OTHERS[:3], *(f"{family}[{number}]" for number in range(many + 1)), *OTHERS[3:5]]
    assert [names[at] for at in by_day(names)] == [
        *OTHERS[:3],
        f"{family}[0]",
        f"{family}[{many}]",
        *OTHERS[3:5],
    ]


@pytest.mark.parametrize(
    ("named", "chosen", "by_day_alone"),
    [
        (["tests", "/a/hil_tests"], False, True),
        (["tests/table", "hil_tests"], False, False),
        (["tests", "hil_tests"], True, False),
    ],
)
def test_what_is_named_is_run_whole(named: list[str], chosen: bool, by_day_alone: bool) -> None:
    """Those that failed by day, too: a second run has all of them."""
    whole = is_by_day(named, ["tests", "hil_tests"], chosen=chosen)
    assert whole == (by_day_alone and not NIGHT)


@pytest.mark.parametrize("name", [WAITING, *LONG, *ONE_IN])
def test_what_is_put_first_is_there(name: str) -> None:
    path, _, function = name.partition("::")
    assert (there := Path(__file__).parents[1] / path).exists()
    assert not function or f"def {function}" in there.read_text("utf-8")


def test_one_worker_keeps_the_order() -> None:
    assert in_shares(NAMES, 1) == list(range(len(NAMES)))
