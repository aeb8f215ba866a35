"""The part of a report on one game: what the house keeps of each wager, and how often what
happens."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Final

from controller.game.commands.values import write_amount
from figures.edges.results import ButtonFigures, EdgeFigures, SuperBonusFigures
from figures.report.figure import (
    NONE,
    Content,
    Grid,
    PictureToDraw,
    cut,
    error,
    percent,
    sigmas,
    whole_origin,
)
from figures.rounds.figures import SHOES_TO_JUDGE, WITHIN_95

MOST_UNITS: Final = 12
"""Of a round's net that are drawn either way."""


def edge_part(told: EdgeFigures) -> Iterator[Content]:
    """What it says."""
    origin, main = told["origin"], told["main"]
    per, wagered = main["per_initial"], main["per_wagered"]
    yield (
        f"Of every 100 staked before the deal on the main game the house keeps "
        f"{100 * per['edge']:.3f}, and of every 100 put down in all, with doubles, splits and "
        f"bought cards, {100 * wagered['edge']:.3f}. So it was in {told['rounds']:,} rounds with "
        f"{told['hands']:,} hands.{cut(told['whole'])}"
    )
    yield Grid(
        "Main game without the Super Bonus: what the house keeps",
        ("edge", "of the wager", "standard error"),
        [
            ("per initial wager", percent(per["edge"]), error(per)),
            ("per amount wagered", percent(wagered["edge"]), error(wagered)),
        ],
    )
    if told["shoes"] < SHOES_TO_JUDGE:
        yield (
            f"Of {told['shoes']} shoes, fewer than {SHOES_TO_JUDGE}: the standard errors are "
            "themselves uncertain, and may be too small."
        )
    yield (
        f"To 1 staked before the deal {main['wagered']:.4f} were wagered in all. The variance of a "
        f"round is {main['variance_of_round']:.4f} units squared, divided by the number of boxes "
        f"{main['variance_per_box']:.4f}."
    )
    yield from _convergence(told)
    yield from _wagers(told)
    if told["button"]:
        yield from _button(told, told["button"])
    if told["super_bonus"]:
        yield from _super_bonus(told, told["super_bonus"])
    yield from _rounds(told)
    yield whole_origin(
        origin, told["setting"], ("Rounds", f"{told['rounds']:,} of {told['shoes']:,} shoes")
    )


def _convergence(told: EdgeFigures) -> Iterator[Content]:
    per, rounds = told["main"]["per_initial"], told["rounds"]
    last = per["standard_error"]
    if last is None or len(told["convergence"]) < 2:
        return
    said = (
        f"The main edge per initial wager while the run went on: {percent(per['edge'])} at its "
        f"end (dashed), give or take {percent(WITHIN_95 * last)}. The band holds it in 95 of 100 "
        "runs."
    )
    points = [
        (int(count), 100 * edge, 100 * last * sqrt(rounds / count))
        for count, edge in told["convergence"]
    ]
    yield PictureToDraw("convergence", said, (points,))


def _wagers(told: EdgeFigures) -> Iterator[Content]:
    sides = [*told["sides"], *([told["button"]["wager"]] if told["button"] else [])]
    if sides:
        yield Grid(
            "Side wagers: what the house keeps",
            ("wager", "exactly", "as a fraction", "won", "by this run", "standard error", "off by"),
            [
                (
                    side["kind"],
                    percent(side["exact"]["edge"]),
                    side["exact"]["edge_exactly"],
                    percent(side["exact"]["chance"]),
                    percent(side["simulated"]["edge"]) if told["setting"]["sides"] else NONE,
                    error(side["simulated"]),
                    sigmas(side["sigmas"]),
                )
                for side in sides
            ],
        )
        if told["setting"]["penetration_percent"]:
            yield (
                "A shoe played to its cutting card has more rounds where they take fewer cards, so "
                "its edges are not quite those of a full one; 'table-figures side' plays full ones."
            )
    if told["insurance"]:
        yield Grid(
            "Insurance, for one who looks at no card: what the house keeps",
            ("against", "exactly", "as a fraction", "won"),
            [
                (
                    one["against"],
                    percent(one["edge"]),
                    one["edge_exactly"],
                    percent(one["chance"]),
                )
                for one in told["insurance"]
            ],
        )


def _button(told: EdgeFigures, button: ButtonFigures) -> Iterator[Content]:
    yield Grid(
        "Multipliers of the button's wager",
        ("multiplier", "chance by weight", "drawn", "share of draws", "part of all returned"),
        [
            (
                f"{one['multiplier']} to 1",
                percent(one["chance"]),
                f"{one['drawn']:,}",
                NONE if one["share"] is None else percent(one["share"]),
                percent(one["part_of_return"]),
            )
            for one in button["multipliers"]
        ],
    )
    yield (
        f"Of 100 wagered {100 * button['returned']:.3f} come back; multipliers that were drawn pay "
        f"{percent(button['draw_share'])} of that."
    )


def _super_bonus(told: EdgeFigures, bonus: SuperBonusFigures) -> Iterator[Content]:
    main = told["main"]["per_initial"]["edge"]
    if not bonus["chance"]:
        by_splits = bonus["suits"] is None
        why = "Where it may come by splits it has no exact chance." if by_splits else ""
        yield f"This policy does not hit suited sevens for the Super Bonus. {why}".rstrip()
        return
    yield Grid(
        f"Super Bonus, with a chance of {bonus['chance_exactly']}, once in "
        f"{1 / bonus['chance']:,.0f} hands: it lowers the main edge",
        ("stake", "bonus", "lowers by", "shares of others' by", "main edge with both"),
        [
            (
                write_amount(one["stake"]) or NONE,
                write_amount(one["bonus"]) or NONE,
                percent(one["bonus_per_initial"], 4),
                percent(one["shares_per_initial"], 4),
                percent(main - one["bonus_per_initial"] - one["shares_per_initial"]),
            )
            for one in bonus["brackets"]
        ],
    )
    if bonus["expected"] is not None:
        yield (
            f"This run met it {bonus['simulated']:,} times; expected were "
            f"{bonus['expected']:,.1f}, off by {sigmas(bonus['sigmas'])}."
        )


def _rounds(told: EdgeFigures) -> Iterator[Content]:
    if told["rates"]:
        yield Grid(
            "How often it happened",
            ("what", "share", "counted", "of all"),
            [
                (one["name"], percent(one["share"], 4), f"{one['count']:,}", one["of"])
                for one in told["rates"]
                if one["count"]
            ],
            words=(3,),
        )
    shares = [(halves / 2, 100 * n / told["rounds"]) for halves, n in told["distributions"]["main"]]
    shown = [(net, share) for net, share in shares if share and abs(net) <= MOST_UNITS]
    if shown:
        beyond = 100 - sum(share for _, share in shown)
        said = "What a round brings the players on main wagers, in units of one."
        if beyond > 1e-9:
            said += f" {beyond:.2g} % of rounds lie beyond {MOST_UNITS} units."
        yield PictureToDraw("bars", said, (shown, "net of a round, units"))
