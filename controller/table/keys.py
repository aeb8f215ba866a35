"""The dealer's keypad: keys become entries.

Some keys act at once (open, close, stand, split, withdraw, end); others collect digits until ``#``.
``*`` clears what was keyed; when nothing was keyed, it takes the last entry back.
``B`` chooses the box (and with ``.2`` or ``.3`` the standing bettor b or c) that wagers, insurance
and surrender are for; it stays chosen until another is, or a card comes. Keys pressed while an
entry waits for the gate are kept and worked off after it. :data:`GRAMMAR` is the whole of it, as
dealers read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from controller.rules.cards import Card
from controller.table import supervising
from controller.table.entries import Order
from controller.table.events import Event
from controller.table.model import BETTORS, Refused
from controller.table.money import write_amount
from controller.table.steps import Malformed, Seat
from controller.table.words import short_count

if TYPE_CHECKING:
    from controller.table.table import Table

GRAMMAR: Final = (
    ("O", "`open`", "open bets; after a round it clears the table too"),
    ("N", "`close`", "no more bets; the second row counts boxes and side wagers"),
    ("B 3", "", "choose box 3; `B 3 . 2` its bettor b, `B 3 . 3` its bettor c"),
    ("M 50 #", "`wager 3 main 50`", "`M #` without an amount, `M 0 #` takes it out"),
    ("P 5 #", "`wager 3 pair 5`", "also `P #`, `P 0 #`"),
    ("J 5 #", "`wager 3 pandemonium 5`", "the bonus wager where that is played instead"),
    ("I 25 #", "`insure 3 25`", "`I #`: half of the wager"),
    ("I 25 B 1 #", "`insure 3@1 25`", "what box 1 declined, taken up by the box chosen"),
    ("U #", "`surrender 3`", "`#` says that it is meant"),
    ("S", "`stand`", "the hand in turn"),
    ("D 50 #", "`double`", "the hand in turn; `D #`: as much as the wager"),
    ("L", "`split`", "the hand in turn"),
    ("B 3 . 2 L", "`follow 3b`", "after a split: b adds to the new hand"),
    ("B 3 . 2 D 50 #", "`double 3b 50`", "after a double: b doubles too"),
    ("W", "`withdraw`", "the doubled part; for a standing bettor choose him first"),
    ("A 4 #", "`nominate … 4`", "who presses instead; `A 4 . 2 #` bettor b; `A #` staff"),
    ("F", "", "says who has the button"),
    ("E", "`done` or `next`", "offers, withdrawal, a multiplier paid, a round cleared"),
    ("*", "`undo`", "clears what was keyed; with nothing keyed, takes the last entry back"),
    ("E", "`resume`", "supervisor's key turned"),
    ("V #", "`void`", "supervisor's key turned"),
    ("X 9 . 2 #", "`card 9D`", "supervisor's key turned; 1 ace to 13 king, then 1 to 4: C D H S"),
    ("X 1 #", "`use`", "supervisor's key turned: the card is played"),
    ("X 0 #", "`discard`", "supervisor's key turned: the card is put away"),
)
"""Keys, the entry that they make, and what is to be known of it."""

AT_ONCE: Final = frozenset("ONSLWEF")
COLLECTING: Final = frozenset("BMPJDIUAVX")
ELSEWHERE: Final = frozenset("RY")
AMOUNT_KEYS: Final = frozenset("0123456789.")
LONGEST: Final = 12
MOST_WAITING: Final = 20


@dataclass(slots=True)
class Keypad:
    """What was keyed and not yet ended, the box chosen, what the second row says, and the keys
    that wait for an entry before them."""

    keyed: str = ""
    seat: Seat | None = None
    says: str = ""
    waiting: list[tuple[str, bool]] = field(default_factory=list)

    def forget(self) -> None:
        """The keys that wait are not worked off: what they were pressed for has not come about."""
        if self.waiting:
            self.waiting.clear()
            self.keyed, self.says = "", "NO: KEYS LOST, AGAIN"


def key(table: Table, event: Event) -> None:
    """A key was pressed."""
    pressed, supervisor = str(event.body["key"]), bool(event.body["supervisor"])
    pad = table.keypad
    if table.pending is None:
        take(table, pressed, supervisor)
    elif table.devices["shoe"].trouble() or len(pad.waiting) == MOST_WAITING:
        pad.says = "NO: WAIT FOR SHOE"
    else:
        pad.waiting.append((pressed, supervisor))


def work_off(table: Table) -> None:
    """Take the keys pressed while an entry waited."""
    pad = table.keypad
    while pad.waiting and table.pending is None:
        take(table, *pad.waiting.pop(0))


def tell(table: Table, refused: Refused | None) -> None:
    """Say on the keypad what became of its entry."""
    table.keypad.says = f"NO: {refused.short}" if refused else "OK"


def take(table: Table, pressed: str, supervisor: bool) -> None:
    """One key: collect it, or make an entry of what was keyed."""
    pad = table.keypad
    pad.says = ""
    if pressed == "*":
        if pad.keyed:
            pad.seat = None if pad.keyed.startswith("B") else pad.seat
            pad.keyed = ""
        else:
            _try(table, "undo")
    elif pressed == "#":
        keyed, pad.keyed = pad.keyed, ""
        _ended(table, keyed, supervisor)
    elif pressed in AT_ONCE:
        pad.keyed = ""
        _at_once(table, pressed, supervisor)
    elif pressed == "B" and pad.keyed.startswith("I"):
        pad.keyed += pressed
    elif pressed in COLLECTING:
        pad.keyed = pressed
    elif pressed in ELSEWHERE:
        pad.keyed = ""
        pad.says = "NO: NOT ON A KEYPAD"
    elif pressed not in AMOUNT_KEYS:
        pad.says = "NO: UNKNOWN KEY"
    elif not pad.keyed:
        pad.says = "NO: LETTER FIRST"
    elif len(pad.keyed) < LONGEST:
        pad.keyed += pressed
        _box_chosen(table)
    else:
        pad.says = "NO: TOO LONG"


def _box_chosen(table: Table) -> None:
    """``B`` and a digit choose the box at once; a bettor may follow."""
    pad = table.keypad
    if pad.keyed[0] != "B":
        return
    digits = pad.keyed[1:]
    if len(digits) == 1 and digits.isdecimal() and 1 <= int(digits) <= table.settings.boxes:
        pad.seat = Seat(int(digits))
    elif len(digits) == 3 and digits[2] in "123":
        pad.seat = _seat_of(digits)
        pad.keyed = ""
    elif not (len(digits) == 2 and digits[1] == "."):
        pad.keyed, pad.seat = "", None
        pad.says = "NO: NO SUCH BOX"


def _seat_of(digits: str) -> Seat:
    """``3`` or ``3.2`` as a box and bettor."""
    box, _, bettor = digits.partition(".")
    if box not in tuple("123456789") or bettor not in ("", "1", "2", "3"):
        raise Refused(f"{digits!r} is no box and bettor", short="NO SUCH BOX")
    return Seat(int(box), BETTORS[int(bettor) - 1] if bettor else None)


def _seat(table: Table) -> Seat:
    if table.keypad.seat is None:
        raise Refused("press B and the box first", short="B AND BOX FIRST")
    return table.keypad.seat


def _turn_seat(table: Table) -> Seat:
    """The hand in turn; a bettor of its box where one was chosen."""
    rnd, chosen = table.rnd, table.keypad.seat
    hand = (rnd.hand_in_turn or rnd.next_hand) if rnd else None
    if hand is None:
        raise Refused("no hand is in turn", short="NO HAND IN TURN")
    if chosen and chosen.box == hand.box and chosen.bettor:
        return chosen
    return Seat(hand.box)


def _at_once(table: Table, pressed: str, supervisor: bool) -> None:
    try:
        match pressed:
            case "O":
                _try(table, "open")
            case "N":
                _close(table)
            case "S":
                _try(table, f"stand {_turn_seat(table).box}")
            case "L":
                _split(table)
            case "W":
                _try(table, f"withdraw {_turn_seat(table)}")
            case "E":
                _end(table, supervisor)
            case "F":
                offer = table.offer
                table.keypad.says = f"BUTTON: BOX {offer.box}" if offer else "NO: NO BUTTON NOW"
    except Refused as refused:
        tell(table, refused)


def _close(table: Table) -> None:
    if _try(table, "close"):
        table.keypad.says = short_count(table)


def _split(table: Table) -> None:
    """Split; or, once that is done, a standing bettor's wager on the new hand."""
    follows = table.rnd is not None and table.rnd.state == "play.split_card"
    seat = _turn_seat(table)
    _try(table, f"follow {seat}" if follows else f"split {seat.box}")


