"""``draw odds``, ``draw test`` and ``draw show``: what the weights return, whether generator and
mapping are well, and the evidence of one draw.

The evidence with ``--json``: ``offer``, ``box``, ``multiplier``; ``pressed`` and ``drawn``,
entries; ``shown``, a list of ``{"seq", "multiplier"}`` as the meter reported; ``seen``, the word of
the supervisor who saw it on the meter, and ``ordered``, his order to pay it from the screen, or
null; ``settled``, a list of ``{"seq", "odds"}``; ``record``, what was recorded of the draw
(docs/draw.md); ``faults``, what does not follow, in plain words.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from controller.cli.connection import add_configuration, configuration_path
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, NotDone
from controller.cli.group import Group
from controller.cli.journal.opened import opened
from controller.cli.output import print_answer
from controller.configuration.reading import load_configuration
from controller.draw.evidence import RECORD, Trace, trace_of
from controller.draw.odds import describe
from controller.draw.weights import BadWeights, Weights, written_weights
from controller.forms.json_values import JsonObject, checked
from controller.journal.export import record
from controller.plain_text import columns

MOST_DRAWS = 1_000_000


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("draw")
    odds = group.command("odds", _odds, "The configured odds and what they return")
    test = group.command("test", _test, "Generator and mapping tested, on the path that draws take")
    for parser in (odds, test):
        add_configuration(parser)
    test.add_argument(
        "--weights", metavar="N=W,…", help="these weights instead of the configured ones"
    )
    test.add_argument(
        "--draws", metavar="N", type=int, help="draws in a sample (docs/draw.md says what N finds)"
    )
    shown = group.command("show", _show_draw, "One draw with its press, readback and payment")
    shown.add_argument("offer", metavar="OFFER", nargs="?", default="last", help="or 'last'")


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
    from controller.cli.draws.testing import run_test
    from controller.draw.battery.verdict import DRAWS, FEWEST_DRAWS

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
