"""How many hands a second the kernel of the figures plays, by processor time of one core: MBS with
all side wagers from eight decks, by the basic policy.

Its floor is a bare loop in C over the same cards (``bare.c``, compiled here by GCC): no rules, no
wagers, no choices. Both are run in turn, and the better of each counts: other work beside them only
ever slows. ``--beside`` runs a command of others' in turn with them, which prints as its last words
the hands a second that it has played.

Run: ``python -m proof.benchmarks.kernel [--hands N] [--turns N] [--beside COMMAND] [--json]``
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.draw.weights import Weights
from controller.files.rules import load_rules
from figures.edges.policies import policy_of
from figures.games.games import Game, Player
from proof.benchmarks.figures import Figure, alone, over, print_measured

DOCUMENT = "mbs-pontoon-pandemonium-v5"
DECKS = 8
SEED = 1
COMPILE = ("gcc", "-O3", "-march=native")
UNCOMPILED_ROUNDS = 100_000


def main() -> None:
    """Measure, and print a line a figure."""
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks.kernel")
    parser.add_argument("--hands", type=int, default=20_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--beside", type=shlex.split, default=())
    print_measured(parser, measure)


def measure(options: argparse.Namespace, folder: Path, _: Path) -> list[Figure]:
    """Millions of hands a second, and thousands of rounds of the plain source."""
    hands, beside, loop = options.hands, options.beside, folder / "bare"
    subprocess.run([*COMPILE, "-o", loop, Path(__file__).with_name("bare.c")], check=True)
    ways: dict[str, Callable[[], float]] = {
        "bare": lambda: _bare(loop, hands),
        "one": _kernel(1, hands),
        "seven": _kernel(7, hands),
        "plain": _plain(UNCOMPILED_ROUNDS),
        **({"beside": lambda: _rate_beside(beside)} if beside else {}),
    }
    best = dict.fromkeys(ways, 0.0)
    for _turn in range(options.turns):
        for name, way in ways.items():
            best[name] = max(best[name], way())
    one, bare, plain = best["one"], best["bare"], best["plain"]
    found = [
        over("hands, one box, all side wagers", one, bare, "M/s", 0.5, more=True),
        over("  seven boxes", best["seven"], bare, "M/s"),
        alone("rounds of the plain source, one box", plain, "k/s", 30, more=True),
    ]
    if beside:
        found.append(over("hands, beside others'", one, best["beside"], "M/s", 2, more=True))
    return found


def _kernel(boxes: int, hands: int) -> Callable[[], float]:
    rules = load_rules(DOCUMENT)
    assert rules.pandemonium
    weights = Weights(tuple((multiplier, 1) for multiplier in rules.pandemonium.multipliers.value))
    policy = policy_of("basic", rules)
    player = Player(Game(rules, DECKS, policy, boxes, sides=True, weights=weights))
    player.block(SEED, 0, 1)  # compiled, or read from where it is kept

    def once() -> float:
        return _rate(lambda: player.block(SEED, 1, hands // boxes), hands) / 1e6

    return once


def _plain(rounds: int) -> Callable[[], float]:
    rules = load_rules(DOCUMENT)
    player = Player(Game(rules, DECKS, policy_of("basic", rules)), compile_it=False)
    return lambda: _rate(lambda: player.block(SEED, 1, rounds), rounds) / 1e3


def _rate(play: Callable[[], object], count: int) -> float:
    begun = time.process_time()
    play()
    return count / (time.process_time() - begun)


def _bare(loop: Path, hands: int) -> float:
    told = subprocess.run(
        [loop, str(hands), str(SEED)], check=True, capture_output=True, text=True
    ).stdout
    return hands / float(told.split()[0]) * 1e3


def _rate_beside(command: Sequence[str]) -> float:
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(told.split()[-1]) / 1e6


if __name__ == "__main__":
    main()
