"""The parts of a report on a shift, on what rule values are worth, on a strategy, and on what
others have published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from textwrap import shorten
from typing import Final

from figures.edges.results import ShiftFigures, ValueWorth, WorthFigures
from figures.report.figure import (
    Content,
    Grid,
    PictureToDraw,
    amount,
    cut,
    error,
    percent,
    whole_origin,
)
from figures.report.forms import StrangersFigures, StrategyFigures
from figures.rounds.figures import WITHIN_95

POINTS: Final = 80
"""Of the curve of a shift, about."""
MOST_BARS: Final = 25
"""In a picture, for it to stay on one sheet; its table has all of them."""
TOO_LONG: Final = 3
"""Times the next bar."""
MOST_CUT: Final = 5
"""Bars that may be cut."""
MOST_LETTERS: Final = 36
"""In front of a bar."""
MOST_DEPARTURES: Final = 12
MOST_NAMED: Final = 3
"""Of the values that a key was changed to."""
SAME_POLICY: Final = "the same policy"
WITHOUT_ANEW: Final = (
    " That policy never does what only a change permits; --anew makes one for each."
)


def shift_part(told: ShiftFigures) -> Iterator[Content]:
    """What a shift may bring the house."""
    rounds = "1 round" if told["rounds"] == 1 else f"{told['rounds']:,} rounds"
    said = (
        f"What the house wins in a shift of {rounds} with wagers of {told['stake'] / 100:,.2f}, in "
        "dollars"
    )
    yield Grid(
        said,
        ("what", "how much"),
        [
            ("on average", amount(told["mean"])),
            ("standard error of that", amount(told["mean_error"])),
            ("standard deviation", amount(told["deviation"])),
            ("in 95 of 100 shifts at least", amount(told["low"])),
            ("and at most", amount(told["high"])),
            ("chance that it loses", percent(told["loses"], 2)),
            *(
                (f"chance that it loses more than {amount(cents)}", percent(chance))
                for cents, chance in told["loses_more_than"]
            ),
        ],
    )
    # Whole units are likelier than halves, so an even number of points goes into one of the curve.
    every = 2 * max(len(told["points"]) // (2 * POINTS), 1)
    dollars = [(cents / 100, chance) for cents, chance in told["points"][::every]]
    heights = [
        ((low + high) / 2, (below_high - below) / (high - low))
        for (low, below), (high, below_high) in pairwise(dollars)
    ]
    band = (told["low"] / 100, told["high"] / 100)
    across = "the house's win in a shift, dollars"
    caption = f"{said}; filled: 95 of 100 shifts."
    yield PictureToDraw("spread", caption, (heights, band, told["mean"] / 100, across))
    yield (
        "Without the Super Bonus. Its rounds are taken to be independent of each other, with the "
        "results that a round had in the run."
    )
    yield whole_origin(told["origin"], told["setting"])


def worth_part(told: WorthFigures) -> Iterator[Content]:
    """What every rule value is worth, the one that weighs most first; those that made no difference
    by name."""
    values = sorted(told["values"], key=lambda one: -abs(one["change"]))
    alike = [one for one in values if not one["change"] and not one["standard_error"]]
    values = [one for one in values if one not in alike]
    drawn = [
        (
            shorten(f"{one['key']} = {one['to']}", MOST_LETTERS, placeholder="…"),
            100 * one["change"],
            100 * (one["standard_error"] or 0.0),
        )
        for one in values[:MOST_BARS]
    ]
    play = f"as played with {'a policy made anew for each' if told['policy_anew'] else SAME_POLICY}"
    if drawn:
        most = f"the {len(drawn)} that weigh most of {len(values)}" if values[MOST_BARS:] else "all"
        said = (
            f"What rule values are worth ({most}): by how much of the initial wager, in percent, "
            f"the house keeps more (to the right) or less with the value changed, {play}. With all "
            f"as they are it keeps {percent(told['base']['edge'])}. Each round is dealt from a new "
            "shoe, shuffled alike for all."
        )
        beyond = _beyond(drawn)
        said += " A bar with an arrow goes on beyond the picture." if beyond else ""
        yield PictureToDraw("tornado", said, (drawn, beyond, "change of the main edge, percent"))
    caption = (
        f"What rule values are worth to the house, {play}; as they are it keeps "
        f"{percent(told['base']['edge'])}, standard error {error(told['base'])}"
    )
    yield (
        caption
        if not values
        else Grid(
            caption,
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
    )
    if alike:
        why = "" if told["policy_anew"] else WITHOUT_ANEW
        yield f"No difference in these rounds, {play}: {'; '.join(_by_key(alike))}.{why}"
    if told["missing"]:
        yield cut(told["whole"], told["missing"]).strip()
    yield whole_origin(told["origin"], told["setting"], ("Rounds", f"{told['rounds']:,} each"))


def _by_key(values: Iterable[ValueWorth]) -> Iterator[str]:
    """What values were changed to, a few of each key named."""
    by_key: dict[str, list[str]] = {}
    for one in values:
        by_key.setdefault(one["key"], []).append(one["to"])
    for key, to in by_key.items():
        more = f" and {len(to) - MOST_NAMED} more" if to[MOST_NAMED:] else ""
        yield f"{key} to {' or '.join(to[:MOST_NAMED])}{more}"


def _beyond(bars: Sequence[tuple[str, float, float]]) -> int:
    """How many of the first bars are so long that the next would hardly be seen."""
    lengths = [abs(value) + WITHIN_95 * error for _, value, error in bars[: MOST_CUT + 1]]
    longer = enumerate(pairwise(lengths), 1)
    return max((row for row, (one, after) in longer if one > TOO_LONG * after > 0), default=0)


def strategy_part(told: StrategyFigures) -> Iterator[Content]:
    """A strategy as a table to print, and what it departs from."""
    best, printed = (told["values"][which] for which in ("best", "printed"))
    yield (
        f"Who plays by this table loses {percent(-printed['total'])} of the wager before the "
        f"deal (standard error {percent(printed['error'], 4)}), who plays best "
        f"{percent(-best['total'])}."
    )
    rows = [(f"{row['kind']} {row['hand']}", *row["cells"]) for row in told["rows"]]
    if told["withdraw_up_to"]:
        rows.append(("withdraw up to", *(str(most or "-") for most in told["withdraw_up_to"])))
    yield Grid(
        "What to do, by hand and dealer's first card",
        ("hand", *told["columns"]),
        rows,
        words=range(1, len(told["columns"]) + 1),
    )
    yield (
        "H hit, S stand, D double, P split, B buy (or hit where that is over), b buy (or stand), L "
        "and l the same for the smallest sum, R surrender. S5H: stand, with five cards or more "
        "hit. The dealer's 10 is any card that counts 10."
    )
    if told["withdraw_up_to"]:
        yield "Withdraw: take the doubled part back from a hand of that total or less."
    departures = sorted(told["departures"], key=lambda one: -one["worth"])
    if departures:
        rest = sum(one["worth"] for one in departures[MOST_DEPARTURES:])
        yield Grid(
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
        if more := len(departures[MOST_DEPARTURES:]):
            yield f"{more} more are worth {percent(rest, 5)} of any wager together."
    yield whole_origin(told["origin"], None, ("Cards", f"a full shoe of {told['decks']} decks"))


def strangers_part(told: StrangersFigures) -> Iterator[Content]:
    """What others have published beside what was found."""
    yield Grid(
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
    for row in told["strangers"]:
        about = f"from {'; '.join(filter(None, (row['source'], row['why'])))}."
        yield f"{row['title']}, {row['decks']} decks: {about}"
    if told["missing"]:
        yield cut(told["whole"], told["missing"]).strip()
    yield whole_origin(told["origin"], None, ("Rounds", f"{told['rounds']:,} each"))
