"""Results as text. Edges and chances are in percent there, with what their last place needs: five
places of a fraction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.game.round.money import write_amount
from controller.plain_text import columns
from figures.edges.results import (
    ButtonFigures,
    Edge,
    EdgeFigures,
    Origin,
    Setting,
    ShiftFigures,
    SideFigures,
    SuperBonusFigures,
    ValueWorth,
    WorthFigures,
)


def edge_page(told: EdgeFigures) -> Iterator[str]:
    """A run's figures."""
    yield from main_part(told)
    if told["sides"] or told["button"]:
        yield ""
        yield from side_part(told)
    for insured in told["insurance"]:
        yield ""
        yield (
            f"insurance against {insured['against']}: won with {_share(insured['chance'])}, "
            f"house edge {_share(insured['edge'])}, exactly {insured['edge_exactly']}"
        )
    if told["super_bonus"]:
        yield ""
        yield from _super_bonus(told["super_bonus"])
    yield ""
    yield "how often"
    yield columns(
        [
            (rate["name"], rate["count"], _share(rate["share"]), f"of {rate['of']}")
            for rate in told["rates"]
            if rate["count"]
        ],
        right=(1, 2),
    )
    yield from _ending(told["origin"])


def main_part(told: EdgeFigures) -> Iterator[str]:
    """What was played, and the main wagers."""
    main = told["main"]
    ended = "" if told["whole"] else ", ended before all were played"
    yield (
        f"{told['origin']['rules']}: {told['rounds']} rounds, {told['hands']} boxes dealt, "
        f"{told['shoes']} shoes{ended}"
    )
    yield _setting(told["setting"])
    yield ""
    yield "main wagers, without the Super Bonus"
    yield columns(
        [
            ("house edge per initial unit", *_edge(main["per_initial"])),
            ("house edge per wagered unit", *_edge(main["per_wagered"])),
            ("wagered per initial unit", f"{main['wagered']:.5f}", ""),
            ("variance of a round, units squared", f"{main['variance_of_round']:.5f}", ""),
            ("the same by the number of boxes", f"{main['variance_per_box']:.5f}", ""),
        ],
        right=(1,),
    )


def side_part(told: EdgeFigures) -> Iterator[str]:
    """The side wagers, simulated and exact."""
    button = told["button"]
    sides = [*told["sides"], *([button["wager"]] if button else [])]
    head = ("side wager", "house edge", "", "of a full shoe", "exactly", "off by", "won with")
    yield columns([head, *map(_side, sides)], right=(1, 3, 5, 6))
    if told["setting"]["penetration_percent"]:
        yield "  A shoe played to its cutting card has more rounds where they take fewer cards, so"
        yield "  its edges are not quite those of a full one; 'table-figures side' plays full ones."
    if button:
        yield ""
        yield from _button(button)


def side_page(told: EdgeFigures) -> Iterator[str]:
    """A run's side wagers and Super Bonus."""
    yield from main_part(told)
    yield ""
    yield from side_part(told)
    if told["super_bonus"]:
        yield ""
        yield from _super_bonus(told["super_bonus"])
    yield from _ending(told["origin"])


def shift_page(told: ShiftFigures) -> Iterator[str]:
    """What a shift may bring."""
    yield f"{told['origin']['rules']}: a shift of {told['rounds']} rounds"
    yield _setting(told["setting"])
    yield ""
    rows = [
        ("staked by each box", _amount(told["stake"])),
        ("the house wins on average", _amount(told["mean"])),
        ("standard deviation", _amount(told["deviation"])),
        ("in 95 of 100 shifts at least", _amount(told["low"])),
        ("and at most", _amount(told["high"])),
        ("chance that it loses", _share(told["loses"])),
    ]
    rows += [
        (f"chance that it loses more than {_amount(loss)}", _share(chance))
        for loss, chance in told["loses_more_than"]
    ]
    yield columns(rows, right=(1,))
    yield "  Without the Super Bonus; rounds are taken to be independent of each other."
    yield from _ending(told["origin"])


