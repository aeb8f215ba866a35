"""Rounds a second through the engine, for each document, beside a bare loop over the same cards.

The rounds are those worked out by hand (``tests/rounds``): what a conformance run is made of. The
bare loop goes over the cards of the same rounds in the same order and adds their points: what any
program in this language would take at least. Both are measured turn by turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from controller.files.rules import rule_files, rules_in
from controller.game.scripts.runner import run_script
from controller.game.scripts.script import Script, read_json, read_script
from hil_tests.tables.worked_rounds import ROUNDS, worked_rounds


def _scripts(document: str) -> list[Script]:
    by_name = rules_in(ROUNDS)
    every = worked_rounds(read_json).items()
    found = [line for name, lines in every if name.startswith(document) for line in lines]
    return [read_script(line["script"], by_name) for line in found]


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - begun) / 1e9


def rounds_a_second(turns: int) -> list[tuple[str, float, float]]:
    """For each document: its id, rounds a second played, and looped over."""
    figures = []
    for document in rule_files():
        scripts = _scripts(document)

        def play(scripts: list[Script] = scripts) -> None:
            for script in scripts:
                run_script(script)

        def loop(scripts: list[Script] = scripts) -> int:
            return sum(entry.card.points for script in scripts for entry in script.shoe)

        play()  # to warm up
        played = looped = 0.0
        for _ in range(turns):
            played += _seconds(play)
            looped += _seconds(loop)
        count = turns * len(scripts)
        figures.append((document, count / played, count / looped))
    return figures
