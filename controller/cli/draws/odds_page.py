"""The odds of a table's weights and what they return, as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator

from controller.cli.output import columns
from controller.json_values import JsonObject, checked


def odds_lines(odds: JsonObject, identity: str) -> Iterator[str]:
    """What :func:`controller.draw.odds.describe` has told of the weights of that ``identity``."""
    yield f"Pandemonium with {odds['decks']} decks, weights {identity[:12]}"
    rows: list[tuple[object, ...]] = [
        ("multiplier", "weight", "probability", "one in", "adds to the return")
    ]
    rows += [
        (
            f"{row['multiplier']} to 1",
            row["weight"],
            row["probability"],
            row["one_in"],
            row["contribution_percent"],
        )
        for row in checked(list[dict[str, object]], odds["multipliers"])
    ]
    yield columns(rows, right=range(5))
    yield ""
    yield columns(
        [
            ("chance of a Pontoon", odds["chance"], f"one in {odds['chance_one_in']}"),
            ("mean multiplier", odds["mean"], odds["mean_decimal"]),
            ("fair at a mean of", odds["break_even"], odds["break_even_decimal"]),
            ("return to the player", odds["return"], odds["return_percent"]),
            ("house edge", odds["house_edge"], odds["house_edge_percent"]),
        ]
    )
