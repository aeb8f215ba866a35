"""Moments of a table that the pictures of ``watch`` show: what a controller would say then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from controller.cli.live.known_table import Counted, SeenChange, SeenTable
from controller.control.technician import Portion
from controller.faults.catalogue import fault_of
from controller.forms.json_values import JsonObject
from controller.game.round.result_fields import BettorsAccount, SettlementResult
from controller.table.showing.status_fields import ShownBox, ShownHand, Status

NOW: Final = datetime(2026, 11, 24, 4, 2, 11, tzinfo=UTC)
BETTORS: Final = ("a", "b", "c")


def ago(seconds: float) -> str:
    """A time as the controller writes it, so long before :data:`NOW`."""
    return (NOW - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def device(kind: str, serial: str, since_s: float, **more: object) -> JsonObject:
    """A device whose link is up."""
    return {
        "kind": kind,
        "link": "up",
        "serial": serial,
        "firmware": "1.4.2 (2fd3f4a48f32bb02)",
        "last_event": 118,
        "reason": None,
        "faults": "",
        "refused": None,
        "since": ago(since_s),
        **more,
    }


def _devices() -> dict[str, JsonObject]:
    return {
        "shoe": device("shoe", "SHOE-1001", 11_000),
        "shuffler": device("shuffler", "SHUFFLER-000", 11_000),
        "jackpot": device("jackpot", "JACKPOT-0001", 11_000),
        "keypad": device("keypad", "KEYPAD-0001", 11_000),
    }


def _minute(**of_shoe: int) -> dict[str, dict[str, int]]:
    calm = {"pings": 118, "ping_us": 212_000, "received": 131}
    return {
        "shoe": {**calm, **of_shoe},
        "shuffler": {**calm, "ping_us": 254_000},
        "jackpot": {**calm, "ping_us": 118_000},
        "keypad": {**calm, "ping_us": 301_000},
    }


def _counted(**of_shoe: int) -> Counted:
    minute = _minute(**of_shoe)
    return Counted(minute, minute, minute, dict.fromkeys(minute, 0.4))


def _hand(cards: str, total: int) -> ShownHand:
    return ShownHand(cards=cards, total=total)


def _events(*told: tuple[float, str] | tuple[float, str, bool]) -> tuple[SeenChange, ...]:
    return tuple(SeenChange(NOW - timedelta(seconds=one[0]), *one[1:]) for one in told)


def _settled(
    box: int, bettor: str, kind: str, outcome: str, stake: str, net: str, clause: str
) -> SettlementResult:
    return SettlementResult(
        box=box,
        bettor=bettor,
        hand=1,
        kind=kind,
        stake=stake,
        outcome=outcome,
        odds="3:2" if outcome == "win" else None,
        net=net,
        clause=clause,
    )


def playing() -> SeenTable:
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
        "devices": _devices(),
        "shoe": {"set": 2, "remaining": 312, "burn_due": False, "shuffle_due": False},
        "squeezed": [],
        "held": None,
        "conditions": {},
        "owed": [
            _settled(1, "a", "pair", "lose", "10.00", "-10.00", "3.15.1"),
            _settled(1, "a", "main", "win", "100.00", "150.00", "3.19"),
        ],
    }
    events = _events(
        (78, "round 118 opened"),
        (57, "wager 1a main 100"),
        (55, "wager 1a pair 10"),
        (52, "wager 1a pandemonium 5"),
        (50, "wager 3a main 50"),
        (48, "wager 3a pandemonium 2"),
        (46, "wager 3b main 20"),
        (41, "now play"),
        (36, "box 1: AS QH (21)"),
        (35, "box 3: 8S 8D (16)"),
        (34, "box 5: AC 7C (18)"),
        (33, "dealer: 6C (6)"),
        (30, "settled 1a pair: take 10.00"),
        (29, "settled 1a main: pay 150.00 at 3:2"),
        (22, "the jackpot button is offered to box 1"),
        (14, "METER 25x for box 1"),
        (9, "box 3 + 5C (13)"),
        (6, "box 3 + 6D (19)"),
        (3, "box 3.2 + 3C (11)"),
    )
    return SeenTable(state, NOW, 0.2, 3.4, counted=_counted(), events=events)


def full() -> SeenTable:
    """Seven boxes with three bettors each, side wagers on all, and two split hands."""
    cards = ("9S 7H", "AS QH", "8S 8D", "KC 5D", "7C 7D", "JD 9H", "2C 3S")
    totals = (16, 21, 16, 15, 14, 19, 5)
    boxes: dict[str, ShownBox] = {}
    for box in range(1, 8):
        stakes = {one: f"{(box * 25 + at * 15):.2f}" for at, one in enumerate(BETTORS)}
        boxes[str(box)] = {
            "hands": [_hand(cards[box - 1], totals[box - 1])],
            "wagers": {
                one: {"main": stake, "pair": "10.00", "pandemonium": "5.00"}
                for one, stake in stakes.items()
            },
        }
    boxes["3"]["hands"] = [_hand("8S 5C 6D", 19), _hand("8D 3C", 11)]
    boxes["5"]["hands"] = [_hand("7C 2D 4S", 13), _hand("7D AC", 18), _hand("7H", 7)]
    state = playing().state
    state["boxes"] = boxes
    return replace(playing(), state=state)


def held_table() -> SeenTable:
    """A card was not read."""
    seen = playing()
    seen.state["held"] = {
        "reason": "the shoe could not read a card, the second for box 3",
        "fault": "card-unread",
        "faults": ["card-unread"],
        "next_step": fault_of("card-unread").next_step,
        "remedies": ["card CARD", "void"],
        "cards": ["?? at box 3"],
    }
    seen.state["prompt"] = "Held: look at the card. The supervisor may: card CARD, void."
    seen.state["awaiting"] = "supervisor"
    seen.state["permitted"] = []
    event = _events((3, "HELD, card-unread: the shoe could not read a card, the second for box 3"))
    return replace(seen, events=(*seen.events, replace(event[0], alarm=True)))


def link_lost() -> SeenTable:
    """The cable of the jackpot unit was pulled: play waits for it."""
    seen = playing()
    seen.state["devices"]["jackpot"] = {
        **seen.state["devices"]["jackpot"],
        "link": "down",
        "reason": "no USB unit 1209:0001 is plugged in",
        "since": ago(8),
    }
    seen.state["held"] = {
        "reason": "the jackpot unit is not connected: no USB unit 1209:0001 is plugged in",
        "fault": "jackpot-down",
        "faults": ["jackpot-down"],
        "next_step": fault_of("jackpot-down").next_step,
        "remedies": ["void"],
        "cards": [],
    }
    seen.state["prompt"] = "Wait: the jackpot unit is not connected."
    seen.state["awaiting"] = "device"
    seen.state["permitted"] = []
    counted = _counted()
    minute = {**counted.minute, "jackpot": {"pings": 96, "ping_us": 104_000, "retries": 3}}
    heard = {**counted.heard_s, "jackpot": 9.0}
    event = SeenChange(
        NOW - timedelta(seconds=8), "jackpot down: no USB unit 1209:0001", alarm=True
    )
    return replace(
        seen,
        counted=replace(counted, minute=minute, heard_s=heard),
        events=(*seen.events[:-2], event),
        quiet_s=8.0,
    )


def degraded() -> SeenTable:
    """The shoe's line has begun to fail."""
    seen = playing()
    seen.state["conditions"] = {"disk-low": "12 days left at the present pace"}
    trouble = {"retries": 9, "line_bad_frames": 3, "ping_us": 4_960_000}
    event = SeenChange(
        NOW - timedelta(seconds=1), "shoe: 9 sent again, 3 damaged in the last minute", alarm=True
    )
    return replace(seen, counted=_counted(**trouble), events=(*seen.events, event))


