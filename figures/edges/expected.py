"""A run's figures in the form of ``tablectl simulate --json``, by which a floor's report knows what
to expect of main wagers.

What the Super Bonus and its shares bring at that stake is added in closed form, and so is what they
add to the spread: all of a round come together. That two boxes get one in a round is left out of
the spread; it is some ten thousand times rarer.
"""

from __future__ import annotations

from math import sqrt

from controller.game.commands.values import write_amount
from controller.not_done import WRONG_USE, NotDone
from figures.edges.results import EdgeFigures
from figures.games.games import UNIT

PERCENT = 100


def as_simulated(told: EdgeFigures, stake: int) -> dict[str, object]:
    """Of main wagers of ``stake`` cents each.

    Raises:
        NotDone: 2, the run has no standard error, or its Super Bonus no exact chance.
    """
    main, count = told["main"]["per_initial"], told["hands"]
    if main["standard_error"] is None:
        raise NotDone(WRONG_USE, "the run is of one shoe and has no standard error; play more")
    chance, brought = _bonus(told, stake)
    net = round(-main["edge"] * count * UNIT) * stake // UNIT + round(chance * brought * count)
    edge = -net / (count * stake)
    error = sqrt(main["standard_error"] ** 2 + chance * (brought / stake) ** 2 / count)
    setting = told["setting"]
    return {
        "rules": told["origin"]["rules"],
        "decks": setting["decks"],
        "boxes": setting["boxes"],
        "main": write_amount(stake),
        "strategy": setting["policy"],
        "insured": setting["insured"],
        "penetration_percent": setting["penetration_percent"],
        "weights_id": setting["weights_id"],
        "rounds": told["rounds"],
        "wagers": {
            "main": {
                "count": count,
                "staked": write_amount(count * stake),
                "net": write_amount(net),
                "return_percent": PERCENT * (1 - edge),
                "house_edge_percent": PERCENT * edge,
                "standard_error_percent": PERCENT * error,
            }
        },
    }


def _bonus(told: EdgeFigures, stake: int) -> tuple[float, float]:
    """The chance that a box gets a Super Bonus, and what it brings all boxes then for that stake,
    shares included, in cents."""
    bonus = told["super_bonus"]
    if bonus is None or bonus["chance"] == 0:
        return 0.0, 0.0
    if bonus["chance"] is None:
        raise NotDone(
            WRONG_USE,
            "a Super Bonus may come by hands of a split, too, and has no exact chance; use what "
            "'tablectl simulate --json' prints",
        )
    paid = max((one["bonus"] for one in bonus["brackets"] if one["stake"] <= stake), default=0)
    shares = bonus["shares"][-1] / bonus["chance"] if paid or bonus["share_by_cards"] else 0.0
    return bonus["chance"], paid + shares * bonus["share"]
