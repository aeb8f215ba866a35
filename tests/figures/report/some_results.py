"""Results as ``table-figures`` tells them, with figures that are easily recognised."""

from __future__ import annotations

import json
from math import erf, sin
from pathlib import Path

from controller import __version__
from figures.edges.results import (
    EdgeFigures,
    Origin,
    Setting,
    ShiftFigures,
    SideFigures,
    WorthFigures,
)
from figures.games.compiled import source_digest
from figures.report.forms import StrangersFigures, StrategyFigures
from figures.report.reading import Result, read_results

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


def _side(kind: str) -> SideFigures:
    return {
        "kind": kind,
        "simulated": {"edge": 0.0341, "standard_error": 0.0004},
        "exact": {
            "chance": 0.07,
            "edge": 239 / 7000,
            "chance_exactly": "7/100",
            "edge_exactly": "239/7000",
        },
        "sigmas": 0.1,
    }


def edge(
    rules: str = "mbs", decks: int = 8, policy: str = "optimal", main: float = 0.00534
) -> EdgeFigures:
    return {
        "origin": origin(rules),
        "setting": setting(decks, policy),
        "rounds": 100_000,
        "hands": 104_000,
        "shoes": 4_000,
        "refills": 0,
        "whole": True,
        "main": {
            "per_initial": {"edge": main, "standard_error": 0.00001},
            "per_wagered": {"edge": 0.00471, "standard_error": 0.00001},
            "wagered": 1.13,
            "variance_of_round": 1.2345,
            "variance_per_box": 1.2345,
        },
        "sides": [_side("pair")],
        "button": {
            "wager": _side("button"),
            "returned": 0.93,
            "draw_share": 0.8,
            "multipliers": [
                {
                    "multiplier": 100,
                    "chance": 0.1,
                    "drawn": 7,
                    "share": 0.1,
                    "part_of_return": 0.5,
                }
            ],
        },
        "insurance": [{"against": "ace", "chance": 0.3, "edge": 0.07, "edge_exactly": "7/100"}],
        "super_bonus": {
            "suits": 4,
            "chance": 1e-5,
            "chance_exactly": "1/100000",
            "simulated": 2,
            "expected": 1.0,
            "sigmas": 1.0,
            "share": 5000,
            "share_by_cards": False,
            "shares": [0.0],
            "brackets": [
                {
                    "stake": 500,
                    "bonus": 100_000,
                    "bonus_per_initial": 0.002,
                    "shares_per_initial": 0.0001,
                }
            ],
        },
        "rates": [
            {"name": "pontoon", "count": 4730, "of": "box", "of_count": 100_000, "share": 0.0473}
        ],
        "distributions": {"main": [[-2, 50_000], [0, 8_000], [2, 41_990], [80, 10]], "all": []},
        "convergence": [[10**n, main + 0.1**n] for n in range(2, 6)],
    }


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
    """The results, by way of a file."""
    file = folder / "results.json"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in told))
    return read_results([file])
