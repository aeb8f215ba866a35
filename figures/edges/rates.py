"""How often each thing happens, and among how many: all that the kernel has seen.

A *hand* is each that a box has at the end: its first, Pontoons too, and those of splits. So there
are more hands than boxes, as at the table's own rounds.
"""

from __future__ import annotations

from typing import Final

from controller.game.rules.schema import RuleSet
from figures.edges.results import HappeningRate
from figures.games.games import Played
from figures.kernel import seen
from figures.kernel.blocks import ROUNDS
from figures.kernel.words import LINES, MOST

STANDS_FROM: Final = 17
OF_OTHERS: Final = {
    seen.BUST: "hands",
    seen.DOUBLED: "hands",
    seen.WITHDRAWN: "doubled hands",
    seen.BOUGHT: "hands",
    seen.ROYAL: "hands",
}
"""What has a happening that is not one of boxes."""


def rates_of(rules: RuleSet, boxes: int, played: Played) -> list[HappeningRate]:
    """Everything that may happen by the rules where ``boxes`` boxes play."""
    counts, rounds = played.seen, played.tally[ROUNDS]
    dealer = counts[seen.DEALER :]
    plays = rounds - dealer[seen.DEALER_IDLE]
    hands = rounds * boxes + counts[seen.SPLIT]
    rows = [
        (name, hands if place == seen.HAND else counts[place], OF_OTHERS.get(place, "boxes"))
        for place, name in seen.NAMES.items()
    ]
    rows += [
        (f"21, {line}", counts[seen.LINE + place], "hands")
        for place, line in enumerate(LINES if not rules.trick else ())
    ]
    rows.append(("dealer plays", plays, "rounds"))
    rows += [
        (name, count, "dealer plays")
        for name, count in (
            ("dealer pontoon", dealer[seen.DEALER_PONTOON]),
            ("dealer trick", dealer[seen.DEALER_TRICK]),
            ("dealer below 17", sum(dealer[:STANDS_FROM])),
            *((f"dealer {total}", dealer[total]) for total in range(STANDS_FROM, MOST + 1)),
            ("dealer busts", sum(dealer[MOST + 1 : seen.DEALER_PONTOON])),
        )
    ]
    wholes = {
        "boxes": rounds * boxes,
        "hands": hands,
        "doubled hands": counts[seen.DOUBLED],
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
