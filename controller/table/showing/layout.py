"""What lies at a box, in words: on its hands, beside them, and who has insured what.

A controller of before did not tell what lies on a hand: then the wagers as they were placed are all
that there is to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from controller.game.round.results import Totals, hand_totals, signed
from controller.table.showing.status_fields import ShownBox, ShownHand, Status

Placed = Mapping[str, str | None]
"""Amounts by kind; None where none was given."""

MAIN = "main"
NO_HAND: Final = ShownHand(cards="", total=0)


def plain_amount(amount: str | None) -> str:
    """A stake without cents where it has none; ``on`` where no amount was given."""
    return "on" if amount is None else amount.removesuffix(".00")


def on_hand(hand: ShownHand) -> dict[str, dict[str, str | None]]:
    """What lies on the hand, by bettor and kind."""
    return hand.get("stakes", {})


def beside(box: ShownBox) -> dict[str, dict[str, str | None]]:
    """What lies at the box and on no hand, by bettor and kind: side wagers, and main wagers while
    there are no hands."""
    told = any("stakes" in hand for hand in box.get("hands", []))
    found = {
        bettor: {kind: amount for kind, amount in placed.items() if kind != MAIN or not told}
        for bettor, placed in box.get("wagers", {}).items()
    }
    return {bettor: placed for bettor, placed in found.items() if placed}


def insured(box: ShownBox) -> Iterator[str]:
    """Each insurance: ``b insures 1a 25``."""
    for taker, taken in box.get("insurance", {}).items():
        for one in taken:
            yield f"{taker} insures {one['of']} {plain_amount(one['amount'])}"


def marks(hand: ShownHand) -> str:
    """The marks of a hand that its cards do not show."""
    seen = [mark for mark in hand.get("marks", []) if mark not in ("pontoon", "bust")]
    return ", ".join(seen)


def at_hand(box: ShownBox, number: int) -> str:
    """What lies on a hand of the box, by its number from 1, and what it is marked with; with the
    first one what lies beside the hands, insurance, and who is not there."""
    hands = box.get("hands", [])
    hand = hands[number - 1] if number <= len(hands) else NO_HAND
    return _joined([_placed(on_hand(hand)), marks(hand), _beside(box) if number == 1 else ""])


def at_box(box: ShownBox) -> str:
    """The same for all hands, each behind its number where there are several."""
    hands = box.get("hands", [])
    told = [_joined([_placed(on_hand(hand)), marks(hand)]) for hand in hands]
    if len(hands) > 1:
        told = [f"hand {number} {one}" for number, one in enumerate(told, 1) if one]
    return _joined([*told, _beside(box)])


def _beside(box: ShownBox) -> str:
    away = f"not there: {', '.join(box['absent'])}" if box.get("absent") else ""
    return _joined([_placed(beside(box)), *insured(box), away])


def _placed(lies: Mapping[str, Placed]) -> str:
    return _joined(
        f"{bettor}: " + ", ".join(f"{kind} {amount or 'on'}" for kind, amount in placed.items())
        for bettor, placed in lies.items()
    )


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)


def sums(box: ShownBox) -> list[str]:
    """What each bettor has lying in all, in how many wagers, and how many beside have no amount;
    ``on`` where none has one."""
    lie: dict[str, list[str | None]] = {}
    for bettor, placed in beside(box).items():
        lie.setdefault(bettor, []).extend(placed.values())
    for hand in box.get("hands", []):
        for bettor, placed in on_hand(hand).items():
            lie.setdefault(bettor, []).extend(placed.values())
    for taker, taken in box.get("insurance", {}).items():
        lie.setdefault(taker, []).extend(one["amount"] for one in taken)
    return [_sum(bettor, amounts) for bettor, amounts in sorted(lie.items())]


def _sum(bettor: str, stakes: list[str | None]) -> str:
    amounts = [Decimal(amount) for amount in stakes if amount is not None]
    without = len(stakes) - len(amounts)
    count = len(amounts) or without
    many = f" in {count}" if count > 1 else ""
    more = f" + {without} without a sum" if amounts and without else ""
    return f"{bettor} {f'{sum(amounts):.2f}' if amounts else 'on'}{many}{more}"


def shown_hands(state: Mapping[str, Any]) -> tuple[str, Totals]:
    """The dealer's cards and the players' totals of a status or an answer, where it has them."""
    hands = {number: box["hands"] or [] for number, box in (state.get("boxes") or {}).items()}
    return (state.get("dealer") or {}).get("cards") or "", hand_totals(hands)


def closing(state: Status) -> Iterator[str]:
    """The closing account: what the round has come to for each bettor, and for the house. Nothing
    while a wager lies that is not settled."""
    accounts = state.get("account") or []
    if not accounts or any(Decimal(one["at_stake"] or 1) for one in accounts):
        return
    nets = [one["net"] for one in accounts]
    told = [f"{one['box']}{one['bettor']} {signed(one['net'])}" for one in accounts]
    yield f"ROUND {state.get('round')} CAME TO {', '.join(told)}"
    if None not in nets:
        yield f"the house {signed(f'{-sum(Decimal(net or 0) for net in nets):.2f}')}"


def hand_name(box: object, number: int) -> str:
    """A hand by its box and its number from 1: ``box 3``, the second one there ``box 3.2``."""
    return f"box {box}" if number == 1 else f"box {box}.{number}"


def hand_rows(
    boxes: Mapping[str, ShownBox], turn: Mapping[str, int] | None
) -> Iterator[tuple[str, bool, ShownHand, str]]:
    """Each hand, and each box without one: its name, whether it is in turn, the hand, and what lies
    there and is marked (:func:`at_hand`)."""
    for number, box in boxes.items():
        for at, hand in enumerate(box.get("hands") or [NO_HAND], 1):
            mine = turn is not None and (turn.get("box"), turn.get("hand")) == (int(number), at)
            yield hand_name(number, at), mine, hand, at_hand(box, at)
