"""Runs of a model played on the code, and runs of the code given to the model.

Both ways every step is compared: what was taken off the line, and the whole state behind it.
"""

from __future__ import annotations

import random
from collections.abc import Container, Sequence
from typing import Protocol

from proof.models.checker import StepRecord


class Unplayable(Exception):
    """The code is not where this could happen."""


class Bench(Protocol):
    """The code, driven step by step. ``wrong`` are claims of the model that it broke, in words."""

    wrong: list[str]

    def possible(self) -> Sequence[int]:
        """The steps that can happen now."""

    def take_step(self, number: int) -> StepRecord:
        """Take a step, and tell what the model would print of it. Raises Unplayable."""

    @staticmethod
    def plain(taken: StepRecord) -> StepRecord:
        """A step of the model without what is the model's own."""


def same(bench: Bench, run: Sequence[StepRecord]) -> str:
    """Play a run of the model on the code: the first step where the code does anything else, in
    words; empty when it does the same from the first step to the last."""
    for at, of_model in enumerate(run):
        try:
            of_code = bench.take_step(of_model.step)
        except Unplayable as error:
            return f"step {at}: {error}"
        if of_code != bench.plain(of_model):
            return f"step {at}: the model has {bench.plain(of_model)}, the code {of_code}"
    return ""


def survive(bench: Bench, run: Sequence[StepRecord]) -> int:
    """Have happen to the code what happens in a run, as far as it can: steps that cannot happen are
    left out, because code without the defect has come to be elsewhere. How many were taken."""
    taken = 0
    for of_model in run:
        if of_model.step in bench.possible():
            bench.take_step(of_model.step)
            taken += 1
    return taken


def wander(bench: Bench, seed: int, steps: int, faults: Container[int]) -> list[StepRecord]:
    """A run of the code by chance: one step in eight is of ``faults``. It ends early where nothing
    can happen any more."""
    source = random.Random(seed)
    run: list[StepRecord] = []
    while len(run) < steps and (possible := bench.possible()):
        fails = source.random() < 1 / 8
        wanted = [step for step in possible if (step in faults) == fails] or possible
        run.append(bench.take_step(source.choice(wanted)))
    return run


def accepted(bench: Bench, run: Sequence[StepRecord], by_model: Sequence[StepRecord]) -> str:
    """Whether the model, told to take the steps of a run of the code, did the same: the first
    difference in words, empty for none."""
    for at, (of_code, of_model) in enumerate(zip(run, by_model, strict=False)):
        if of_code != bench.plain(of_model):
            return f"step {at}: the model has {bench.plain(of_model)}, the code {of_code}"
    if len(by_model) != len(run):
        return f"step {len(by_model)}: the model does not permit {run[len(by_model)]}"
    return ""
