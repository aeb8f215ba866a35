"""What the mathematics expects of wagers, from files that a house puts into a folder.

A file ``DIGEST.json`` holds what ``tablectl simulate --json`` prints, or ``table-figures shift
--expected``; DIGEST is the SHA-256 of the rule file, as start records and the facts have it
(``rules``). Its document and weights are held against those that were played; how many decks and
boxes, how much and in which way no fact tells, and that is said. A file that contradicts itself is
refused. What is expected of ``staked`` is the house's edge times that; its band is 1.96 standard
deviations either way, by the spread of a wager that the simulation found (its standard error, over
so many wagers) and the wagers' sizes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Final, TypedDict

from controller.forms.json_values import WrongForm, checked
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import read_whole

WITHIN_95: Final = 1.96
MAIN: Final = "main"
MOST_BYTES: Final = 1 << 20


EXACT_TO: Final = 0.001
"""Figures that follow from others are as far off by rounding, in percent."""


class _Wager(TypedDict):
    count: int
    staked: str
    net: str
    return_percent: float
    house_edge_percent: float
    standard_error_percent: float | None


class _Simulated(TypedDict):
    rules: str
    decks: int
    boxes: int
    main: str
    strategy: str
    insured: bool
    penetration_percent: int
    weights_id: str | None
    rounds: int
    wagers: dict[str, object]


class OtherModel(Exception):
    """What was simulated is not what was played; the message says in what."""


@dataclass(frozen=True, slots=True)
class ExpectedWin:
    """What the house is to be expected to win, in cents, with its 95 % band."""

    win: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class WagerModel:
    """Of main wagers: the house's ``edge`` and the ``variance`` of what one wager of 1 returns.
    ``assumed`` is what was simulated and cannot be held against what was played, in words."""

    edge: float
    variance: float
    document: str
    weights_id: str | None
    assumed: str

    def hold(self, document: str, weights: Iterable[str]) -> None:
        """Hold it against the document and the weights (as facts have them) that were played.

        Raises:
            OtherModel: it is of others.
        """
        if self.document != document:
            raise OtherModel(f"simulated was {self.document}")
        for played in filter(None, weights):
            text = played.replace(" ", ",")
            if self.weights_id not in (None, sha256(text.encode("ascii")).hexdigest()):
                raise OtherModel(f"simulated were other weights than {played}")

    def expected_win(self, staked: int, squares: int) -> ExpectedWin:
        """What is expected of wagers that come to ``staked``, their squares to ``squares``."""
        win, off = self.edge * staked, WITHIN_95 * sqrt(self.variance * squares)
        return ExpectedWin(round(win), round(win - off), round(win + off))


class Expectations:
    """The models in ``folder`` (None: none are named), each read once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, WagerModel | None] = {}

    def model_of(self, rules: str) -> WagerModel | None:
        """That of main wagers under the rule file of that digest; None: there is none.

        Raises:
            NotDone: 2, its file cannot be used.
        """
        if rules not in self._known:
            self._known[rules] = self._read_model(rules)
        return self._known[rules]

    def _read_model(self, rules: str) -> WagerModel | None:
        path = None if self._folder is None or not rules else self._folder / f"{rules}.json"
        if path is None or not path.exists():
            return None
        try:
            told = checked(_Simulated, json.loads(read_whole(path, MOST_BYTES)))
            main = checked(_Wager, told["wagers"][MAIN], MAIN)
            for words in _contradictions(told, main):
                raise ValueError(f"it contradicts itself: {words}")
        except (OSError, ValueError, LookupError, WrongForm) as error:
            raise NotDone(
                WRONG_USE,
                f"{path}: cannot be used ({error}); expected what 'tablectl simulate --json' has"
                " printed, of some thousand rounds at least",
            ) from error
        error_of_mean = (main["standard_error_percent"] or 0.0) / 100
        return WagerModel(
            main["house_edge_percent"] / 100,
            error_of_mean**2 * main["count"],
            told["rules"],
            told["weights_id"],
            _assumed(told),
        )


def _contradictions(told: _Simulated, main: _Wager) -> Iterator[str]:
    """What of the file does not agree with the rest, in words."""
    staked, net, each = (float(text) for text in (main["staked"], main["net"], told["main"]))
    if main["standard_error_percent"] is None or main["standard_error_percent"] <= 0:
        yield "its main wagers have no standard error"
    if not 0 < main["count"] <= told["rounds"] * told["boxes"]:
        yield f"{main['count']} main wagers in {told['rounds']} rounds at {told['boxes']} boxes"
    elif abs(staked - main["count"] * each) > 0.01 * main["count"]:
        yield f"{main['count']} main wagers of {told['main']} come to {main['staked']}"
    elif abs(100 * net / staked + main["house_edge_percent"]) > EXACT_TO:
        yield f"{main['net']} of {main['staked']} is no edge of {main['house_edge_percent']} %"
    if abs(main["return_percent"] + main["house_edge_percent"] - 100) > EXACT_TO:
        yield "its return and its edge do not come to 100 %"


def _assumed(told: _Simulated) -> str:
    insured = "insured" if told["insured"] else "not insured"
    weights = "" if told["weights_id"] else ", no weights"
    return (
        f"{told['decks']} decks, {told['boxes']} boxes of {told['main']}, {told['strategy']} play,"
        f" {insured}, {told['penetration_percent']} % of the cards{weights}"
    )
