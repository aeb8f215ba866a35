"""What is owed at the table, in words: every settlement in the order in which it is settled, then
what is to be paid and taken at each box now, and what the round has come to for its bettors so far.
Where no amount was entered the odds are said alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from controller.game.round.result_fields import BettorsAccount, HandResult, SettlementResult
from controller.game.round.state import Round
from controller.game.rules.cards import parse_card, write_cards
from controller.game.rules.hands import BUST_ABOVE, is_pontoon

TAKEN = frozenset({"lose", "withdrawn", "surrendered"})
"""Outcomes by which a wager, or half of it, is taken."""

NOTHING = frozenset({"stand_off", "returned"})
"""Outcomes by which nothing is paid or taken, whatever the amount."""

DEALERS_PONTOON = "the dealer has a Pontoon"


Totals = Mapping[tuple[int, int], int]
"""What hands come to, by box and hand number."""

COMPARED = frozenset({"main", "split", "double", "buy"})
"""Kinds of wagers on a hand that is compared with the dealer's."""


def owed_lines(
    settlements: Sequence[SettlementResult],
    accounts: Sequence[BettorsAccount] = (),
    dealer: str = "",
    totals_of: Totals | None = None,
) -> list[str]:
    """A line for each settlement, and one for each box with its totals; with ``accounts`` another
    for each bettor of these boxes. ``dealer`` are the dealer's cards, ``totals_of`` the hands'
    totals, from which it is known why a wager was lost."""
    lines = [
        f"box {one['box']}{one['bettor']} hand {one['hand']} {one['kind']}: "
        f"{'; '.join(filter(None, (deed(one), because(one, dealer, totals_of))))} "
        f"({one['clause']})"
        for one in settlements
    ]
    lines += [f"box {box} now: {said}" for box, said in totals(settlements)]
    return [*lines, *(f"{who}: {net}" for who, net in in_the_round(settlements, accounts))]


def in_the_round(
    settlements: Iterable[SettlementResult], accounts: Iterable[BettorsAccount]
) -> list[tuple[str, str]]:
    """What the round has come to so far, in all, for each bettor of the boxes that ``settlements``
    are of: ``("1a in the round", "+20.00")``."""
    boxes = {one["box"] for one in settlements}
    return [
        (f"{one['box']}{one['bettor']} in the round", signed(one["net"]))
        for one in accounts
        if one["box"] in boxes
    ]


def signed(net: str | None) -> str:
    """A sum with its sign, as seen by the bettor."""
    return "by the odds" if net is None else net if net.startswith("-") else f"+{net}"


def because(one: SettlementResult, dealer: str, totals_of: Totals | None) -> str:
    """Why a wager is lost that had not been lost before: the dealer's Pontoon, against which a
    surrender is void, too; empty where it is another reason, or not known."""
    total = (totals_of or {}).get((one["box"], one["hand"]))
    if one["outcome"] != "lose" or one["kind"] not in COMPARED or total is None:
        return ""
    cards = [] if "?" in dealer else [parse_card(name) for name in dealer.split()]
    return DEALERS_PONTOON if is_pontoon(cards) and total <= BUST_ABOVE else ""


def hand_totals(boxes: Mapping[str, Sequence[HandResult]]) -> Totals:
    """The totals of all hands, by box and number."""
    return {
        (int(box), number): hand["total"]
        for box, hands in boxes.items()
        for number, hand in enumerate(hands, 1)
    }


def of_round(rnd: Round) -> tuple[str, Totals]:
    """The dealer's cards and the hands' totals, as :func:`because` takes them."""
    return write_cards(rnd.dealer), {(hand.box, hand.number): hand.total for hand in rnd.hands}


def deed(one: SettlementResult) -> str:
    """What the dealer does about a settlement: ``pay 25.00 at 1:1``, ``take 10.00``."""
    outcome, stake, net = one["outcome"], one["stake"], one["net"]
    at = f" at {one['odds']}" if one["odds"] else ""
    if outcome == "win":
        return f"pay {net}{at}" if net else f"pay{at}"
    if outcome in TAKEN:
        part = "half of the wager" if outcome == "surrendered" else "the wager"
        return f"take {_plain(net)}" if net else f"take {part}"
    if outcome == "reversed":
        if net is None:
            return "undo what was done"
        return f"take back {_plain(net)}" if net.startswith("-") else f"give back {net}"
    if outcome == "returned":
        return f"return {stake}" if stake else "return the wager"
    return "stand-off"


def totals(settlements: Iterable[SettlementResult]) -> list[tuple[int, str]]:
    """What is to be paid and taken at each box, in the order in which the boxes come first."""
    sums: dict[int, list[Decimal]] = {}
    unknown: set[int] = set()
    for one in settlements:
        paid_taken = sums.setdefault(one["box"], [Decimal(0), Decimal(0)])
        if one["net"] is None:
            if one["outcome"] not in NOTHING:
                unknown.add(one["box"])
            continue
        net = Decimal(one["net"])
        paid_taken[net < 0] += abs(net)
    return [(box, _total(*both, by_odds=box in unknown)) for box, both in sums.items()]


def _total(pay: Decimal, take: Decimal, *, by_odds: bool) -> str:
    words = [f"pay {pay:.2f}"] if pay else []
    words += [f"take {take:.2f}"] if take else []
    words += ["what the odds say"] if by_odds else []
    return ", ".join(words) or "nothing either way"


def _plain(net: str) -> str:
    return net.removeprefix("-")
