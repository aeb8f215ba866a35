"""The part of a report on one game: what the house keeps of each wager, and how often what
happens."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Final

from controller.game.round.money import write_amount
from figures.edges.results import ButtonFigures, EdgeFigures, SuperBonusFigures
from figures.report.figure import NONE, again, cut, error, figure, grid, percent, whole_origin
from figures.report.pictures import bars, convergence
from figures.rounds.figures import WITHIN_95

MOST_UNITS: Final = 12
"""Of a round's net that are drawn either way."""


def edge_part(told: EdgeFigures, name: str) -> Iterator[str]:
    """Its elements; ``name`` is unlike that of any other part."""
    origin, main = told["origin"], told["main"]
    per, wagered = main["per_initial"], main["per_wagered"]
    yield (
        f"<p>Of every 100 staked before the deal on the main game the house keeps "
        f"<strong>{100 * per['edge']:.3f}</strong>, and of every 100 put down in all, with doubles,"
        f" splits and bought cards, <strong>{100 * wagered['edge']:.3f}</strong>. So it was in "
        f"{told['rounds']:,} rounds with {told['hands']:,} hands.{cut(told['whole'])}</p>"
    )
    yield grid(
        "Main game without the Super Bonus: what the house keeps",
        ("edge", "of the wager", "standard error"),
        [
            ("per initial wager", percent(per["edge"]), error(per)),
            ("per amount wagered", percent(wagered["edge"]), error(wagered)),
        ],
    )
    yield again(origin)
    yield (
        f"<p>To 1 staked before the deal {main['wagered']:.4f} were wagered in all. The variance of"
        f" a round is {main['variance_of_round']:.4f} units squared.</p>"
    )
    yield from _convergence(told, name)
    yield from _wagers(told)
    if told["button"]:
        yield from _button(told, told["button"])
    if told["super_bonus"]:
        yield from _super_bonus(told, told["super_bonus"])
    yield from _rounds(told, name)
    yield "<h3>What gives these figures again</h3>"
    yield whole_origin(
        origin, told["setting"], ("Rounds", f"{told['rounds']:,} of {told['shoes']:,} shoes")
    )


def _convergence(told: EdgeFigures, name: str) -> Iterator[str]:
    per, rounds = told["main"]["per_initial"], told["rounds"]
    last = per["standard_error"]
    if last is None or len(told["convergence"]) < 2:
        return
    said = (
        f"The main edge per initial wager while the run went on: {percent(per['edge'])} at its "
        f"end, give or take {percent(WITHIN_95 * last)}. The band holds it in 95 of 100 runs."
    )
    points = [
        (int(count), 100 * edge, 100 * last * sqrt(rounds / count))
        for count, edge in told["convergence"]
    ]
    yield figure(convergence(f"{name}-points", said, points), said, told["origin"])


def _wagers(told: EdgeFigures) -> Iterator[str]:
    sides = [*told["sides"], *([told["button"]["wager"]] if told["button"] else [])]
    if sides:
        yield grid(
            "Side wagers: what the house keeps",
            ("wager", "exactly", "as a fraction", "won", "by this run", "standard error"),
            [
                (
                    side["kind"],
                    percent(side["exact"]["edge"]),
                    side["exact"]["edge_exactly"],
                    percent(side["exact"]["chance"]),
                    percent(side["simulated"]["edge"]) if told["setting"]["sides"] else NONE,
                    error(side["simulated"]),
                )
                for side in sides
            ],
        )
        yield again(told["origin"])
    if told["insurance"]:
        yield grid(
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
        yield again(told["origin"])


def _button(told: EdgeFigures, button: ButtonFigures) -> Iterator[str]:
    yield grid(
        "Multipliers of the button's wager",
        ("multiplier", "chance by weight", "drawn", "part of all returned"),
        [
            (
                f"{one['multiplier']} to 1",
                percent(one["chance"]),
                f"{one['drawn']:,}",
                percent(one["part_of_return"]),
            )
            for one in button["multipliers"]
        ],
    )
    yield again(told["origin"])
    yield (
        f"<p>Of 100 wagered {100 * button['returned']:.3f} come back; multipliers that were drawn "
        f"pay {percent(button['draw_share'])} of that.</p>"
    )


def _super_bonus(told: EdgeFigures, bonus: SuperBonusFigures) -> Iterator[str]:
    main = told["main"]["per_initial"]["edge"]
    if not bonus["chance"]:
        by_splits = bonus["suits"] is None
        why = "Where it may come by splits it has no exact chance." if by_splits else ""
        yield f"<p>This policy does not play for the Super Bonus. {why}</p>"
        return
    yield grid(
        f"Super Bonus, with a chance of {bonus['chance_exactly']}: it lowers the main edge",
        ("stake", "bonus", "lowers by", "shares of others' by", "main edge with both"),
        [
            (
                write_amount(one["stake"]) or NONE,
                write_amount(one["bonus"]) or NONE,
                percent(one["bonus_per_initial"]),
                percent(one["shares_per_initial"]),
                percent(main - one["bonus_per_initial"] - one["shares_per_initial"]),
            )
            for one in bonus["brackets"]
        ],
    )
    yield again(told["origin"])
    if bonus["expected"] is not None:
        yield (
            f"<p>This run met it {bonus['simulated']:,} times; expected were "
            f"{bonus['expected']:,.1f}.</p>"
        )


def _rounds(told: EdgeFigures, name: str) -> Iterator[str]:
    if told["rates"]:
        yield grid(
            "How often it happened",
            ("what", "share", "counted", "of all"),
            [
                (one["name"], percent(one["share"], 4), f"{one['count']:,}", one["of"])
                for one in told["rates"]
                if one["count"]
            ],
            words=(3,),
        )
        yield again(told["origin"])
    shares = [(halves / 2, 100 * n / told["rounds"]) for halves, n in told["distributions"]["main"]]
    shown = [(net, share) for net, share in shares if share and abs(net) <= MOST_UNITS]
    if shown:
        beyond = 100 - sum(share for _, share in shown)
        said = "What a round brings the players on main wagers, in units of one."
        if beyond > 1e-9:
            said += f" {beyond:.2g} % of rounds lie beyond {MOST_UNITS} units."
        svg = bars(f"{name}-net", said, shown, "net of a round, units")
        yield figure(svg, said, told["origin"])
