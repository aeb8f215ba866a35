"""The result of ``simulate`` as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from controller.draw.odds import percent
from controller.forms.json_values import JsonObject, checked
from controller.plain_text import columns
from figures.rounds.figures import SHOES_TO_JUDGE, WagerFigures

PLAYERS: Final = {
    "kernel": "the kernel",
    "rounds": "the table's own rounds",
}
"""Who plays, by ``played_by``."""


def page(figures: JsonObject) -> Iterator[str]:
    """The lines of the page."""
    yield (
        f"{figures['rules']}: {figures['rounds']} rounds of {figures['boxes']} boxes, "
        f"{figures['decks']} decks, cutting card at {figures['penetration_percent']} %, "
        f"{figures['shoes']} shoes"
    )
    insured = ", always insured" if figures["insured"] else ""
    yield f"  strategy {figures['strategy']}{insured}, seed {figures['seed']}"
    yield f"  played by {PLAYERS[str(figures['played_by'])]}"
    yield ""
    wagers = checked(dict[str, WagerFigures], figures["wagers"])
    yield columns(_wagers(wagers), right=range(1, 8))
    yield ""
    yield "  In percent of what was staked before the deal; +/- is 1.96 standard errors."
    if checked(int, figures["shoes"]) < SHOES_TO_JUDGE:
        yield f"  Of fewer than {SHOES_TO_JUDGE} shoes that is itself uncertain, perhaps too small."
    if uncounted := [kind for kind, wager in wagers.items() if not wager["results"]]:
        yield f"  By which odds {', '.join(uncounted)} were won is not counted: see --by rounds."
    yield from _exact(wagers)
    for kind, wager in wagers.items():
        if not wager["results"]:
            continue
        yield ""
        yield f"{kind}, of {wager['count']}"
        yield columns(_results(kind, wager["results"]), right=(1, 2))
    if multipliers := checked(dict[str, int], figures["multipliers"]):
        drawn = sum(multipliers.values())
        yield ""
        yield f"multipliers, of {drawn}"
        yield columns(
            [(f"{n} to 1", c, _share(100 * c / drawn)) for n, c in multipliers.items()],
            right=(0, 1, 2),
        )
    yield ""
    yield "frequencies"
    yield columns(
        [
            (name, seen["count"], f"of {seen['of']}", _share(seen["share_percent"]))
            for name, seen in checked(dict[str, dict[str, float]], figures["frequencies"]).items()
        ],
        right=(1, 2, 3),
    )


def _wagers(wagers: Mapping[str, WagerFigures]) -> Iterator[tuple[object, ...]]:
    yield "wager", "placed", "staked", "net", "returns", "house edge", "+/-", "of all wagered"
    for kind, wager in wagers.items():
        interval = wager["interval_percent"]
        yield (
            kind,
            wager["count"],
            wager["staked"],
            wager["net"],
            _share(wager["return_percent"]),
            _share(wager["house_edge_percent"]),
            _share((interval[1] - interval[0]) / 2) if interval else "-",
            _share(wager["house_edge_of_wagered_percent"]),
        )


def _exact(wagers: Mapping[str, WagerFigures]) -> Iterator[str]:
    rows: list[tuple[object, ...]] = []
    for kind, wager in wagers.items():
        if (exact := wager["exact"]) is None:
            continue
        off = wager["sigmas"]
        rows.append(
            (
                kind,
                f"{wager['chance_percent']:.4f} %" if "chance_percent" in wager else "-",
                f"{exact['chance_percent']:.4f} %",
                _off(off["chance"]),
                _share(wager["house_edge_percent"]),
                percent(Fraction(exact["house_edge"])),  # rounded once, as `draw odds` does
                _off(off["house_edge"]),
            )
        )
    if rows:
        yield ""
        yield "beside the exact figures of a full shoe"
        head = ("wager", "won", "exactly", "off by", "house edge", "exactly", "off by")
        yield columns([head, *rows], right=range(1, 7))


def _results(
    wager: str, results: list[dict[str, object]]
) -> Iterator[tuple[object, object, object]]:
    for result in results:
        outcome, odds, kind = (str(result[key] or "") for key in ("outcome", "odds", "kind"))
        name = " ".join(filter(None, (outcome.replace("_", "-"), odds)))
        if kind != wager:
            name = f"{kind.replace('_', ' ')}: {name}"
        yield name, result["count"], _share(checked(float, result["share_percent"]))


def _share(percent: float) -> str:
    return f"{percent:.3f} %"


def _off(sigmas: float | None) -> str:
    return "-" if sigmas is None else f"{sigmas:+.1f} sigma"
