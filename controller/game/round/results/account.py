"""What lies on the table and is not settled, and what was told of it: for each bettor, at any
moment of a round.

- What lies is read off the wagers, the sums off what was told. So each is a check of the other.
- A sum is not known as soon as one of its summands is not.
- A wager that counts for less than was placed (:mod:`~.irregular.limiting`) lies with what it
  counts for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from controller.game.money import Stake, write_amount
from controller.game.round.model import BETTORS, BettorKey, Hand, Settlement
from controller.game.round.result_fields import BettorsAccount
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.wagers import MAIN, Sheet

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
    for bettor in BETTORS:
        bet = hand.bets.get(bettor)
        if bet is None or not bet.open:
            continue
        yield Lying(hand.box, bettor, hand.number, MAIN, bet.stake)
        if bet.doubled:
            yield Lying(hand.box, bettor, hand.number, DOUBLE, bet.double)
        for bought in bet.buys:
            yield Lying(hand.box, bettor, hand.number, BOUGHT, bought)


def account(rnd: Round, owed: Iterable[Settlement]) -> list[BettorsAccount]:
    """Of everybody who has, or had, a wager or insurance in the round, by box and letter; ``owed``:
    the settlements that are due at this moment."""
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


def account_of_bets(sheet: Sheet) -> list[BettorsAccount]:
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
