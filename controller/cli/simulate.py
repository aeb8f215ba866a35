"""``simulate``: many rounds; returns, frequencies, house edge. They are played by the compiled
kernel of the figures where the extra ``figures`` is installed, else by the table's own rounds.

The rules:

- What is simulated comes from a configuration, or from options for a rule set; a Pandemonium wager
  is placed only where weights are known.
- The same seed gives the same figures on any number of processes, and on any machine where the same
  plays, which is said. The seed is always printed; without ``--seed`` a random one is used.
- After Ctrl-C the figures are those of what was played until then, and the exit status is 130.
- Figures go to standard output, progress and speed to standard error.
- Exit 1: a wager's simulated figures are too far from the exact ones to be chance.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from typing import Self

from controller.cli.arguments import add_configuration, add_option, amount, integer, many
from controller.cli.connection import configuration_path
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_answer
from controller.cli.progress import Bar
from controller.configuration.reading import load_configuration
from controller.files.rules import load_rules
from controller.game.round.refusal import Refused
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.verbs import INTERRUPTED
from figures.games.games import ShoeTooSmall
from figures.kernel.tables import NotForTheKernel
from figures.rounds.figures import far_off, figures, interval
from figures.rounds.page import PLAYERS, page
from figures.rounds.playing import SimulatedTable, Simulation
from figures.rounds.run_options import MOST_SEED, any_seed, check_decks, weights_of
from figures.rounds.shoe import ShoeRanOut
from figures.rounds.strategies import STRATEGIES
from figures.rounds.tally import Tally

ROUNDS = 20_000
DECKS = 8
PENETRATION = 75
MOST_ROUNDS = 100_000_000_000
TELL_EVERY_S = 5.0
KERNEL = "kernel"
OWN_ROUNDS = "rounds"


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("simulate", _simulate)
    source = parser.add_mutually_exclusive_group()
    add_option(source, "--rules ID", "a rule set or file, instead of --config", known="rule set")
    add_configuration(source)
    add_option(parser, "--decks N", "with --rules (else 8)", type=integer(1, 8))
    add_option(parser, "--weights 100=4,50=8,…", "with --rules: of the multiplier")
    add_option(parser, "--boxes N", "played (else all)", type=integer(1, 9))
    for name in ("main", "side"):
        about = f"{name} wagers (else the least)"
        add_option(parser, f"--{name} AMOUNT", about, type=amount)
    add_option(parser, "--insure", "take insurance wherever offered")
    add_option(parser, "--strategy", "of all players", choices=STRATEGIES, default="basic")
    add_option(
        parser,
        "--penetration PERCENT",
        "of the cards in front of the cutting card (75)",
        type=integer(10, 95),
        default=PENETRATION,
    )
    add_option(parser, "--rounds N", "(20000)", type=many(MOST_ROUNDS), default=ROUNDS)
    add_option(parser, "--seed N", "for the same cards again", type=integer(0, MOST_SEED))
    add_option(parser, "--jobs N", "processes at work (1)", type=integer(1, 64), default=1)
    add_option(
        parser,
        "--by",
        "what plays: else the kernel where Numba is installed",
        choices=(KERNEL, OWN_ROUNDS),
    )


def _simulate(options: argparse.Namespace) -> int:
    try:
        table = _table(options)
        Simulation(table)
    except (RulesError, Refused) as refused:
        raise NotDone(WRONG_USE, str(refused)) from refused
    seed = any_seed() if options.seed is None else options.seed
    by = _player(options.by)
    complain(f"seed {seed}, played by {PLAYERS[by]}")
    try:
        tally = (_by_kernel if by == KERNEL else _by_rounds)(table, seed, options)
    except (ShoeRanOut, ShoeTooSmall) as error:
        raise NotDone(WRONG_USE, f"too few decks: {error}") from error
    except NotForTheKernel as error:
        raise NotDone(WRONG_USE, f"{error}; --by {OWN_ROUNDS} has no such bounds") from error
    if not tally.rounds:
        raise KeyboardInterrupt
    found = {"seed": seed, "played_by": by, **figures(table, tally)}
    print_answer(options, found, page(found))
    wrong = far_off(found)
    if wrong:
        complain(f"too far from the exact figures to be chance: {', '.join(wrong)}")
    if tally.rounds < options.rounds:
        return INTERRUPTED
    return NOT_WELL if wrong else DONE


def _player(asked: str | None) -> str:
    installed = importlib.util.find_spec("numba") is not None
    if asked == KERNEL and not installed:
        raise NotDone(
            WRONG_USE, f"--by {KERNEL}: needs the extra 'figures', which is not installed here"
        )
    return asked or (KERNEL if installed else OWN_ROUNDS)


def _by_kernel(table: SimulatedTable, seed: int, options: argparse.Namespace) -> Tally:
    from figures.edges.jobs import in_processes
    from figures.edges.simulated import simulate

    with _SimulationProgress(options.rounds) as told:
        workers = in_processes(options.jobs, complain)
        return simulate(table, seed, options.rounds, workers, told.so_far)


def _by_rounds(table: SimulatedTable, seed: int, options: argparse.Namespace) -> Tally:
    from figures.rounds.jobs import SeededSimulation
    from figures.workers import until_interrupted

    tally = Tally()
    parts = SeededSimulation(table, seed).parts(options.rounds, options.jobs)
    with _SimulationProgress(options.rounds) as told:

        def add_part(part: Tally) -> None:
            tally.add(part)
            told.so_far(tally)

        until_interrupted(parts, add_part)
    return tally


class _SimulationProgress:
    """Tells how far the rounds are and what the main wager keeps, at the end how fast it was."""

    def __init__(self, rounds: int) -> None:
        self._rounds, self._done = rounds, 0
        self._bar = Bar(rounds, "rounds")
        self._begun = self._told = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.__exit__(*raised)
        took_s = time.monotonic() - self._begun
        rate = self._done / took_s if took_s else 0.0
        if 0 < self._done < self._rounds and raised[0] is None:
            complain(f"interrupted: the figures are of {self._done} of {self._rounds} rounds")
        complain(f"{self._done} rounds in {took_s:.1f} s, {rate:.0f} rounds a second")

    def so_far(self, tally: Tally) -> None:
        """What it has come to."""
        self._bar.advance(tally.rounds - self._done)
        self._done, now = tally.rounds, time.monotonic()
        if now - self._told >= TELL_EVERY_S and self._done < self._rounds:
            complain(f"{self._done} of {self._rounds} rounds: {interval(tally)}")
            self._told = now


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
        limits, weights = Limits(min=1000, side_min=100), weights_of(rules, options.weights)
        check_decks(rules, decks)
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
