"""The hands that a status shows, by their cards and totals alone."""

from __future__ import annotations

from typing import Any


def hands_of(status: Any, box: int) -> list[tuple[str, int]]:
    """Cards and total of each hand of the box, in the order in which they came to be."""
    return [(hand["cards"], hand["total"]) for hand in status["boxes"][str(box)]["hands"]]


def boxes_of(status: Any) -> dict[str, list[dict[str, Any]]]:
    """The hands of every box as a round's result has them."""
    return {
        box: [{"cards": hand["cards"], "total": hand["total"]} for hand in told["hands"]]
        for box, told in status["boxes"].items()
    }
