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
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.draw.weights import Weights
from controller.files.rules import load_rules
from figures.edges.policies import policy_of
from figures.games.games import Game, Player
from proof.benchmarks.figures import Figure, print_figures

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
    parser.add_argument("--beside", default="")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    print_figures(
        measure(options.hands, options.turns, shlex.split(options.beside)), as_json=options.json
    )


def measure(hands: int, turns: int, beside: Sequence[str]) -> list[Figure]:
    """Millions of hands a second, and thousands of rounds of the plain source."""
    one, seven = _kernel(1, hands), _kernel(7, hands)
    plain = _plain(UNCOMPILED_ROUNDS)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        loop = Path(folder) / "bare"
        subprocess.run([*COMPILE, "-o", loop, Path(__file__).with_name("bare.c")], check=True)
        ways: dict[str, Callable[[], float]] = {
            "bare": lambda: _bare(loop, hands),
            "one": one,
            "seven": seven,
            "plain": plain,
        }
        if beside:
            ways["beside"] = lambda: _rate_beside(beside)
        best = dict.fromkeys(ways, 0.0)
        for _ in range(turns):
            for name, way in ways.items():
                best[name] = max(best[name], way())
    bare = best["bare"]
    found = [
        Figure(
            "hands, one box, all side wagers",
            best["one"],
            bare,
            best["one"] / bare,
            "M/s",
            0.5,
            more=True,
        ),
        Figure("  seven boxes", best["seven"], bare, best["seven"] / bare, "M/s"),
        Figure(
            "rounds of the plain source, one box",
            best["plain"],
            None,
            best["plain"],
            "k/s",
            30,
            more=True,
        ),
    ]
    if beside:
        floor = best["beside"]
        found.append(
            Figure(
                "hands, beside others'",
                best["one"],
                floor,
                best["one"] / floor,
                "M/s",
                2,
                more=True,
            )
        )
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
