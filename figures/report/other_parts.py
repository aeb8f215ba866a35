"""The parts of a report on a shift, and on what the values of the rules are worth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from figures.edges.results import ShiftFigures, WorthFigures
from figures.report.figure import again, amount, error, figure, grid, percent, whole_origin
from figures.report.pictures import spread, tornado

POINTS: Final = 80
"""Of the curve of a shift, about."""
MOST_BARS: Final = 25
"""In a picture, for it to stay on one sheet; its table has all of them."""


def shift_part(told: ShiftFigures, name: str) -> Iterator[str]:
    """What a shift may bring the house."""
    said = (
        f"What the house wins in a shift of {told['rounds']:,} rounds with wagers of "
        f"{told['stake'] / 100:,.2f}: {amount(told['mean'])} on average, between "
        f"{amount(told['low'])} and {amount(told['high'])} in 95 of 100 shifts (filled). "
        f"It loses in {percent(told['loses'], 1)} of them."
    )
    # Whole units are likelier than halves, so an even number of points goes into one of the curve.
    every = 2 * max(len(told["points"]) // (2 * POINTS), 1)
    dollars = [(cents / 100, chance) for cents, chance in told["points"][::every]]
    heights = [
        ((low + high) / 2, (below_high - below) / (high - low))
        for (low, below), (high, below_high) in pairwise(dollars)
    ]
    band = (told["low"] / 100, told["high"] / 100)
    across = "the house's win in a shift"
    picture = spread(f"{name}-shift", said, heights, band, told["mean"] / 100, across)
    yield figure(picture, said, told["origin"])
    yield grid(
        f"The chance that the house loses more in {told['rounds']:,} rounds",
        ("than", "chance"),
        [(amount(cents), percent(chance)) for cents, chance in told["loses_more_than"]],
    )
    yield again(told["origin"])
    yield (
        f"<p>The standard deviation of a shift is {amount(told['deviation'])}. Its rounds are taken"
        " to be independent of each other, with the results that a round had in the run.</p>"
    )
    yield whole_origin(told["origin"], told["setting"])


def worth_part(told: WorthFigures, name: str) -> Iterator[str]:
    """What every rule value is worth, the one that weighs most first."""
    values = sorted(told["values"], key=lambda one: -abs(one["change"]))
    drawn = [
        (
            f"{one['key']} = {one['to']}",
            100 * one["change"],
            100 * (one["standard_error"] or 0.0),
        )
        for one in values[:MOST_BARS]
    ]
    play = "with a policy made anew for each" if told["policy_anew"] else "with the same policy"
    if drawn:
        most = f"the {len(drawn)} that weigh most of {len(values)}" if values[MOST_BARS:] else "all"
        said = (
            f"What rule values are worth ({most}): by how much of the initial wager, in percent, "
            f"the house keeps more (to the right) or less with the value changed, {play}. With all "
            f"as they are it keeps {percent(told['base']['edge'])}."
        )
        svg, cut = tornado(f"{name}-worth", said, drawn, "change of the main edge, percent")
        said += " A bar with an arrow goes on beyond the picture." if cut else ""
        yield figure(svg, said, told["origin"])
    yield grid(
        f"What rule values are worth to the house, {play}",
        ("value", "clause", "as it is", "changed to", "worth", "standard error"),
        [
            (
                one["key"],
                one["clause"],
                one["value"],
                one["to"],
                f"{100 * one['change']:+.3f} %",
                error({"edge": one["change"], "standard_error": one["standard_error"]}),
            )
            for one in values
        ],
        words=range(1, 4),
    )
    yield again(told["origin"])
    yield whole_origin(told["origin"], told["setting"], ("Rounds", f"{told['rounds']:,} each"))
