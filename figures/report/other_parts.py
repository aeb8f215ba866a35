"""The parts of a report on a shift, on what rule values are worth, on a strategy, and on what
others have published."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from textwrap import shorten
from typing import Final

from controller.sheets.sheet import text
from figures.edges.results import ShiftFigures, WorthFigures
from figures.report.figure import again, amount, cut, error, figure, grid, percent, whole_origin
from figures.report.forms import StrangersFigures, StrategyFigures
from figures.report.pictures import spread, tornado

POINTS: Final = 80
"""Of the curve of a shift, about."""
MOST_BARS: Final = 25
"""In a picture, for it to stay on one sheet; its table has all of them."""
MOST_LETTERS: Final = 36
"""In front of a bar."""
MOST_DEPARTURES: Final = 12


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
    if told["loses_more_than"]:
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
            shorten(f"{one['key']} = {one['to']}", MOST_LETTERS, placeholder="…"),
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
            f"as they are it keeps {percent(told['base']['edge'])}. Each round is dealt from a new "
            "shoe, shuffled alike for all."
        )
        svg, clipped = tornado(f"{name}-worth", said, drawn, "change of the main edge, percent")
        said += " A bar with an arrow goes on beyond the picture." if clipped else ""
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
                f"{100 * one['change']:+.3f}\N{NO-BREAK SPACE}%",
                error({"edge": one["change"], "standard_error": one["standard_error"]}),
            )
            for one in values
        ],
        words=range(1, 4),
    )
    yield again(told["origin"])
    if told["missing"]:
        yield f"<p>{text(cut(told['whole'], told['missing']))}</p>"
    yield whole_origin(told["origin"], told["setting"], ("Rounds", f"{told['rounds']:,} each"))


def strategy_part(told: StrategyFigures, name: str) -> Iterator[str]:
    """A strategy as a table to print, and what it departs from."""
    best, printed = (told["values"][which] for which in ("best", "printed"))
    yield (
        f"<p>Who plays by this table loses {percent(-printed['total'])} of the wager before the "
        f"deal (standard error {percent(printed['error'], 4)}), who plays best "
        f"{percent(-best['total'])}.</p>"
    )
    rows = [(f"{row['kind']} {row['hand']}", *row["cells"]) for row in told["rows"]]
    if told["withdraw_up_to"]:
        rows.append(("withdraw up to", *(str(most or "-") for most in told["withdraw_up_to"])))
    yield grid(
        "What to do, by hand and dealer's first card",
        ("hand", *told["columns"]),
        rows,
        words=range(1, len(told["columns"]) + 1),
    )
    yield again(told["origin"])
    yield (
        "<p>H hit, S stand, D double, P split, B buy, R surrender. S5H: stand, with five cards or "
        "more hit. The dealer's 10 is any card that counts 10.</p>"
    )
    departures = sorted(told["departures"], key=lambda one: -one["worth"])
    if departures:
        rest = sum(one["worth"] for one in departures[MOST_DEPARTURES:])
        yield grid(
            "First decisions that depend on the cards",
            ("cards", "suits", "against", "table", "better", "gain", "of any wager"),
            [
                (
                    "-".join(one["cards"]),
                    one["suits"],
                    one["dealer"],
                    one["printed"],
                    one["better"],
                    percent(one["gain"], 2),
                    percent(one["worth"], 5),
                )
                for one in departures[:MOST_DEPARTURES]
            ],
            words=range(1, 5),
        )
        yield again(told["origin"])
        if more := len(departures[MOST_DEPARTURES:]):
            yield f"<p>{more} more are worth {percent(rest, 5)} of any wager together.</p>"
    yield whole_origin(told["origin"], None, ("Cards", f"a full shoe of {told['decks']} decks"))


def strangers_part(told: StrangersFigures, name: str) -> Iterator[str]:
    """What others have published beside what was found."""
    yield grid(
        f"Published edges per initial wager, and ours of {told['rounds']:,} rounds",
        (
            "rules",
            "decks",
            "published",
            "ours",
            "standard error",
            "apart",
            "within 0.01 % and rounding",
        ),
        [
            (
                row["title"],
                str(row["decks"]),
                percent(row["published"], 2),
                percent(row["ours"]),
                percent(row["standard_error"], 4),
                f"{100 * (row['ours'] - row['published']):+.3f}\N{NO-BREAK SPACE}%",
                row["verdict"],
            )
            for row in told["strangers"]
        ],
    )
    yield again(told["origin"])
    for row in told["strangers"]:
        about = f"from {'; '.join(filter(None, (row['source'], row['why'])))}."
        yield f"<p><strong>{text(row['title'])}</strong>, {row['decks']} decks: {text(about)}</p>"
    if told["missing"]:
        yield f"<p>{text(cut(told['whole'], told['missing']))}</p>"
    yield whole_origin(told["origin"], None, ("Rounds", f"{told['rounds']:,} each"))
