"""What a round comes to, and what it has come to at any moment of it: the result object that tools
and floor systems read, each bettor's account, and what is owed at the table, in words.

- What lies on the table is read off the wagers, the sums off what was told. So each is a check of
  the other.
- A sum is not known as soon as one of its summands is not: then the odds are said alone.
- A wager that was limited (:mod:`~.irregular.lying_wagers`) lies with what it counts for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from controller.game.commands.values import Stake, write_amount
from controller.game.round import result_fields
from controller.game.round.model import BettorKey, Hand, Settlement
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.wagers import MAIN, Sheet
from controller.game.rules.cards import BUST_ABOVE, is_pontoon, parse_card, write_cards

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
    settlements: Sequence[result_fields.SettlementResult],
    accounts: Sequence[result_fields.BettorsAccount] = (),
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
    settlements: Iterable[result_fields.SettlementResult],
    accounts: Iterable[result_fields.BettorsAccount],
) -> list[tuple[str, str]]:
    """What it has come to for each bettor of these boxes: ``("1a in the round", "+20.00")``."""
    boxes = {one["box"] for one in settlements}
    return [
        (f"{one['box']}{one['bettor']} in the round", signed(one["net"]))
        for one in accounts
        if one["box"] in boxes
    ]


def signed(net: str | None) -> str:
    """A sum with its sign, as seen by the bettor."""
    return "by the odds" if net is None else net if net.startswith("-") else f"+{net}"


def because(one: result_fields.SettlementResult, dealer: str, totals_of: Totals | None) -> str:
    """Why a wager is lost that had not been lost before: the dealer's Pontoon, against which a
    surrender is void, too; empty where it is another reason, or not known."""
    total = (totals_of or {}).get((one["box"], one["hand"]))
    if one["outcome"] != "lose" or one["kind"] not in COMPARED or total is None:
        return ""
    cards = [] if "?" in dealer else [parse_card(name) for name in dealer.split()]
    return DEALERS_PONTOON if is_pontoon(cards) and total <= BUST_ABOVE else ""


def hand_totals(boxes: Mapping[str, Sequence[result_fields.HandResult]]) -> Totals:
    """The totals of all hands, by box and number."""
    return {
        (int(box), number): hand["total"]
        for box, hands in boxes.items()
        for number, hand in enumerate(hands, 1)
    }


def of_round(rnd: Round) -> tuple[str, Totals]:
    """The dealer's cards and the hands' totals, as :func:`because` takes them."""
    return write_cards(rnd.dealer), {(hand.box, hand.number): hand.total for hand in rnd.hands}


def deed(one: result_fields.SettlementResult) -> str:
    """What the dealer does about a settlement: ``pay 25.00 at 1:1``, ``take 10.00``."""
    outcome, stake, net = one["outcome"], one["stake"], one["net"]
    at = f" at {one['odds']}" if one["odds"] else ""
    if outcome == "win":
        return f"pay {net}{at}" if net else f"pay{at}"
    if outcome in TAKEN:
        part = "half of the wager" if outcome == "surrendered" else "the wager"
        return f"take {net.removeprefix('-')}" if net else f"take {part}"
    if outcome == "reversed":
        if net is None:
            return "undo what was done"
        return f"take back {net.removeprefix('-')}" if net.startswith("-") else f"give back {net}"
    if outcome == "returned":
        return f"return {stake}" if stake else "return the wager"
    return "stand-off"


def totals(settlements: Iterable[result_fields.SettlementResult]) -> list[tuple[int, str]]:
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


DOUBLE: Final = "double"
BOUGHT: Final = "bought"
INSURANCE: Final = "insurance"


class Lying(NamedTuple):
    """A wager, or a part of one, that lies on the table and is not settled. ``hand``: the number of
    the hand that it is on, 0 for a side wager and insurance. ``kind``: ``main`` (also the wager on
    an added hand), ``double``, ``bought`` (each card), the kind of a side wager, ``insurance`` with
    the wager that it is ``of``, as in ``1a``."""

    box: int
    bettor: str
    hand: int
    kind: str
    stake: Stake
    of: str = ""


def lying(rnd: Round) -> Iterator[Lying]:
    """All that lies: box by box, its hands in the order in which they were formed, then its side
    wagers; insurance last. On the table of a void round nothing lies: all went back."""
    if rnd.state == State.VOID:
        return
    settled = {(one.box, one.bettor, one.kind) for one in rnd.settlements}
    for box in rnd.boxes.values():
        for hand in box.by_number:
            yield from _on_hand(hand)
        for kind in box.sides:
            for bettor, stake in box.side(kind).items():
                if (box.number, bettor, kind) not in settled:
                    yield Lying(box.number, bettor, 0, kind, stake)
    for taker, owner in sorted(rnd.open_insurance):
        amount = rnd.insurance[taker, owner]
        yield Lying(*taker, 0, INSURANCE, amount, f"{owner[0]}{owner[1]}")


def _on_hand(hand: Hand) -> Iterator[Lying]:
    """What lies on a hand, by bettor."""
    for bettor, bet in sorted(hand.bets.items()):
        if not bet.open:
            continue
        yield Lying(hand.box, bettor, hand.number, MAIN, bet.stake)
        if bet.doubled:
            yield Lying(hand.box, bettor, hand.number, DOUBLE, bet.double)
        for bought in bet.buys:
            yield Lying(hand.box, bettor, hand.number, BOUGHT, bought)


def account(rnd: Round, owed: Iterable[Settlement]) -> list[result_fields.BettorsAccount]:
    """Of everybody with a wager or insurance in it, by box and letter; ``owed`` is due now."""
    lie = list(lying(rnd))
    now, told = list(owed), rnd.all_settlements
    everybody = {(box.number, bettor) for box in rnd.boxes.values() for bettor in box.bettors}
    everybody |= {taker for taker, _ in rnd.insurance}
    everybody |= {(one.box, one.bettor) for one in (*told, *now)}
    return [
        {
            "box": box,
            "bettor": bettor,
            "at_stake": _sum(one.stake for one in lie if (one.box, one.bettor) == (box, bettor)),
            "now": _net(now, (box, bettor)),
            "net": _net(told, (box, bettor)),
        }
        for box, bettor in sorted(everybody)
    ]


def account_of_bets(sheet: Sheet) -> list[result_fields.BettorsAccount]:
    """Of everybody who has a wager while bets are open: nothing was told yet."""
    placed: dict[BettorKey, list[Stake]] = {}
    for boxes in sheet.wagers.values():
        for box, bettors in boxes.items():
            for bettor, stake in bettors.items():
                placed.setdefault((box, bettor), []).append(stake)
    return [
        {"box": box, "bettor": bettor, "at_stake": _sum(stakes), "now": "0.00", "net": "0.00"}
        for (box, bettor), stakes in sorted(placed.items())
    ]


def _net(settlements: Iterable[Settlement], who: BettorKey) -> str | None:
    return _sum(one.net for one in settlements if (one.box, one.bettor) == who)


def _sum(amounts: Iterable[Stake]) -> str | None:
    known = list(amounts)
    return None if None in known else write_amount(sum(one for one in known if one is not None))


def round_result(rnd: Round, title: str) -> result_fields.RoundResult:
    """The result of a round that has ended.

    ``outcome`` (``settled`` or ``void``), the ``dealer``'s hand, every box's hands in the order in
    which they were formed, the settlements in order, and every bettor's ``net`` (None where an
    amount was not given).
    """
    return {
        "title": title,
        "rules": rnd.rules.id,
        "outcome": rnd.state,
        "dealer": {"cards": write_cards(rnd.dealer), "total": rnd.dealer_total},
        "boxes": {
            str(box.number): [
                {"cards": write_cards(hand.cards), "total": hand.total} for hand in box.by_number
            ]
            for box in rnd.boxes.values()
        },
        "settlements": [settlement.as_result() for settlement in rnd.all_settlements],
        "net": net_of(rnd),
    }


def net_of(rnd: Round) -> dict[str, str | None]:
    """The net win or loss of every bettor, by box and letter; None where an amount is not known."""
    told = rnd.all_settlements
    bettors = sorted({(one.box, one.bettor) for one in told})
    return {f"{box}{bettor}": _net(told, (box, bettor)) for box, bettor in bettors}


def settled_lines(rnd: Round | None) -> list[str]:
    """The settlements of the round so far, one line each, for a dealer to read."""
    if rnd is None:
        return []
    lines, known = [], of_round(rnd)
    for s in rnd.all_settlements:
        words = [s.outcome.replace("_", "-"), s.odds or "", write_amount(s.net) or ""]
        what = " ".join(word for word in words if word)
        if why := because(s.as_result(), *known):
            what += f", {why}"
        lines.append(f"box {s.box}{s.bettor} hand {s.hand} {s.kind}: {what} ({s.clause})")
    return lines
