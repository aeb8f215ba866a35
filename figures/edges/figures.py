"""The figures of a run's sums, in the forms of :mod:`~.results`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from figures.edges import exactly
from figures.edges.jobs import RunSums
from figures.edges.rates import rates_of
from figures.edges.results import (
    ButtonFigures,
    Distributions,
    Edge,
    EdgeFigures,
    ExactEdge,
    MainFigures,
    Origin,
    Setting,
    SideFigures,
    SuperBonusFigures,
)
from figures.games.games import UNIT, Game
from figures.kernel import blocks, tallies
from figures.kernel.tables import CENTS, sides_of
from figures.rounds.exact import Exactly, exact
from figures.rounds.tally import standard_error

POINTS: Final = 200
"""Of the convergence, at most."""


@dataclass(frozen=True)
class AskedRun:
    """What was asked for: a game, where its figures come from, how its policy is called, and how
    many rounds it is."""

    game: Game
    origin: Origin
    policy: str
    rounds: int

    @property
    def setting(self) -> Setting:
        """As it is told."""
        game = self.game
        return {
            "decks": game.decks,
            "boxes": game.boxes,
            "policy": self.policy,
            "insured": game.policy.insures,
            "penetration_percent": game.penetration,
            "sides": game.sides,
            "weights": game.weights.canonical if game.weights else None,
            "weights_id": game.weights.identity if game.weights else None,
        }


def edge_figures(asked: AskedRun, sums: RunSums) -> EdgeFigures:
    """Everything that a run of some rounds tells."""
    game, played = asked.game, sums.played
    tally, rounds = played.tally, sums.rounds
    known = exact(game.rules, game.decks, game.weights) if game.sides else {}
    return {
        "origin": asked.origin,
        "setting": asked.setting,
        "rounds": rounds,
        "hands": rounds * game.boxes,
        "shoes": played.shoes,
        "refills": played.refills,
        "whole": rounds == asked.rounds,
        "main": main_figures(game.boxes, sums, game.unit),
        "sides": [
            _side(kind, tally[blocks.SUM_SIDE_NET + place], known[kind], game, rounds)
            for place, kind in enumerate(sides_of(game.rules) if game.sides else ())
        ],
        "button": _button(game, sums, known),
        "insurance": exactly.insurance(game.rules, game.decks),
        "super_bonus": _super_bonus(game, sums),
        "rates": rates_of(game.rules, game.boxes, played),
        "distributions": Distributions(
            main=_distribution(tally, blocks.OF_MAIN), all=_distribution(tally, blocks.OF_ALL)
        ),
        "convergence": list(_convergence(game.boxes * game.unit, sums)),
    }


def main_figures(boxes: int, sums: RunSums, unit: int = UNIT) -> MainFigures:
    """Of main wagers of so many cents."""
    tally, shoes = sums.played.tally, sums.played.shoes
    rounds, net, wagered = sums.rounds, tally[blocks.SUM_NET], tally[blocks.SUM_WAGERED]
    squares, products = tally[blocks.NET_SQUARED], tally[blocks.NET_BY_ROUNDS]
    of_rounds = standard_error(net, rounds, squares, products, tally[blocks.ROUNDS_SQUARED], shoes)
    of_wagered = standard_error(
        net, wagered, squares, tally[blocks.NET_BY_WAGERED], tally[blocks.WAGERED_SQUARED], shoes
    )
    staked = unit * boxes
    variance = (tally[blocks.MAIN_SQUARED] / rounds - (net / rounds) ** 2) / unit**2
    return {
        "per_initial": {
            "edge": -net / (rounds * staked),
            "standard_error": None if of_rounds is None else of_rounds / staked,
        },
        "per_wagered": {"edge": -net / wagered, "standard_error": of_wagered},
        "wagered": wagered / (rounds * staked),
        "variance_of_round": variance,
        "variance_per_box": variance / boxes,
    }


def _side(kind: str, net: int, known: Exactly, game: Game, rounds: int) -> SideFigures:
    wagers = rounds * game.boxes
    edge, error = -net / (game.unit * wagers), sqrt((known.square - known.edge**2) / wagers)
    return {
        "kind": kind,
        "simulated": Edge(edge=edge, standard_error=error),
        "exact": ExactEdge(
            chance=float(known.chance),
            edge=float(known.edge),
            chance_exactly=str(known.chance),
            edge_exactly=str(known.edge),
        ),
        "sigmas": _sigmas(edge - float(known.edge), error),
    }


def _button(game: Game, sums: RunSums, known: dict[str, Exactly]) -> ButtonFigures | None:
    kind, weights = game.rules.button_wager, game.weights
    if kind is None or weights is None or not game.sides:
        return None
    chance, returned = known[kind].chance, 1 - known[kind].edge
    counts = sums.played.seen[tallies.DRAWN :]
    drawn = sum(counts[: len(weights.pairs)])
    return {
        "wager": _side(
            kind, sums.played.tally[blocks.SUM_BUTTON_NET], known[kind], game, sums.rounds
        ),
        "returned": float(returned),
        "draw_share": float((returned - chance) / returned),
        "multipliers": [
            {
                "multiplier": multiplier,
                "chance": weight / weights.total,
                "drawn": counts[place],
                "share": counts[place] / drawn if drawn else None,
                "part_of_return": float(
                    chance * Fraction(weight, weights.total) * (multiplier + 1) / returned
                ),
            }
            for place, (multiplier, weight) in enumerate(weights.pairs)
        ],
    }


def _super_bonus(game: Game, sums: RunSums) -> SuperBonusFigures | None:
    bonus = game.rules.super_bonus
    if bonus is None:
        return None
    suits, share = exactly.suits_hit(game.rules, game.policy), bonus.share.value * CENTS
    known = suits is not None
    chance = exactly.bonus_chance(game.rules, game.decks, suits or 0)
    shares = exactly.share_chances(game.rules, game.decks, game.boxes, suits or 0)
    simulated = sums.played.seen[tallies.SUPER_BONUS]
    expected = float(chance * sums.rounds * game.boxes)
    return {
        "suits": suits,
        "chance": float(chance) if known else None,
        "chance_exactly": str(chance) if known else None,
        "simulated": simulated,
        "expected": expected if known else None,
        "sigmas": _sigmas(simulated - expected, sqrt(expected)),
        "share": share,
        "share_by_cards": bonus.share_when.value == "cards",
        "shares": [float(one) for one in shares] if known else [],
        "brackets": [
            {
                "stake": dollars * CENTS,
                "bonus": paid * CENTS,
                "bonus_per_initial": float(chance * Fraction(paid, dollars)),
                "shares_per_initial": float(shares[-1] * Fraction(share, dollars * CENTS)),
            }
            for dollars, paid in (bonus.brackets.value if suits else ())
        ],
    }


def _distribution(tally: Sequence[int], at: int) -> list[list[int]]:
    return [
        [place - blocks.MIDDLE, many]
        for place, many in enumerate(tally[at : at + blocks.NETS])
        if many
    ]


def _convergence(staked: int, sums: RunSums) -> Iterator[list[float]]:
    """After each block, or each few."""
    rounds = net = 0
    every = -(-len(sums.blocks) // POINTS)
    for place, number in enumerate(sorted(sums.blocks), 1):
        more, brought = sums.blocks[number]
        rounds, net = rounds + more, net + brought
        if place % every == 0 or place == len(sums.blocks):
            yield [rounds, -net / (staked * rounds)]


def _sigmas(distance: float, error: float) -> float | None:
    return distance / error if error else None
