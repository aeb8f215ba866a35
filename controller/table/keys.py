"""The dealer's keypad: keys become entries, two rows of text answer.

Some keys act at once (open, close, stand, split, withdraw, end); others collect digits until ``#``.
``*`` clears what was keyed; when nothing was keyed, it takes the last entry back. ``B`` chooses the
box (and with ``.2`` or ``.3`` the standing bettor b or c) that wagers, insurance and surrender are
for; it stays chosen until another is, or a card comes. Keys pressed while an entry waits for the
gate are kept and worked off after it.

======== ========================= ===============================================================
keys     entry                     remark
======== ========================= ===============================================================
O        open
N        close                     no more bets
B 3      (chooses box 3)           ``B 3 . 2``: bettor b of box 3
M 50 #   wager 3 main 50           ``M #`` without an amount, ``M 0 #`` takes it out
P 5 #    wager 3 pair 5
J 5 #    wager 3 pandemonium 5     bonus where the rules play that instead
S        stand                     the hand in turn
L        split                     the hand in turn
D 50 #   double 50                 ``D #``: as much as the wager
W        withdraw                  the doubled part
I 25 #   insure 3 25               ``I #``: half of the wager
U #      surrender 3               ``#`` says that it is meant
A 4 #    nominate … 4              ``A #``: staff
F        (says who has the button)
E        done or next              with the supervisor's key turned: resume
V #      void                      only with the supervisor's key turned
*        clears, or undo
======== ========================= ===============================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from controller.table import supervising
from controller.table.entries import read_order
from controller.table.events import Event
from controller.table.model import BETTORS, Refused
from controller.table.money import write_amount
from controller.table.steps import Malformed, Seat

if TYPE_CHECKING:
    from controller.table.table import Table

AT_ONCE: Final = frozenset("ONSLWEF")
COLLECTING: Final = frozenset("BMPJDIUAV")
ELSEWHERE: Final = frozenset("XRY")
AMOUNT_KEYS: Final = frozenset("0123456789.")
LONGEST: Final = 12


@dataclass(slots=True)
class Keypad:
    """What was keyed and not yet ended, the box chosen, and what the second row says."""

    keyed: str = ""
    seat: Seat | None = None
    says: str = ""
    waiting: list[tuple[str, bool]] = field(default_factory=list)


def key(table: Table, event: Event) -> None:
    """A key was pressed."""
    pressed, supervisor = str(event.body["key"]), bool(event.body["supervisor"])
    if table.pending is not None:
        table.keypad.waiting.append((pressed, supervisor))
        return
    take(table, pressed, supervisor)


def work_off(table: Table) -> None:
    """Take the keys pressed while an entry waited."""
    pad = table.keypad
    while pad.waiting and table.pending is None:
        take(table, *pad.waiting.pop(0))


def tell(table: Table, refused: Refused | None) -> None:
    """Say on the keypad what became of its entry."""
    table.keypad.says = f"NO: {refused.reason}" if refused else "OK"


def take(table: Table, pressed: str, supervisor: bool) -> None:
    """One key: collect it, or make an entry of what was keyed."""
    pad = table.keypad
    pad.says = ""
    if pressed == "*":
        if pad.keyed:
            pad.keyed = ""
        else:
            _try(table, "undo")
    elif pressed == "#":
        keyed, pad.keyed = pad.keyed, ""
        _ended(table, keyed, supervisor)
    elif pressed in AT_ONCE:
        pad.keyed = ""
        _at_once(table, pressed, supervisor)
    elif pressed in COLLECTING:
        pad.keyed = pressed
    elif pressed in ELSEWHERE:
        pad.keyed = ""
        pad.says = "NOT ON THIS KEYPAD"
    elif pressed not in AMOUNT_KEYS:
        pad.says = "UNKNOWN KEY"
    elif not pad.keyed:
        pad.says = "PRESS A KEY FIRST"
    elif len(pad.keyed) < LONGEST:
        pad.keyed += pressed
        _box_chosen(table)


def _box_chosen(table: Table) -> None:
    """``B`` and a digit choose the box at once; a bettor may follow."""
    pad = table.keypad
    if pad.keyed[0] != "B":
        return
    digits = pad.keyed[1:]
    if len(digits) == 1 and digits in "123456789":
        pad.seat = Seat(int(digits))
    elif len(digits) == 3 and digits[1] == "." and digits[2] in "123":
        pad.seat = Seat(int(digits[0]), BETTORS[int(digits[2]) - 1])
        pad.keyed = ""
    elif not (len(digits) == 2 and digits[1] == "."):
        pad.keyed = ""
        pad.says = "NO SUCH BOX"


def _seat(table: Table) -> Seat:
    if table.keypad.seat is None:
        raise Refused("press B and the box first")
    return table.keypad.seat


def _turn_seat(table: Table) -> Seat:
    """The hand in turn; a bettor of its box where one was chosen."""
    rnd, chosen = table.rnd, table.keypad.seat
    hand = (rnd.hand_in_turn or rnd.next_hand) if rnd else None
    if hand is None:
        raise Refused("no hand is in turn")
    if rnd and rnd.state == "offers.open":
        hand = rnd.next_hand or hand
    if chosen and chosen.box == hand.box and chosen.bettor:
        return chosen
    return Seat(hand.box)


def _at_once(table: Table, pressed: str, supervisor: bool) -> None:
    try:
        match pressed:
            case "O":
                _try(table, "open")
            case "N":
                _try(table, "close")
            case "S":
                _try(table, f"stand {_turn_seat(table).box}")
            case "L":
                _try(table, f"split {_turn_seat(table).box}")
            case "W":
                _try(table, f"withdraw {_turn_seat(table)}")
            case "E":
                _end(table, supervisor)
            case "F":
                table.keypad.says = (
                    f"BUTTON: BOX {table.offer.box}" if table.offer else "NO BUTTON TO OFFER"
                )
    except Refused as refused:
        tell(table, refused)


def _end(table: Table, supervisor: bool) -> None:
    if table.hold is not None and supervisor:
        _order(table, "resume")
    elif table.phase == "ended":
        _try(table, "next")
    else:
        _try(table, "done")


def _ended(table: Table, keyed: str, supervisor: bool) -> None:
    """``#``: what was keyed is an entry."""
    if not keyed:
        return
    verb, digits = keyed[0], keyed[1:]
    if digits.count(".") > 1 or digits == ".":
        table.keypad.says = "NO AMOUNT"
        return
    try:
        match verb:
            case "M" | "P" | "J":
                _try(table, f"wager {_seat(table)} {_kind(table, verb)} {digits}".strip())
            case "D":
                seat = _turn_seat(table)
                _try(table, f"double {seat} {digits or _full(table, seat)}".strip())
            case "I":
                seat = _seat(table)
                _try(table, f"insure {seat} {digits or _half(table, seat)}".strip())
            case "U":
                _try(table, f"surrender {_seat(table)}")
            case "A":
                _nominate(table, digits)
            case "V":
                if not supervisor:
                    raise Refused("turn the supervisor's key")
                _order(table, "void")
    except Refused as refused:
        tell(table, refused)


