"""The money of a round, calculated again from what a player would see: wagers, settlements,
meter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

CENT = Decimal("0.01")
UNCHANGED = ("stand_off", "returned", "void")


def wrong_lines(lines: Sequence[Mapping[str, Any]], multiplier: int | None) -> Iterator[str]:
    """What is wrong with settlements: ``multiplier`` is the last one drawn. A win pays its odds, a
    loss costs its stake at most, a stand-off nothing, and a Pandemonium wager what was drawn."""
    for line in lines:
        where = f"box {line['box']}{line['bettor']} {line['kind']}"
        if line["stake"] is None or line["net"] is None:
            continue
        stake, net = Decimal(line["stake"]), Decimal(line["net"])
        if line["outcome"] == "win":
            pays, to = map(int, line["odds"].split(":"))
            if abs(net - stake * pays / to) >= CENT:
                yield f"{where}: {stake} at {line['odds']} is not {net}"
            if line["kind"] == "pandemonium" and pays != multiplier:
                yield f"{where}: is paid {pays}x, drawn was {multiplier}x"
        elif line["outcome"] == "lose" and net != -stake:
            yield f"{where}: {stake} is lost, and {net} is settled"
        elif line["outcome"] in UNCHANGED and net:
            yield f"{where}: {stake} is {line['outcome']}, and {net} is settled"


def unsettled(state: Mapping[str, Any]) -> Iterator[str]:
    """The wagers of a round that is over for which nothing was settled."""
    settled = {(line["box"], line["bettor"], line["kind"]) for line in state["settlements"]}
    for number, box in state["boxes"].items():
        for bettor, placed in box["wagers"].items():
            for kind in placed:
                if (int(number), bettor, kind) not in settled:
                    yield f"box {number}{bettor}: nothing is settled for its {kind} wager"
