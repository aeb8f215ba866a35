"""``simulate``: many rounds through the table's own rounds; returns, frequencies, house edge.

The rules:

- What is simulated comes from a configuration, or from options for a rule set; a Pandemonium wager
  is placed only where weights are known.
- The same seed gives the same figures on any number of processes, and on any machine. The seed is
  always printed; without ``--seed`` a random one is used.
- Figures go to standard output, progress and speed to standard error.
- Exit 1: a wager's simulated figures are too far from the exact ones to be chance.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from controller.cli.command_line import known
from controller.cli.command_line.numbers import whole
from controller.cli.connection import add_configuration, configuration_path
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, NotDone
from controller.cli.group import Group, add_flag
from controller.cli.output import complain, tell
from controller.configuration.reading import load_configuration
from controller.draw.errors import BadWeights
from controller.draw.weights import Weights, read_weights, written_weights
from controller.files.rules import load_rules
from controller.game.round.money import parse_amount
from controller.game.round.refusal import Refused
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from figures.rounds.figures import far_off, figures
from figures.rounds.playing import SimulatedTable, Simulation
from figures.rounds.shoe import ShoeRanOut
from figures.rounds.strategies import STRATEGIES
from figures.rounds.tally import Tally

ROUNDS = 20_000
DECKS = 8
PENETRATION = 75
MOST_ROUNDS = 1_000_000_000
MOST_SEED = 1 << 32
TELL_EVERY_S = 5.0


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("simulate", _simulate)
    source = parser.add_mutually_exclusive_group()
    known.of(
        "rule set", source, "--rules", metavar="ID", help="a rule set or file, instead of --config"
    )
    add_configuration(source)
    parser.add_argument("--decks", metavar="N", type=whole(1, 8), help="with --rules (else 8)")
    parser.add_argument("--weights", metavar="100=4,50=8,…", help="with --rules: of the multiplier")
    parser.add_argument("--boxes", metavar="N", type=whole(1, 9), help="played (else all)")
    for name in ("main", "side"):
        about = f"{name} wagers (else the least)"
        parser.add_argument(f"--{name}", metavar="AMOUNT", type=_amount, help=about)
    add_flag(parser, "--insure", "take insurance wherever offered")
    parser.add_argument("--strategy", choices=STRATEGIES, default="basic", help="of all players")
    parser.add_argument(
        "--penetration",
        metavar="PERCENT",
        type=whole(10, 95),
        default=PENETRATION,
        help="of the cards in front of the cutting card (75)",
    )
    parser.add_argument(
        "--rounds", metavar="N", type=whole(1, MOST_ROUNDS), default=ROUNDS, help="(20000)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole(0, MOST_SEED), help="for the same cards again"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole(1, 64),
        default=1,
        help="processes at work (1)",
    )


def _amount(text: str) -> int:
    try:
        return parse_amount(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _simulate(options: argparse.Namespace) -> int:
    from figures.rounds.jobs import Spread
    from figures.rounds.page import page

    try:
        table = _table(options)
        Simulation(table)
    except (RulesError, Refused) as refused:
        raise NotDone(WRONG_USE, str(refused)) from refused
    seed = random.SystemRandom().randrange(MOST_SEED) if options.seed is None else options.seed
    complain(f"seed {seed}")
    try:
        tally = _counted(Spread(table, seed, options.jobs).parts(options.rounds), options.rounds)
    except ShoeRanOut as error:
        raise NotDone(WRONG_USE, f"too few decks: {error}") from error
    found = {"seed": seed, **figures(table, tally)}
    tell(options, found, page(found))
    wrong = far_off(found)
    if wrong:
        complain(f"too far from the exact figures to be chance: {', '.join(wrong)}")
    return NOT_WELL if wrong else DONE


def _counted(parts: Iterator[Tally], rounds: int) -> Tally:
    """All parts together; how far they are is told meanwhile, how fast it was at the end."""
    from controller.cli.printed.progress import Bar

    begun = told = time.monotonic()
    tally = Tally()
    with Bar(rounds, "rounds") as bar:
        for part in parts:
            tally.add(part)
            bar.advance(part.rounds)
            now = time.monotonic()
            if now - told >= TELL_EVERY_S and not bar.shown:
                complain(f"{tally.rounds} of {rounds} rounds")
                told = now
    took_s = time.monotonic() - begun
    rate = rounds / took_s if took_s else 0.0
    complain(f"{rounds} rounds in {took_s:.1f} s, {rate:.0f} rounds a second")
    return tally


def _table(options: argparse.Namespace) -> SimulatedTable:
    if options.rules is None:
        for name in ("decks", "weights"):
            if getattr(options, name) is not None:
                raise NotDone(WRONG_USE, f"--{name}: only with --rules; {name} are configured")
        config = load_configuration(configuration_path(options))
        table, weights = config.table, config.weights
        rules, decks, boxes, limits = table.rules, table.decks, table.boxes, table.limits
    else:
        rules = load_rules(options.rules)
        decks, boxes = options.decks or DECKS, rules.betting.boxes_max.value
        limits, weights = Limits(min=1000, side_min=100), _weights(rules, options.weights)
        low, high = rules.cards.decks_min, rules.cards.decks_max
        if not low.value <= decks <= high.value:
            expected = f"expected {low.value} to {high.value} ({high.clause})"
            raise NotDone(WRONG_USE, f"--decks {decks}: {expected}")
    return SimulatedTable(
        rules,
        decks,
        boxes if options.boxes is None else options.boxes,
        limits,
        limits.min if options.main is None else options.main,
        limits.side_min if options.side is None else options.side,
        options.strategy,
        options.penetration,
        weights,
        options.insure,
    )


def _weights(rules: RuleSet, text: str | None) -> Weights | None:
    """The weights of ``100=4,50=8,…``; None where none are given."""
    if text is None:
        return None
    if rules.pandemonium is None:
        raise NotDone(WRONG_USE, f"--weights: {rules.id} has no Pandemonium wager")
    try:
        given = dict(written_weights(text).pairs)
        return read_weights(given, rules.pandemonium.multipliers.value)
    except BadWeights as error:
        raise NotDone(WRONG_USE, f"--weights: {error}") from error