def _kind(table: Table, verb: str) -> str:
    if verb == "M":
        return "main"
    if verb == "P":
        return "pair"
    return "bonus" if "bonus" in table.rules.betting.side_wagers.value else "pandemonium"


def _full(table: Table, seat: Seat) -> str:
    """The wager on the hand in turn, where its amount is known."""
    hand = table.rnd.hand_in_turn or table.rnd.next_hand if table.rnd else None
    if table.rnd is None or hand is None:
        return ""
    bet = hand.bets.get(seat.bettor or table.rnd.controller(hand.box))
    return (write_amount(bet.stake) if bet else None) or ""


def _half(table: Table, seat: Seat) -> str:
    """Half of the bettor's main wager, where its amount is known."""
    box = table.rnd.boxes.get(seat.box) if table.rnd else None
    stake = box.main.get(seat.bettor or "a") if box else None
    return write_amount(stake // 2) or "" if stake else ""


def _nominate(table: Table, digits: str) -> None:
    if table.offer is None:
        raise Refused("the button is not offered to anybody")
    by = "staff"
    if digits:
        box, _, bettor = digits.partition(".")
        by = box + (BETTORS[int(bettor) - 1] if bettor in ("1", "2", "3") else "")
    _try(table, f"nominate {table.offer.box} {by}")


def _try(table: Table, text: str) -> None:
    """Make an entry; what is refused is told on the keypad and changes nothing."""
    try:
        table.take_entry(text, from_keypad=True)
    except (Refused, Malformed) as error:
        tell(table, error if isinstance(error, Refused) else Refused(str(error)))
    else:
        if table.pending is None:
            tell(table, None)


def _order(table: Table, text: str) -> None:
    """A supervisor's command by the key switch."""
    supervising.give(table, read_order(text))
    table.outcome.notes.append(f"supervisor: {text} by key switch")
    tell(table, None)
