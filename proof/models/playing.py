"""Runs of a model played on the code, and runs of the code given to the model.

Both ways every step is compared: what was taken off the line, and the whole state behind it.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from proof.models.checker import StepRecord


class Unplayable(Exception):
    """The code is not where this could happen."""


class Bench(ABC):
    """The code, driven step by step within ``bounds``, the macros of the model, in ``folder``,
    which is to be empty: a method for each step. ``wrong`` are claims of it that were broken, in
    words."""

    known: ClassVar[type[IntEnum]]
    layout: ClassVar[Callable[..., tuple[int, ...]]]
    faults: ClassVar[Container[int]]
    """The model's steps, its state, and which of the steps go wrong."""

    def __init__(self, folder: Path, bounds: Mapping[str, int]) -> None:
        self.folder = folder
        self.bounds = bounds
        self.wrong: list[str] = []
        self.steps: dict[IntEnum, Callable[[], object]] = {
            step: getattr(self, f"_step_{step.name.lower()}") for step in self.known
        }

    @abstractmethod
    def possible(self) -> Sequence[int]:
        """The steps that can happen now."""

    @abstractmethod
    def state(self) -> tuple[int, ...]:
        """What the model's state is compared with."""

    def carry_out(self, step: IntEnum) -> tuple[int, ...]:
        """Take a possible step; the fields of what it took."""
        self.steps[step]()
        return ()

    def take_step(self, number: int) -> StepRecord:
        """Take a step, and tell what the model would print of it.

        Raises:
            Unplayable: it cannot happen now.
        """
        step = self.known(number)
        if step not in self.possible():
            raise Unplayable(f"{step.name} cannot happen now")
        fields = self.carry_out(step)
        return StepRecord(number, fields, self.state())

    def wander(self, seed: int, steps: int) -> list[StepRecord]:
        """A run by chance: one step in eight is of ``faults``. It ends early where nothing can
        happen any more."""
        source = random.Random(seed)
        run: list[StepRecord] = []
        while len(run) < steps and (possible := self.possible()):
            fails = source.random() < 1 / 8
            wanted = [step for step in possible if (step in self.faults) == fails] or possible
            run.append(self.take_step(source.choice(wanted)))
        return run

    def plain(self, taken: StepRecord) -> StepRecord:
        """A step of the model without what is the model's own."""
        return StepRecord(taken.step, (), self.layout(*taken.state))

    def close(self) -> None:  # noqa: B027 - a bench may have nothing to close
        """It was enough."""


B = TypeVar("B", bound=Bench)


@dataclass(frozen=True, slots=True)
class Defect(Generic[B]):
    """A defect: a macro of a model, and a bench that has the same one planted in the code.
    ``bounds`` within which the checker finds it soon, ``depth`` the longest run looked at."""

    bounds: Mapping[str, int]
    depth: int
    bench: type[B]


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


def accepted(bench: Bench, run: Sequence[StepRecord], by_model: Sequence[StepRecord]) -> str:
    """Whether the model, told to take the steps of a run of the code, did the same: the first
    difference in words, empty for none."""
    for at, (of_code, of_model) in enumerate(zip(run, by_model, strict=False)):
        if of_code != bench.plain(of_model):
            return f"step {at}: the model has {bench.plain(of_model)}, the code {of_code}"
    if len(by_model) != len(run):
        return f"step {len(by_model)}: the model does not permit {run[len(by_model)]}"
    return ""
