"""Moments of a table that documents show and tests try: what a controller would say then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from controller.faults.catalogue import fault_of
from controller.forms.json_values import JsonObject
from controller.game.round.result_fields import BettorsAccount, SettlementResult
from controller.table.showing.status_fields import ShownBox, ShownHand, Status, StatusHold

NOW: Final = datetime(2026, 11, 24, 4, 2, 11, tzinfo=UTC)
SERIALS: Final = {
    "shoe": "SHOE-1001",
    "shuffler": "SHUFFLER-000",
    "jackpot": "JACKPOT-0001",
    "keypad": "KEYPAD-0001",
}


def _device(name: str, since_s: float = 11_000) -> JsonObject:
    """A device whose link has been up for so long."""
    since = (NOW - timedelta(seconds=since_s)).isoformat(timespec="milliseconds")
    firmware = "1.4.2 (2fd3f4a48f32bb02)"
    said = {"kind": name, "link": "up", "serial": SERIALS[name], "firmware": firmware}
    return said | {"last_event": 118, "reason": None, "faults": "", "refused": None, "since": since}


def _hand(cards: str, total: int) -> ShownHand:
    return ShownHand(cards=cards, total=total)


def _settled(
    box: int, bettor: str, stake: str, net: str, clause: str, kind: str = "main"
) -> SettlementResult:
    outcome, odds = ("lose", None) if net.startswith("-") else ("win", "3:2")
    return SettlementResult(
        box=box,
        bettor=bettor,
        hand=1,
        kind=kind,
        stake=stake,
        outcome=outcome,
        odds=odds,
        net=net,
        clause=clause,
    )


def _hold(fault: str, reason: str, remedies: list[str], cards: list[str]) -> StatusHold:
    return StatusHold(
        reason=reason,
        fault=fault,
        faults=[fault],
        next_step=fault_of(fault).next_step,
        remedies=remedies,
        cards=cards,
    )


def playing() -> Status:
    """In the middle of a round: box 3 has split, the meter has shown a multiplier."""
    boxes: dict[str, ShownBox] = {
        "1": {
            "hands": [_hand("AS QH", 21)],
            "wagers": {"a": {"main": "100.00", "pair": "10.00", "pandemonium": "5.00"}},
        },
        "3": {
            "hands": [_hand("8S 5C 6D", 19), _hand("8D 3C", 11), _hand("8H", 8)],
            "wagers": {
                "a": {"main": "50.00", "pandemonium": "2.00"},
                "b": {"main": "20.00", "pair": "5.00"},
            },
        },
        "5": {
            "hands": [_hand("AC 7C", 18)],
            "wagers": {"a": {"main": "200.00", "pandemonium": "10.00"}},
        },
    }
    state: Status = {
        "table": "P12",
        "rules": "mbs-pontoon-pandemonium-v5",
        "state": "play.decide",
        "round": 118,
        "prompt": "Box 3, hand 2 has 11: card, stand or double.",
        "awaiting": "dealer",
        "permitted": ["hit 3", "stand 3", "double 3 AMOUNT", "report FAULT", "undo"],
        "turn": {"box": 3, "hand": 2},
        "boxes": boxes,
        "places": 7,
        "dealer": _hand("6C", 6),
        "meter": {"offer": 7, "box": 1, "multiplier": 25},
        "offer": {"offer": 7, "box": 1},
        "devices": {name: _device(name) for name in SERIALS},
        "shoe": {"set": 2, "remaining": 312, "burn_due": False, "shuffle_due": False},
        "squeezed": [],
        "held": None,
        "conditions": {},
        "owed": [
            _settled(1, "a", "10.00", "-10.00", "3.15.1", "pair"),
            _settled(1, "a", "100.00", "150.00", "3.19"),
        ],
    }
    return state


def full() -> Status:
    """Seven boxes with three bettors each, side wagers on all, and two split hands."""
    cards = ("9S 7H", "AS QH", "8S 8D", "KC 5D", "7C 7D", "JD 9H", "2C 3S")
    totals = (16, 21, 16, 15, 14, 19, 5)
    boxes: dict[str, ShownBox] = {}
    for box in range(1, 8):
        stakes = {one: f"{(box * 25 + at * 15):.2f}" for at, one in enumerate("abc")}
        boxes[str(box)] = {
            "hands": [_hand(cards[box - 1], totals[box - 1])],
            "wagers": {
                one: {"main": stake, "pair": "10.00", "pandemonium": "5.00"}
                for one, stake in stakes.items()
            },
        }
    boxes["3"]["hands"] = [_hand("8S 5C 6D", 19), _hand("8D 3C", 11)]
    boxes["5"]["hands"] = [_hand("7C 2D 4S", 13), _hand("7D AC", 18), _hand("7H", 7)]
    return {**playing(), "boxes": boxes}


def held_table() -> Status:
    """A card was not read."""
    return {
        **playing(),
        "held": _hold(
            *("card-unread", "the shoe could not read a card, the second for box 3"),
            *(["card CARD", "void"], ["?? at box 3"]),
        ),
        "prompt": "Held: look at the card. The supervisor may: card CARD, void.",
        "awaiting": "supervisor",
        "permitted": [],
    }


def link_lost() -> Status:
    """The cable of the jackpot unit was pulled: play waits for it."""
    why = "no USB unit 1209:0001 is plugged in"
    state = playing()
    lost = {**_device("jackpot", 8), "link": "down", "reason": why}
    return {
        **state,
        "devices": {**state["devices"], "jackpot": lost},
        "held": _hold("jackpot-down", f"the jackpot unit is not connected: {why}", ["void"], []),
        "prompt": "Wait: the jackpot unit is not connected.",
        "awaiting": "device",
        "permitted": [],
    }


ACCOUNT: Final = ((1, "a", "165.00"), (3, "a", "48.00"), (3, "b", "-25.00"), (5, "a", "190.00"))


def closing() -> Status:
    """All of the round is settled: what is paid and taken, and what it has come to."""
    state: Status = {
        **playing(),
        "state": "settled",
        "prompt": "Pay and take what is owed, clear the table, then next.",
        "permitted": ["next", "undo"],
        "turn": None,
        "dealer": _hand("6C 9D 2H", 17),
        "meter": None,
        "offer": None,
        "owed": [
            _settled(3, "a", "50.00", "50.00", "4.3.2"),
            _settled(3, "b", "20.00", "-20.00", "4.4.1"),
            _settled(5, "a", "200.00", "200.00", "4.3.2"),
        ],
        "account": [
            BettorsAccount(box=box, bettor=bettor, at_stake="0.00", now="0.00", net=net)
            for box, bettor, net in ACCOUNT
        ],
    }
    for box in state["boxes"].values():
        box["wagers"] = {}
    return state


def between() -> Status:
    """Between rounds; nothing has happened since the view was opened."""
    return {
        **playing(),
        "state": "closed",
        "prompt": "Table closed for bets. Open the next round.",
        "permitted": ["open", "shuffle 1"],
        "turn": None,
        "boxes": {},
        "dealer": _hand("", 0),
        "meter": None,
        "offer": None,
        "owed": [],
    }


MOMENTS: Final[Mapping[str, Callable[[], Status]]] = {
    "playing": playing,
    "full": full,
    "held": held_table,
    "link-lost": link_lost,
    "between": between,
    "closing": closing,
}
