"""What the mathematics expects of wagers, from files that a house puts into a folder.

A file ``DIGEST.json`` holds what ``tablectl simulate --json`` prints; DIGEST is the SHA-256 of the
rule file, as start records and the facts have it (``rules``). What is expected of ``staked`` is the
house's edge times that; its band is 1.96 standard deviations either way, by the spread of a wager
that the simulation found (its standard error, over so many wagers) and the wagers' sizes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Final, TypedDict

from controller.json_values import WrongForm, checked
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import read_whole

WITHIN_95: Final = 1.96
MAIN: Final = "main"
MOST_BYTES: Final = 1 << 20


class _Wager(TypedDict):
    count: int
    house_edge_percent: float
    standard_error_percent: float | None


class _Simulated(TypedDict):
    wagers: dict[str, object]


@dataclass(frozen=True, slots=True)
class ExpectedWin:
    """What the house is to be expected to win, in cents, with its 95 % band."""

    win: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class WagerModel:
    """Of main wagers: the house's ``edge`` and the ``variance`` of what one wager of 1 returns."""

    edge: float
    variance: float

    def of(self, staked: int, squares: int) -> ExpectedWin:
        """What is expected of wagers that come to ``staked``, their squares to ``squares``."""
        win, off = self.edge * staked, WITHIN_95 * sqrt(self.variance * squares)
        return ExpectedWin(round(win), round(win - off), round(win + off))


class Expectations:
    """The models in ``folder`` (None: none are named), each read once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, WagerModel | None] = {}

    def of(self, rules: str) -> WagerModel | None:
        """That of main wagers under the rule file of that digest; None: there is none.

        Raises:
            NotDone: 2, its file cannot be used.
        """
        if rules not in self._known:
            self._known[rules] = self._read(rules)
        return self._known[rules]

    def _read(self, rules: str) -> WagerModel | None:
        path = None if self._folder is None or not rules else self._folder / f"{rules}.json"
        if path is None or not path.exists():
            return None
        try:
            told = checked(_Simulated, json.loads(read_whole(path, MOST_BYTES)))
            main = checked(_Wager, told["wagers"][MAIN], MAIN)
        except (OSError, ValueError, LookupError, WrongForm) as error:
            raise NotDone(
                WRONG_USE,
                f"{path}: cannot be used ({error}); expected what 'tablectl simulate --json' has"
                " printed",
            ) from error
        error_of_mean = (main["standard_error_percent"] or 0.0) / 100
        return WagerModel(main["house_edge_percent"] / 100, error_of_mean**2 * main["count"])