def _end(table: Table, supervisor: bool) -> None:
    if table.hold is not None and supervisor:
        _order(table, Order("resume"))
    elif table.phase == "ended":
        _try(table, "next")
    else:
        _try(table, "done")


def _ended(table: Table, keyed: str, supervisor: bool) -> None:
    """``#``: what was keyed is an entry."""
    if not keyed:
        return
    verb, digits = keyed[0], keyed[1:]
    try:
        match verb:
            case "M" | "P" | "J":
                _try(table, f"wager {_seat(table)} {_kind(table, verb)} {digits}".strip())
            case "D":
                seat = _turn_seat(table)
                _try(table, f"double {seat} {digits or _full(table, seat)}".strip())
            case "I":
                _insure(table, *digits.partition("B"))
            case "U":
                _try(table, f"surrender {_seat(table)}")
            case "A":
                _nominate(table, digits)
            case "V" | "X":
                if not supervisor:
                    raise Refused("turn the supervisor's key", short="SUPERVISOR'S KEY")
                _order(table, Order("void") if verb == "V" else _about_card(digits))
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
    hand = (table.rnd.hand_in_turn or table.rnd.next_hand) if table.rnd else None
    if table.rnd is None or hand is None:
        return ""
    bet = hand.bets.get(seat.bettor or table.rnd.controller(hand.box))
    return (write_amount(bet.stake) if bet else None) or ""


