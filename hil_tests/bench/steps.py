"""Steps: what the people of a scenario did, when, and how long it took, for the report.

After labgrid's: a verb is marked with :func:`step`, and whoever calls it says nothing. A step
within a step is told under it. The list belongs to the process and begins anew with each scenario.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Final, ParamSpec, TypeVar

MOST: Final = 2000
"""Steps that are kept: whoever plays for hours writes no report."""

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class Step:
    """``at_s`` since the scenario began and ``took_s``; ``depth`` 0 for what the scenario itself
    said; ``failed``: the kind of error that came out of it, "" for none."""

    what: str
    depth: int
    at_s: float
    took_s: float = 0.0
    failed: str = ""


class Steps:
    """The steps of the scenario that runs."""

    def __init__(self) -> None:
        self.begin_scenario()

    def begin_scenario(self) -> None:
        """A scenario begins."""
        self.done: deque[Step] = deque(maxlen=MOST)
        self._depth = 0
        self._began = time.monotonic()

    def enter(self, what: str) -> Step:
        """A step begins."""
        now = time.monotonic() - self._began
        entered = Step(what, self._depth, now)
        self.done.append(entered)
        self._depth += 1
        return entered

    def leave(self, entered: Step, error: BaseException | None = None) -> None:
        """It is over."""
        self._depth = entered.depth
        entered.took_s = time.monotonic() - self._began - entered.at_s
        entered.failed = type(error).__name__ if error else ""


STEPS = Steps()


@contextmanager
def noting(what: str) -> Iterator[Step]:
    """Have what the block does noted."""
    entered = STEPS.enter(what)
    try:
        yield entered
    except BaseException as error:
        STEPS.leave(entered, error)
        raise
    STEPS.leave(entered)


def step(verb: Callable[P, R]) -> Callable[P, R]:
    """Have a method's calls noted, by its name and its arguments."""
    name = verb.__name__.strip("_").replace("_", " ")

    @wraps(verb)
    def noted(*arguments: P.args, **named: P.kwargs) -> R:
        told = [str(given) for given in arguments[1:] if isinstance(given, str | int | float)]
        told += [f"{key} {given}" for key, given in named.items() if given is not None]
        with noting(" ".join([name, *told])) as entered:
            result = verb(*arguments, **named)
            if isinstance(result, str | int) and result != "":
                entered.what += f": {result}"  # the card, the multiplier, the exit status
        return result

    return noted
