"""Returns, house edges and frequencies out of a tally, as JSON values.

The rules:

- A house edge is what the house keeps of what was staked before the deal, on average, in percent.
  Of main wagers ``house_edge_of_wagered`` relates the same sum to everything put on them in play.
- The standard error is that of a ratio of sums over shoes, which are independent of each other. The
  interval is 1.96 of it either way: it holds the true value in 95 of 100 simulations. With fewer
  than two shoes there is none (null).
- Where the exact value is known it stands beside, with its distance in standard errors
  (``sigmas``; null where too little was played to judge by them). Beyond 4 something is wrong,
  with the simulation or with the game.
- Shares (of wagers, hands, rounds) are in percent. The same tally gives the same text.
"""

from __future__ import annotations

from math import sqrt
from typing import Final, TypedDict

from controller.forms.json_values import JsonObject, checked
from controller.game.commands.values import write_amount
from controller.game.round.wagers import MAIN
from figures.rounds.exact import Exactly, exact
from figures.rounds.playing import SimulatedTable
from figures.rounds.tally import Tally, WagerTally

WITHIN_95: Final = 1.96
PLACES: Final = 4
FAR_OFF: Final = 4
"""Distance from the exact value, in standard errors, that is not chance."""
BY_CUTTING: Final = 0.1
"""So far, in percent, edges may lie from those of a full shoe because shoes are played to a cutting
card: that is no fault however many rounds show it."""
SHOES_TO_JUDGE: Final = 30
WINS_TO_JUDGE: Final = 25
"""With fewer shoes, or fewer wins to be expected, errors are no measure of chance."""

INSURANCE: Final = "insurance"
PER_BOX: Final = ("pontoon", "hand split")
PER_HAND: Final = ("hand busts", "hand doubled")
PER_DEALER: Final = (
    "dealer pontoon",
    "dealer busts",
    "dealer trick",
    "dealer below 17",
    *(f"dealer {total}" for total in range(17, 22)),
)


class WagerFigures(TypedDict, total=False):
    """What became of one kind of wager; amounts in dollars, shares in percent."""

    count: int
    staked: str | None
    wagered: str | None
    net: str | None
    return_percent: float
    house_edge_percent: float
    standard_error_percent: float | None
    interval_percent: list[float] | None
    house_edge_of_wagered_percent: float
    results: list[dict[str, object]]
    exact: dict[str, str | float] | None
    chance_percent: float
    sigmas: dict[str, float | None]


def figures(table: SimulatedTable, tally: Tally) -> dict[str, object]:
    """Everything that the simulation tells, but the seed, who played, and how long it took. Where
    it was not counted by which odds wagers were won, ``results`` are empty and ``chance_percent``
    is left out."""
    known = exact(table.rules, table.decks, table.weights)
    order = dict.fromkeys((MAIN, *table.rules.side_wagers, INSURANCE, *sorted(tally.wagers)))
    kinds = [kind for kind in order if kind in tally.wagers]
    return {
        "rules": table.rules.id,
        "decks": table.decks,
        "boxes": table.boxes,
        "main": write_amount(table.main),
        "side": write_amount(table.side),
        "strategy": table.strategy,
        "insured": table.insured,
        "penetration_percent": table.penetration,
        "weights_id": table.weights.identity if table.weights else None,
        "rounds": tally.rounds,
        "shoes": tally.shoes,
        "refills": tally.seen["shoe ran out"],
        "wagers": {kind: _wager(tally.wagers[kind], tally, known.get(kind)) for kind in kinds},
        "frequencies": _frequencies(tally),
        "multipliers": {str(n): tally.drawn[n] for n in sorted(tally.drawn, reverse=True)},
    }


def interval(tally: Tally) -> str:
    """What main wagers keep so far, in words."""
    wager = tally.wagers[MAIN]
    edge, error = -wager.net / wager.staked, wager.error(tally.shoes)
    within = f" +/- {WITHIN_95 * error:.3%} (95 %)" if error is not None else ""
    return f"house edge {edge:.3%}{within}"


def far_off(shown: JsonObject) -> list[str]:
    """The wagers whose simulated edge or chance is too far from the exact one to be chance."""
    return [
        kind
        for kind, wager in checked(dict[str, WagerFigures], shown["wagers"]).items()
        if _is_far_off(wager)
    ]


def _is_far_off(wager: WagerFigures) -> bool:
    known = wager["exact"]
    if known is None:
        return False
    away = abs(wager["house_edge_percent"] - float(known["house_edge_percent"]))
    off = [abs(sigmas or 0) for sigmas in wager.get("sigmas", {}).values()]
    return away > BY_CUTTING and max(off, default=0) > FAR_OFF


def _wager(wager: WagerTally, tally: Tally, known: Exactly | None) -> WagerFigures:
    edge = -wager.net / wager.staked
    error = wager.error(tally.shoes)
    won = sum(count for (_, outcome, _), count in wager.results.items() if outcome == "win")
    shown: WagerFigures = {
        "count": wager.count,
        "staked": write_amount(wager.staked),
        "wagered": write_amount(wager.wagered),
        "net": write_amount(wager.net),
        "return_percent": _percent(1 - edge),
        "house_edge_percent": _percent(edge),
        "standard_error_percent": None if error is None else _percent(error),
        "interval_percent": None
        if error is None
        else [_percent(edge - WITHIN_95 * error), _percent(edge + WITHIN_95 * error)],
        "house_edge_of_wagered_percent": _percent(-wager.net / wager.wagered),
        "results": [
            {
                "kind": kind,
                "outcome": outcome,
                "odds": odds or None,
                "count": count,
                "share_percent": _percent(count / wager.count),
            }
            for (kind, outcome, odds), count in sorted(wager.results.items(), key=_place)
        ],
        "exact": None,
    }
    if known is not None:
        chance = float(known.chance)
        shown["exact"] = {
            "chance": str(known.chance),
            "chance_percent": float(round(known.chance * 100, PLACES)),
            "house_edge": str(known.edge),
            "house_edge_percent": float(round(known.edge * 100, PLACES)),
        }
        if wager.results:
            shown["chance_percent"] = _percent(won / wager.count)
        spread = sqrt(chance * (1 - chance) / wager.count)
        shown["sigmas"] = {
            "chance": _sigmas(won / wager.count - chance, spread)
            if wager.results and wager.count * chance >= WINS_TO_JUDGE
            else None,
            "house_edge": _sigmas(edge - float(known.edge), error)
            if tally.shoes >= SHOES_TO_JUDGE
            else None,
        }
    return shown


def _place(result: tuple[tuple[str, str, str], int]) -> tuple[str, str, float]:
    """Where a result stands among others: by its odds, the lowest first."""
    (kind, outcome, odds), _ = result
    over, _, under = odds.partition(":")
    return kind, outcome, int(over) / int(under) if odds else 0.0


def _sigmas(distance: float, error: float | None) -> float | None:
    return round(distance / error, 2) if error else None


def _frequencies(tally: Tally) -> dict[str, dict[str, float]]:
    """Counts by name, with the share of what they are counted of."""
    seen = tally.seen
    shown: dict[str, dict[str, float]] = {}
    for names, of in (
        (PER_BOX, "box dealt"),
        (PER_HAND, "hand played"),
        (PER_DEALER, "dealer plays"),
    ):
        for name in names:
            if seen[name]:
                share = _percent(seen[name] / seen[of])
                shown[name] = {"count": seen[name], "of": seen[of], "share_percent": share}
    return shown


def _percent(value: float) -> float:
    return round(value * 100, PLACES)
