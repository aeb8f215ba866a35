"""How often each thing happens, and among how many: all that the kernel has seen.

A *hand* is each that a box has at the end: its first, Pontoons too, and those of splits. So there
are more hands than boxes, as at the table's own rounds.
"""

from __future__ import annotations

from typing import Final

from controller.game.rules.schema import RuleSet
from figures.edges.results import HappeningRate
from figures.games.games import Played
from figures.kernel import tallies
from figures.kernel.blocks import ROUNDS
from figures.kernel.words import LINES, MOST

STANDS_FROM: Final = 17
OF_OTHERS: Final = {
    tallies.BUST: "hands",
    tallies.DOUBLED: "hands",
    tallies.WITHDRAWN: "doubled hands",
    tallies.BOUGHT: "hands",
    tallies.ROYAL: "hands",
}
"""What has a happening that is not one of boxes."""


def rates_of(rules: RuleSet, boxes: int, played: Played) -> list[HappeningRate]:
    """Everything that may happen by the rules where ``boxes`` boxes play."""
    counts, rounds = played.seen, played.tally[ROUNDS]
    dealer = counts[tallies.DEALER :]
    plays = rounds - dealer[tallies.DEALER_IDLE]
    hands = rounds * boxes + counts[tallies.SPLIT]
    rows = [
        (name, hands if place == tallies.HAND else counts[place], OF_OTHERS.get(place, "boxes"))
        for place, name in tallies.NAMES.items()
    ]
    rows += [
        (f"21, {line}", counts[tallies.LINE + place], "hands")
        for place, line in enumerate(LINES if not rules.trick else ())
    ]
    rows.append(("dealer plays", plays, "rounds"))
    rows += [
        (name, count, "dealer plays")
        for name, count in (
            ("dealer pontoon", dealer[tallies.DEALER_PONTOON]),
            ("dealer trick", dealer[tallies.DEALER_TRICK]),
            ("dealer below 17", sum(dealer[:STANDS_FROM])),
            *((f"dealer {total}", dealer[total]) for total in range(STANDS_FROM, MOST + 1)),
            ("dealer busts", sum(dealer[MOST + 1 : tallies.DEALER_PONTOON])),
        )
    ]
    wholes = {
        "boxes": rounds * boxes,
        "hands": hands,
        "doubled hands": counts[tallies.DOUBLED],
        "rounds": rounds,
        "dealer plays": plays,
    }
    return [
        HappeningRate(
            name=name,
            count=count,
            of=of,
            of_count=wholes[of],
            share=count / wholes[of] if wholes[of] else 0.0,
        )
        for name, count, of in rows
    ]
