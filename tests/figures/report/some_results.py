"""Results as ``table-figures`` tells them, with figures that are easily recognised."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from math import erf, sin
from pathlib import Path

from controller import __version__
from figures.edges.figures import edge_figures
from figures.edges.results import (
    EdgeFigures,
    Origin,
    Setting,
    ShiftFigures,
    WorthFigures,
)
from figures.games.compiled import source_digest
from figures.report.forms import StrangersFigures, StrategyFigures
from figures.report.reading import Result, read_results
from tests.figures.edges.support import asked, game_of, run_of, sums_of

DIGEST = "3f" * 32


def origin(rules: str = "mbs") -> Origin:
    return {
        "command": f"table-figures edge --rules {rules} --seed 77",
        "seed": 77,
        "version": __version__,
        "rules": rules,
        "rules_digest": DIGEST,
        "kernel": source_digest(),
    }


def setting(decks: int = 8, policy: str = "optimal") -> Setting:
    return {
        "decks": decks,
        "boxes": 1,
        "policy": policy,
        "insured": False,
        "penetration_percent": 75,
        "sides": True,
        "weights": "100=1,10=9",
        "weights_id": "cd" * 32,
    }


@cache
def played() -> EdgeFigures:
    game = game_of(boxes=1)
    return edge_figures(asked(game, 300), sums_of(run_of(game, 300)))


def edge(
    rules: str = "mbs", decks: int = 8, policy: str = "optimal", main: float = 0.00534
) -> EdgeFigures:
    told = deepcopy(played())
    told["origin"], told["setting"] = origin(rules), setting(decks, policy)
    told["main"]["per_initial"] = {"edge": main, "standard_error": 0.00001}
    return told


def shift() -> ShiftFigures:
    points = [[n * 100.0, (1 + erf((n - 4) / 42)) / 2] for n in range(-90, 100)]
    return {
        "origin": origin(),
        "setting": setting(),
        "rounds": 400,
        "stake": 1000,
        "mean": 410.0,
        "mean_error": 20.0,
        "deviation": 3000.0,
        "low": -5400,
        "high": 6300,
        "loses": 0.45,
        "loses_more_than": [[5000.0, 0.03]],
        "points": points,
    }


def worth(values: int = 30) -> WorthFigures:
    return {
        "origin": origin(),
        "setting": setting(),
        "rounds": 100_000,
        "whole": False,
        "missing": ["hands.value_7 = no"],
        "policy_anew": True,
        "base": {"edge": 0.00534, "standard_error": 0.00001},
        "values": [
            {
                "key": f"hands.value_{n}",
                "value": "<yes>",
                "to": "no",
                "clause": f"{n}.1",
                "change": sin(n * n) / 100,
                "standard_error": 0.00001,
            }
            for n in range(1, values + 1)
        ],
    }


def strategy() -> StrategyFigures:
    return {
        "origin": origin(),
        "decks": 8,
        "values": {
            "best": {"total": -0.005, "error": 1e-5},
            "printed": {"total": -0.0052, "error": 1e-5},
        },
        "columns": ["2", "A"],
        "rows": [{"kind": "hard", "hand": "16", "cells": ["S5H", "H"]}],
        "withdraw_up_to": [0, 13],
        "departures": [
            {
                "cards": ["2", str(number)],
                "suits": "any",
                "dealer": "A",
                "printed": "stand",
                "better": "hit",
                "gain": 0.02,
                "worth": number * 1e-6,
            }
            for number in range(3, 10)
        ],
    }


def strangers() -> StrangersFigures:
    return {
        "origin": origin("mbs and others"),
        "rounds": 100_000,
        "whole": True,
        "missing": [],
        "strangers": [
            {
                "title": "BB+1",
                "source": "a table",
                "decks": 8,
                "published": 0.0038,
                "ours": 0.00384,
                "standard_error": 1e-5,
                "verdict": "met",
                "why": "no late change",
            }
        ],
    }


def everything() -> list[object]:
    return [edge(), edge(policy="simple"), shift(), worth(), strategy(), strangers()]


def read(folder: Path, told: list[object]) -> list[Result]:
    file = folder / "results.json"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in told))
    return read_results([file])