def frozen() -> SeenTable:
    """The controller's process is there and does not answer."""
    return _unanswered(4.3)


def gone() -> SeenTable:
    """The controller was stopped."""
    why = "/run/table-controller/control.sock: No such file or directory"
    return replace(_unanswered(12.0), trouble=why)


def _unanswered(for_s: float) -> SeenTable:
    seen = playing()
    heard = dict.fromkeys(seen.counted.heard_s, for_s + 0.4)
    counted = replace(seen.counted, heard_s=heard)
    return replace(seen, answered_s=for_s, quiet_s=for_s + 3.2, counted=counted)


def closing() -> SeenTable:
    """All of the round is settled: what is paid and taken, and what it has come to."""
    seen = playing()
    state: Status = {
        **seen.state,
        "state": "settled",
        "prompt": "Pay and take what is owed, clear the table, then next.",
        "permitted": ["next", "undo"],
        "turn": None,
        "dealer": _hand("6C 9D 2H", 17),
        "meter": None,
        "offer": None,
        "owed": [
            _settled(3, "a", "main", "win", "50.00", "50.00", "4.3.2"),
            _settled(3, "b", "main", "lose", "20.00", "-20.00", "4.4.1"),
            _settled(5, "a", "main", "win", "200.00", "200.00", "4.3.2"),
        ],
        "account": [
            _account(1, "a", "165.00"),
            _account(3, "a", "48.00"),
            _account(3, "b", "-25.00"),
            _account(5, "a", "190.00"),
        ],
    }
    for box in state["boxes"].values():
        box["wagers"] = {}
    return replace(seen, state=state)


