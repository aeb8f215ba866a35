"""``draw test``: the start-up tests and the statistical battery, in words for a technician.

``--json``: ``well``; ``draws`` in a sample; ``weights_id``; ``mapping``, how it
was proven; ``failed``, the start-up or continuous test that ended it, else null; ``level`` of the
family of tests; ``samples``, one or two, each with ``tests`` (``name``, ``about``, ``p``,
``adjusted``) and how many single tests lie ``below_5_percent`` and ``below_1_percent``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from controller.cli.exits import DONE, NOT_WELL
from controller.cli.output import complain, print_answer
from controller.draw.battery.verdict import LEVEL, BatteryVerdict, SampleTest, run_battery
from controller.draw.selftest import START_TICKETS, mapping_told
from controller.draw.weights import SourceFailed, Weights
from controller.plain_text import columns


def run_test(options: argparse.Namespace, weights: Weights, draws: int) -> int:
    """Run it; the exit code."""
    verdict, failed = BatteryVerdict(draws, False, ()), None
    try:
        verdict = run_battery(weights, draws)
    except SourceFailed as error:
        failed = str(error)
    told = {
        "well": verdict.well,
        "draws": verdict.draws,
        "weights_id": weights.identity,
        "mapping": mapping_told(weights),
        "failed": failed,
        "level": LEVEL,
        "samples": [_sample(sample) for sample in verdict.samples],
    }
    print_answer(options, told, _test_lines(weights, verdict, failed))
    if not verdict.well:
        complain("play must not go on with this generator: keep this output and call support")
    return DONE if verdict.well else NOT_WELL


def _sample(sample: Sequence[SampleTest]) -> dict[str, object]:
    return {
        "tests": [asdict(test) for test in sample],
        "below_5_percent": _below(sample, 0.05),
        "below_1_percent": _below(sample, 0.01),
    }


def _test_lines(weights: Weights, verdict: BatteryVerdict, failed: str | None) -> Iterator[str]:
    yield f"weights {weights.canonical} ({weights.identity[:12]})"
    if failed is not None:
        yield f"FAILED  {failed}"
        return
    yield f"passed  mapping: {mapping_told(weights)}"
    yield f"passed  start-up: {START_TICKETS} numbers through the continuous tests"
    for number, sample in enumerate(verdict.samples, 1):
        if number > 1:
            yield "one sample in a hundred fails by chance, so a second one was drawn:"
        rows = [("", "test", "of", "p", "p of them all")]
        rows += [
            (
                "passed" if test.adjusted >= LEVEL else "FAILED",
                test.name,
                test.about,
                f"{test.p:.4g}",
                f"{test.adjusted:.4g}",
            )
            for test in sample
        ]
        yield columns(rows, right=(3, 4))
        yield (
            f"{verdict.draws} draws, {len(sample)} tests: {_below(sample, 0.05)} of them below "
            f"5 %, {_below(sample, 0.01)} below 1 % (by chance {len(sample) / 20:.1f} and "
            f"{len(sample) / 100:.1f})"
        )
    yield "the generator is well" if verdict.well else "the generator is NOT WELL"


def _below(sample: Sequence[SampleTest], level: float) -> int:
    return sum(test.p < level for test in sample)
