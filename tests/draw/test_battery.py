"""The battery: sound generators pass as often as is said, planted defects do not, and the figures
of its power hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from controller.draw.battery import verdict
from controller.draw.battery.series import Sample, collect
from controller.draw.battery.verdict import (
    DRAWS,
    FEWEST_DRAWS,
    LEVEL,
    SURE,
    SampleTest,
    examine,
    judge,
    run_battery,
)
from controller.draw.generator import Drawn, draw
from controller.draw.weights import SourceFailed, Weights
from proof.battery.defects import DEFECTS
from proof.battery.deviations import TESTS, Defect, draws_needed

EXAMPLE = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))
OTHERS = [
    Weights(((2, 1),)),
    Weights(((2, 1), (3, 1))),
    Weights(((2, 1), (3, 100_000))),
    Weights(((2, 1 << 20), (3, 1 << 21))),
    Weights(tuple((n, n) for n in range(1, 31))),
]


def sound(seed: int, weights: Weights = EXAMPLE) -> Callable[[], Drawn]:
    bits = random.Random(seed).getrandbits
    return lambda: draw(weights, bits)


def test_all_that_the_regulators_name_is_there() -> None:
    found = examine(collect(EXAMPLE, FEWEST_DRAWS, sound(0)))
    names = {test.name for test in found}
    assert names >= {
        "frequency",
        "gap",
        "poker",
        "coupon collector",
        "permutation",
        "runs",
        "spectral",
        "serial correlation",
        "subsequences",
    }
    for name in names - {"bits", "repeated sequences"}:
        assert {"multipliers", "tickets"} <= {test.about for test in found if test.name == name}
    assert len(found) == TESTS


def test_the_production_path_is_well() -> None:
    report = run_battery(EXAMPLE, 5000)
    assert report.well, report.samples


@pytest.mark.parametrize("weights", OTHERS, ids=lambda weights: weights.canonical[:20])
def test_weights_of_any_size_can_be_tested(weights: Weights) -> None:
    report = judge(weights, 2000, sound(1, weights))
    assert report.well, report.samples


def test_a_sound_generator_fails_as_seldom_as_is_said() -> None:
    runs, doubted, below = 200, 0, 0
    for seed in range(runs):
        found = examine(collect(EXAMPLE, FEWEST_DRAWS, sound(seed)))
        doubted += min(test.adjusted for test in found) < LEVEL
        below += sum(test.p < 0.05 for test in found)
    # 2 expected, 4,600 single tests of which 5 % (22 of 23: repeats are all or nothing): 220.
    assert doubted <= 8
    assert 150 <= below <= 290


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_is_found_at_the_draws_that_its_power_says(defect: Defect) -> None:
    draws, by = draws_needed(defect, EXAMPLE)
    assert FEWEST_DRAWS <= draws <= DRAWS
    for seed in range(2):
        report = judge(EXAMPLE, draws, defect.plant(EXAMPLE, seed))
        assert not report.well
        assert by in {test.name for test in report.samples[0] if test.adjusted < LEVEL}


def test_the_power_of_one_test_is_no_more_than_is_computed() -> None:
    """At a third of the draws the hardest defect by one test alone is missed now and then."""
    [defect] = [defect for defect in DEFECTS if defect.name == "swapped weights"]
    draws, _ = draws_needed(defect, EXAMPLE)
    missed = sum(judge(EXAMPLE, draws // 3, defect.plant(EXAMPLE, seed)).well for seed in range(12))
    assert 1 <= missed <= 11


def source_of(values: Sequence[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sample's least adjusted p, in order."""
    queue = list(values)

    def fake(_: Sample) -> tuple[SampleTest, ...]:
        p = queue.pop(0)
        return (SampleTest("frequency", "tickets", p, p),)

    monkeypatch.setattr(verdict, "examine", fake)


@pytest.mark.parametrize(
    ("samples", "well"),
    [
        ([LEVEL], True),
        ([LEVEL / 2, LEVEL], True),
        ([LEVEL / 2, LEVEL / 2], False),
        ([SURE / 2], False),
        ([SURE, LEVEL], True),
    ],
)
def test_doubt_is_settled_by_a_second_sample_and_no_third(
    samples: list[float], well: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_of(samples, monkeypatch)
    report = judge(EXAMPLE, FEWEST_DRAWS, sound(0))
    assert (report.well, len(report.samples)) == (well, len(samples))


def test_a_source_that_breaks_while_it_is_tested_ends_the_test() -> None:
    bits = random.Random(0).getrandbits
    given = 0

    def breaking(width: int) -> int:
        nonlocal given
        given += 1
        return bits(width) if given < 10_000 else 3

    with pytest.raises(SourceFailed, match="repetition count"):
        run_battery(EXAMPLE, 20_000, breaking)