def worth_page(told: WorthFigures) -> Iterator[str]:
    """What values are worth, the one that matters most first."""
    yield f"{told['origin']['rules']}: {told['rounds']} rounds of each change, by the same cards"
    yield _setting(told["setting"])
    anew = "made anew for each change" if told["policy_anew"] else "the same for each change"
    base = " ".join(_edge(told["base"]))
    yield f"  the policy is {anew}; house edge per initial unit as it is: {base}"
    yield ""
    rows = [
        (
            one["key"],
            one["value"],
            one["to"],
            *_edge(_of_change(one)),
        )
        for one in sorted(told["values"], key=lambda one: -abs(one["change"]))
        if one["change"]
    ]
    yield columns([("value", "is", "changed to", "house edge", ""), *rows], right=(3,))
    yield f"  {len(told['values']) - len(rows)} more made no difference to a main wager."
    yield from missing_part(told["missing"])
    yield from _ending(told["origin"])


def missing_part(missing: Sequence[str]) -> Iterator[str]:
    """What was not played to the end; nothing where all was."""
    if missing:
        yield ""
        yield f"Ended before all was played. Not whole: {'; '.join(missing)}"


def _of_change(one: ValueWorth) -> Edge:
    return {"edge": one["change"], "standard_error": one["standard_error"]}


def _setting(setting: Setting) -> str:
    insured = ", always insured" if setting["insured"] else ""
    weights = f", weights {setting['weights']}" if setting["weights"] else ""
    cut = setting["penetration_percent"]
    shoe = f"cutting card at {cut} %" if cut else "a new shoe for every round"
    return (
        f"  {setting['boxes']} boxes, {setting['decks']} decks, {shoe}, "
        f"policy {setting['policy']}{insured}{weights}"
    )


def _side(side: SideFigures) -> tuple[str, ...]:
    exact, off = side["exact"], side["sigmas"]
    return (
        side["kind"],
        *_edge(side["simulated"]),
        _share(exact["edge"]),
        exact["edge_exactly"],
        "-" if off is None else f"{off:+.1f} sigma",
        _share(exact["chance"]),
    )


def _button(button: ButtonFigures) -> Iterator[str]:
    yield (
        f"the draw: {_share(button['returned'])} of the button's wager comes back, "
        f"{_share(button['draw_share'])} of that by multipliers"
    )
    head = ("multiplier", "chance", "drawn", "simulated", "part of what comes back")
    rows = [
        (
            f"{one['multiplier']} to 1",
            _share(one["chance"]),
            str(one["drawn"]),
            "-" if one["share"] is None else _share(one["share"]),
            _share(one["part_of_return"]),
        )
        for one in button["multipliers"]
    ]
    yield columns([head, *rows], right=range(5))


def _super_bonus(bonus: SuperBonusFigures) -> Iterator[str]:
    if not bonus["chance"]:
        yield "Super Bonus: this policy does not hit suited sevens against a seven"
        if bonus["suits"] is None:
            yield "  by hands of a split it may come; that has no exact chance"
        return
    off = "-" if bonus["sigmas"] is None else f"{bonus['sigmas']:+.1f} sigma"
    yield (
        f"Super Bonus: one in {1 / bonus['chance']:.0f} boxes, exactly {bonus['chance_exactly']}; "
        f"simulated {bonus['simulated']}, expected {bonus['expected']:.1f}, off by {off}"
    )
    for one in bonus["brackets"]:
        yield (
            f"  {_amount(one['bonus'])} for a stake of {_amount(one['stake'])}: the house edge "
            f"there is less by {_share(one['bonus_per_initial'])}, and by "
            f"{_share(one['shares_per_initial'])} for shares"
        )


def _ending(origin: Origin) -> Iterator[str]:
    yield ""
    yield (
        f"seed {origin['seed']}, version {origin['version']}, rules {origin['rules_digest'][:12]}, "
        f"kernel {origin['kernel'][:12]}"
    )
    yield f"again: {origin['command']}"


def _edge(edge: Edge) -> tuple[str, str]:
    error = edge["standard_error"]
    return _share(edge["edge"]), "" if error is None else f"+/- {_share(error)}"


def _share(fraction: float) -> str:
    return f"{100 * fraction:.4f} %"


def _amount(cents: float) -> str:
    return write_amount(round(cents)) or ""
