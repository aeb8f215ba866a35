"""What is shown of every box: its hands with what lies on them, its other wagers, its insurance.

What a hand is marked with, in the order of its letters:

=============== ==================================================================================
``bought``      a card was bought
``bust``        above 21
``doubled``     it was doubled
``pontoon``     an ace and a card that counts 10, where that is a Pontoon
``settled``     no wager on it is open
``split``       it is of a split
``surrendered`` a wager on it was surrendered
``void``        its wagers were returned
``withdrawn``   the doubled part of a wager on it was withdrawn
=============== ==================================================================================

Of a hand with a card that must not be shown neither ``pontoon`` nor ``bust`` is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.game.money import write_amount
from controller.game.round.model import Hand
from controller.game.round.results import INSURANCE, Lying, lying
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.wagers import MAIN
from controller.game.rules.hands import BUST_ABOVE
from controller.table.dealing import face_down
from controller.table.showing.status_fields import ShownBox, ShownHand
from controller.table.state.table import Table


def shown_boxes(table: Table, rnd: Round | None) -> dict[str, ShownBox]:
    """Every box with a wager, by number; ``rnd`` is the round with its cards as they are said to
    lie."""
    boxes: dict[str, ShownBox] = {}

    def shown_box(number: int) -> ShownBox:
        return boxes.setdefault(str(number), {"hands": [], "wagers": {}})

    lies = list(lying(rnd)) if rnd else []
    sheet = table.betting.sheet
    for number in sheet.boxes:
        wagers = shown_box(number)["wagers"]
        for kind in sheet.wagers:
            for bettor, stake in sheet.of_box(kind, number).items():
                if kind == MAIN or rnd is None or _lies(lies, number, bettor, kind):
                    wagers.setdefault(bettor, {})[kind] = write_amount(stake)
    for box in rnd.boxes.values() if rnd else ():
        assert rnd
        mine = [one for one in lies if one.box == box.number]
        shown_box(box.number)["hands"] = [_hand(table, rnd, hand, mine) for hand in box.by_number]
        if box.absent:
            shown_box(box.number)["absent"] = sorted(box.absent)
    for one in lies:
        if one.kind == INSURANCE:
            taken = shown_box(one.box).setdefault("insurance", {}).setdefault(one.bettor, [])
            taken.append({"of": one.of, "amount": write_amount(one.stake)})
    for number, bettor, kind, stake in table.betting.returned:
        back = shown_box(number).setdefault("returned", {}).setdefault(bettor, {})
        back[kind] = write_amount(stake)
    return boxes


def _lies(lies: Iterable[Lying], box: int, bettor: str, kind: str) -> bool:
    return any((one.box, one.bettor, one.kind) == (box, bettor, kind) for one in lies)


def _hand(table: Table, rnd: Round, hand: Hand, lies: Iterable[Lying]) -> ShownHand:
    seen = face_down.shown_hand(table, hand)
    stakes: dict[str, dict[str, int | None]] = {}
    for one in lies:
        if one.hand == hand.number:
            kinds = stakes.setdefault(one.bettor, {})
            before = kinds.get(one.kind, 0)  # of several bought cards the sum is shown
            known = before is not None and one.stake is not None
            kinds[one.kind] = (before or 0) + (one.stake or 0) if known else None
    return {
        **seen,
        "stakes": {
            bettor: {kind: write_amount(stake) for kind, stake in kinds.items()}
            for bettor, kinds in stakes.items()
        },
        "marks": _marks(rnd, hand, hidden="??" in seen["cards"]),
    }


def _marks(rnd: Round, hand: Hand, *, hidden: bool) -> list[str]:
    bets = hand.bets.values()
    found = {
        "bought": any(bet.buys for bet in bets),
        "bust": not hidden and hand.total > BUST_ABOVE,
        "doubled": hand.doubled,
        "pontoon": not hidden and hand.is_pontoon,
        "settled": not any(bet.open for bet in bets),
        "split": hand.split,
        "surrendered": any(bet.surrendered for bet in bets),
        "void": rnd.state == State.VOID or all(bet.given_back for bet in bets),
        "withdrawn": any(bet.withdrawn for bet in bets),
    }
    return [mark for mark, there in found.items() if there]