def _insure(table: Table, digits: str, taken_up: str, owner: str) -> None:
    """Insurance of the chosen bettor's own wager, or of one that its owner declined."""
    seat = _seat(table)
    insured = _seat_of(owner) if taken_up else seat
    words = f"{seat}@{insured}" if taken_up else str(seat)
    _try(table, f"insure {words} {digits or _half(table, insured)}".strip())


def _half(table: Table, seat: Seat) -> str:
    """Half of the bettor's main wager, where its amount is known."""
    box = table.rnd.boxes.get(seat.box) if table.rnd else None
    stake = box.main.get(seat.bettor or "a") if box else None
    return write_amount(stake // 2) or "" if stake else ""


def _nominate(table: Table, digits: str) -> None:
    if table.offer is None:
        raise Refused("the button is not offered to anybody", short="NO BUTTON NOW")
    by = _seat_of(digits) if digits else "staff"
    _try(table, f"nominate {table.offer.box} {by}")


def _about_card(digits: str) -> Order:
    """What becomes of the card that waits: ``1`` used, ``0`` discarded, ``9.2`` its name."""
    rank, _, suit = digits.partition(".")
    if not suit and rank in ("0", "1"):
        return Order("use" if rank == "1" else "discard")
    if not (rank.isdecimal() and suit in ("1", "2", "3", "4") and 1 <= int(rank) <= 13):
        raise Refused("expected X 1, X 0, or X with rank and suit", short="X 9.2 IS 9 DIAM.")
    return Order("card", card=Card(int(rank), int(suit)))


def _try(table: Table, text: str) -> bool:
    """Make an entry; what is refused is told on the keypad and changes nothing."""
    try:
        table.take_entry(text, from_keypad=True)
    except Refused as refused:
        tell(table, refused)
        return False
    except Malformed as error:
        tell(table, Refused(str(error), short="NO SUCH AMOUNT"))
        return False
    if table.pending is None:
        tell(table, None)
    return True


def _order(table: Table, order: Order) -> None:
    """A supervisor's command by the key switch."""
    supervising.give(table, order)
    table.outcome.notes.append(f"supervisor: {order} by key switch")
    tell(table, None)
