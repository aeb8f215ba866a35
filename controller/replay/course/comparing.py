"""What has changed from one step to the next: hands that lie there, and settlements told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.game.round.model import REVERSED, Settlement
from controller.game.round.result_fields import HandResult
from controller.replay.course.steps import HandChange, TableLayout


def hands_of(layout: TableLayout) -> dict[str, HandResult]:
    """Every hand that lies there, by its place; the dealer's last."""
    found: dict[str, HandResult] = {}
    for number, box in layout["boxes"].items():
        for index, hand in enumerate(box["hands"], 1):
            place = f"box {number}" if index == 1 else f"box {number}.{index}"
            found[place] = {"cards": hand["cards"], "total": hand["total"]}
    return {**found, "dealer": layout["dealer"]}


def changes(before: TableLayout | None, after: TableLayout) -> Iterator[HandChange]:
    """The hands that differ; those of a table that was cleared are not told."""
    old, new = hands_of(before) if before else {}, hands_of(after)
    nothing: HandResult = {"cards": "", "total": 0}
    if len(new) == 1 and not new["dealer"]["cards"]:
        return
    for place in dict.fromkeys([*new, *old]):
        was, now = old.get(place, nothing)["cards"], new.get(place, nothing)
        if was != now["cards"]:
            yield HandChange(place, was, now["cards"], now["total"])


def newly_told(told: Sequence[Settlement], now: Sequence[Settlement]) -> list[Settlement]:
    """What follows on ``told`` so that both come to the same as ``now``: first the reversals of
    what is not told any more (the round is void), then what is told besides."""
    added, gone = list(now), list[Settlement]()
    for one in told:
        if one in added:
            added.remove(one)
        elif one.outcome == REVERSED and any(one == other.reversed() for other in gone):
            gone.remove(next(other for other in gone if one == other.reversed()))
        else:
            gone.append(one)
    return [*(one.reversed() for one in gone), *added]
