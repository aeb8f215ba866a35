"""``draw odds``, ``draw test`` and ``draw show``: what the weights return, whether generator and
mapping are well, and the evidence of one draw.

The test's ``--json``: ``well``; ``draws`` in a sample; ``weights_id``; ``mapping``, how it
was proven; ``failed``, the start-up or continuous test that ended it, else null; ``level`` of the
family of tests; ``samples``, one or two, each with ``tests`` (``name``, ``about``, ``p``,
``adjusted``) and how many single tests lie ``below_5_percent`` and ``below_1_percent``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from controller.cli.arguments import add_configuration, add_option
from controller.cli.connection import configuration_path
from controller.cli.group import Group
from controller.cli.journal.sources import opened
from controller.cli.output import DONE, complain, print_answer
from controller.configuration.reading import load_configuration
from controller.draw.battery.verdict import (
    DRAWS,
    FEWEST_DRAWS,
    LEVEL,
    BatteryVerdict,
    SampleTest,
    run_battery,
)
from controller.draw.evidence import RECORD, Trace, trace_of
from controller.draw.health import START_TICKETS, mapping_told
from controller.draw.odds import describe
from controller.draw.weights import BadWeights, SourceFailed, Weights, written_weights
from controller.forms.json_values import JsonObject, checked
from controller.journal.export import record
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
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


MOST_DRAWS = 1_000_000


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("draw")
    odds = group.command("odds", _odds, "The configured odds and what they return")
    test = group.command("test", _test, "Generator and mapping tested, on the path that draws take")
    for parser in (odds, test):
        add_configuration(parser)
    add_option(test, "--weights N=W,…", "these weights instead of the configured ones")
    add_option(test, "--draws N", "draws in a sample (docs/draw.md says what N finds)", type=int)
    shown = group.command("show", _show_draw, "One draw with its press, readback and payment")
    add_option(shown, "offer OFFER", "or 'last'", nargs="?", default="last")


def _configured(options: argparse.Namespace) -> tuple[Weights, int]:
    configuration = load_configuration(configuration_path(options))
    if configuration.weights is None:
        raise NotDone(
            WRONG_USE,
            f"{configuration.path}: {configuration.table.rules.id} has no Pandemonium wager, so "
            "nothing is drawn",
        )
    return configuration.weights, configuration.table.decks


def _odds(options: argparse.Namespace) -> int:
    weights, decks = _configured(options)
    odds = describe(weights, decks)
    print_answer(options, odds, odds_lines(odds, weights.identity))
    return DONE


def _test(options: argparse.Namespace) -> int:
    draws = DRAWS if options.draws is None else options.draws
    if not FEWEST_DRAWS <= draws <= MOST_DRAWS:
        raise NotDone(
            WRONG_USE, f"--draws {draws}: expected a number from {FEWEST_DRAWS} to {MOST_DRAWS}"
        )
    try:
        given = options.weights and written_weights(options.weights)
    except BadWeights as error:
        raise NotDone(WRONG_USE, f"--weights: {error}") from error
    weights = given or _configured(options)[0]
    return run_test(options, weights, draws)


def odds_lines(odds: JsonObject, identity: str) -> Iterator[str]:
    """What :func:`controller.draw.odds.describe` has told of the weights of that ``identity``."""
    yield f"Pandemonium with {odds['decks']} decks, weights {identity[:12]}"
    yield "  reckoned exactly, from a full shoe: no round is played for it"
    rows: list[tuple[object, ...]] = [
        ("multiplier", "weight", "probability", "one in", "adds to the return")
    ]
    rows += [
        (
            f"{row['multiplier']} to 1",
            row["weight"],
            row["probability"],
            row["one_in"],
            row["contribution_percent"],
        )
        for row in checked(list[dict[str, object]], odds["multipliers"])
    ]
    yield columns(rows, right=range(5))
    yield ""
    yield columns(
        [
            ("chance of a Pontoon", odds["chance"], f"one in {odds['chance_one_in']}"),
            ("mean multiplier", odds["mean"], odds["mean_decimal"]),
            ("fair at a mean of", odds["break_even"], odds["break_even_decimal"]),
            ("return to the player", odds["return"], odds["return_percent"]),
            ("house edge", odds["house_edge"], odds["house_edge_percent"]),
        ]
    )


def _show_draw(options: argparse.Namespace) -> int:
    wanted = None if options.offer == "last" else options.offer
    with opened(options) as reader:
        found, faults = trace_of(map(record, reader.iterate()), wanted)
    if found is None:
        what = "no draw yet" if wanted is None else f"no draw for offer {wanted!r}"
        raise NotDone(WRONG_USE, f"the journal in {reader.directory} has {what}")
    print_answer(options, {**found.as_json(), "faults": faults}, _evidence(found, faults))
    return NOT_WELL if faults else DONE


def _evidence(trace: Trace, faults: list[str]) -> Iterator[str]:
    yield f"offer {trace.offer}, box {trace.box}: {trace.multiplier}x"
    rows = [("pressed", f"entry {trace.pressed}"), ("drawn", f"entry {trace.drawn}")]
    rows += [(f"  {name}", str(trace.record[name])) for name in RECORD]
    rows += [
        ("shown", f"entry {seq}: the meter reports {multiplier}x")
        for seq, multiplier in trace.shown
    ]
    if trace.seen is not None:
        rows.append(("seen", f"entry {trace.seen}: a supervisor saw it on the meter"))
    if trace.ordered is not None:
        rows.append(("ordered", f"entry {trace.ordered}: a supervisor had it paid"))
    rows += [("settled", f"entry {seq}: {odds}") for seq, odds in trace.settled]
    yield columns(rows)
    if not trace.shown and trace.seen is None and trace.ordered is None:
        yield "never shown, never paid"
    yield from (f"FAULT  {fault}" for fault in faults)
    if not faults:
        yield "it follows from its ticket, the weights in force and the press"