def _account(box: int, bettor: str, net: str) -> BettorsAccount:
    return BettorsAccount(box=box, bettor=bettor, at_stake="0.00", now="0.00", net=net)


def between() -> SeenTable:
    """Between rounds; nothing has happened since the view was opened."""
    seen = playing()
    state: Status = {
        **seen.state,
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
    return SeenTable(state, NOW, 0.1, 64.0, counted=_counted(), events=())


MOMENTS: Final[Mapping[str, Callable[[], SeenTable]]] = {
    "playing": playing,
    "full": full,
    "held": held_table,
    "link-lost": link_lost,
    "degraded": degraded,
    "frozen": frozen,
    "gone": gone,
    "between": between,
    "closing": closing,
}
SIZES: Final = ((80, 24), (120, 40), (200, 60))
"""Columns and rows of the terminals that are tried."""

ROUND: Final = """Round 118
  rules mbs-pontoon-pandemonium-v5, in progress
hands
  box 1    AS QH     21
  box 3    8S 5C 6D  19
  box 3.2  8D 3C     11
  dealer   6C         6
settled
  1a  pair   10.00  lose      -10.00  [3.15.1]
  1a  main  100.00  win  3:2 +150.00  [3.19]""".splitlines()


def _message(at_ms: int, out: bool, message: str, number: int, **fields: object) -> JsonObject:
    return {
        "at_ns": at_ms * 1_000_000,
        "device": "shoe",
        "dir": "out" if out else "in",
        "message": message,
        "id": number,
        "fields": fields,
    }


TRAFFIC: Final[Portion] = {
    "head": {"began_ns": 0},
    "lines": [
        _message(112, True, "PING", 881),
        _message(117, False, "PING answer", 881, uptime_ms=11_000_117, state=1, faults=0),
        _message(604, False, "CARD", 0, event_no=118, t_ms=11_000_600, rank=8, suit=2, flags=0),
        _message(606, True, "EVENT_ACK", 0, session_id=7, event_no=118),
        {"at_ns": 903_000_000, "device": "shoe", "dir": "in", "bytes": "ffff00"},
        _message(1_106, True, "PING", 882),
        _message(1_256, True, "PING", 882),
        _message(1_261, False, "PING answer", 882, uptime_ms=11_001_261, state=1, faults=0),
    ],
    "dropped": 0,
    "more": False,
}
