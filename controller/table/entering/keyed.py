"""Keys read as a dealer's command or a supervisor's command.

What the dealer may leave out is filled in: the box and hand in turn, the whole wager for a double,
half of it for insurance. A refusal is shown on the keypad and changes nothing.
"""

from __future__ import annotations

from typing import Final

from controller.game.round.model import BETTORS, Hand
from controller.game.round.money import write_amount
from controller.game.round.refusal import Refused
from controller.game.round.seats import controller_of
from controller.game.round.states import State
from controller.game.round.steps.step import Seat
from controller.game.round.wagers import MAIN
from controller.table import sequence
from controller.table.betting import below_minimum, rounds
from controller.table.command_reading import SupervisorCommand
from controller.table.dealing import squeezing
from controller.table.entering import echo, menus, undo, voiding
from controller.table.entering.commands import dealer_commands
from controller.table.entering.given_by_keys import enter, order
from controller.table.shoe import burning
from controller.table.state.course import Phase
from controller.table.state.table import Table

KEYED_BETTORS: Final = {str(digit): bettor for digit, bettor in enumerate(BETTORS, 1)}
"""The bettors by the digit behind the box: ``3.2`` is b at box 3."""


def seat_of(digits: str) -> Seat:
    """``3`` or ``3.2`` as a box and bettor."""
    box, _, bettor = digits.partition(".")
    if box not in tuple("123456789") or bettor not in ("", *KEYED_BETTORS):
        raise Refused(f"{digits!r} is no box and bettor", short="NO SUCH BOX")
    return Seat(int(box), KEYED_BETTORS[bettor] if bettor else None)


def _seat(table: Table) -> Seat:
    if table.entering.keypad.seat is None:
        raise Refused("press B and the box first", short="B AND BOX FIRST")
    return table.entering.keypad.seat


def _hand(table: Table) -> Hand:
    """The hand in turn; where offers are open or nobody's turn is, the next one."""
    rnd, hand = table.rnd, None
    if rnd is not None:
        turn = None if rnd.state == State.OFFERS_OPEN else rnd.hand_in_turn
        hand = turn or rnd.next_hand
    if hand is None:
        raise Refused("no hand is in turn", short="NO HAND IN TURN")
    return hand


def _turn_seat(table: Table) -> Seat:
    """The hand in turn; a bettor of its box where one was chosen."""
    hand, chosen = _hand(table), table.entering.keypad.seat
    if chosen and chosen.box == hand.box and chosen.bettor:
        return chosen
    return Seat(hand.box)


def put_right(table: Table, pressed: str, *, supervisor: bool) -> None:
    """``X``: the list of what may be chosen now; ``R``: ``reconstruct``."""
    try:
        if pressed == "X":
            menus.open_list(table, supervisor=supervisor)
        else:
            menus.ask(table, "reconstruct", supervisor=supervisor)
    except Refused as refused:
        table.entering.keypad.tell(refused)


def at_once(table: Table, pressed: str, *, supervisor: bool) -> None:
    """Process a key that is a complete command."""
    try:
        match pressed:
            case "O":
                enter(table, "open")
            case "N":
                _close(table)
            case "S":
                enter(table, f"stand {_turn_seat(table).box}")
            case "L":
                _split(table)
            case "W":
                enter(table, f"withdraw {_turn_seat(table)}")
            case "E":
                _end(table, supervisor)
            case _:
                assert pressed == "F"
                _face(table)
    except Refused as refused:
        table.entering.keypad.tell(refused)


def take_back(table: Table) -> None:
    """``*``: takes the last entry back and shows which it was."""
    said = undo.said_last(table)
    stood = echo.wager_as_it_stands(table, said)
    if enter(table, "undo") and table.entering.pending is None:
        table.entering.keypad.says = undo.told(stood or said)


def _close(table: Table) -> None:
    if enter(table, "close"):
        back = below_minimum.short_returned(table)
        table.entering.keypad.says = back or rounds.short_count(table)


def _split(table: Table) -> None:
    """Split; or, after the split, add a standing bettor's wager to the new hand."""
    follows = table.rnd is not None and table.rnd.state == State.PLAY_SPLIT_CARD
    seat = _turn_seat(table)
    enter(table, f"follow {seat}" if follows else f"split {seat.box}")


def _face(table: Table) -> None:
    """Turn cards up or down where boxes squeeze, else name who has the button."""
    chosen, offer = table.entering.keypad.seat, table.jackpot.offer
    if boxes := squeezing.to_reveal(table):
        box = chosen.box if chosen and chosen.box in boxes else boxes[0]
        enter(table, f"reveal {box}")
    elif squeezing.may_squeeze(table):
        box = _seat(table).box
        enter(table, f"squeeze {box}" + (" 0" if box in table.dealing.squeezed else ""))
    else:
        table.entering.keypad.says = f"BUTTON: BOX {offer.box}" if offer else "NO: NO BUTTON NOW"


def _end(table: Table, supervisor: bool) -> None:
    corrected = table.rnd is not None and bool(table.rnd.irregular.edits)
    if corrected and supervisor:
        menus.ask(table, "done", supervisor=True)
    elif table.hold is not None and supervisor:
        order(table, SupervisorCommand("resume"))
    elif keeps := _keeps(table):
        enter(table, keeps)
    elif table.phase is Phase.ENDED:
        enter(table, "next")
    elif table.phase is Phase.CLOSED:
        enter(table, "inspected")
    elif burning.may_burn(table):
        enter(table, "burn")
    else:
        enter(table, "done")


def _keeps(table: Table) -> str:
    """``keep`` of the one bettor who may withdraw, so that it can be said to be wrong later; empty
    where none or several may."""
    rnd = table.rnd
    if rnd is None or rnd.state != State.PLAY_WITHDRAW:
        return ""
    found = [words for words in dealer_commands(table) if words.startswith("keep ")]
    return found[0] if len(found) == 1 else ""


def end(table: Table, keyed: str, *, supervisor: bool) -> None:
    """``#``: makes a command of the keys."""
    if not keyed:
        return
    verb, digits = keyed[0], keyed[1:]
    try:
        match verb:
            case "M" | "P" | "J":
                _wager(table, _seat(table), _kind(table, verb), digits)
            case "D":
                seat = _turn_seat(table)
                enter(table, f"double {seat} {digits or _full(table, seat)}".strip())
            case "Y":
                seat = _turn_seat(table)
                enter(table, f"buy {seat} {digits or _full(table, seat)}".strip())
            case "I":
                _insure(table, *digits.partition("B"))
            case "U":
                enter(table, f"surrender {_seat(table)}")
            case "A" if table.mid_round and table.jackpot.offer is None:
                _hand_or_nobody(table, digits)
            case "A":
                _nominate(table, digits)
            case "V" if supervisor:
                waits = table.entering.void_asked is not None
                menus.ask(table, voiding.CONFIRM if waits else "void", supervisor=True)
            case "V":
                raise Refused("turn the supervisor's key", short="SUPERVISOR'S KEY")
    except Refused as refused:
        table.entering.keypad.tell(refused)


def _wager(table: Table, seat: Seat, kind: str, digits: str) -> None:
    if enter(table, f"wager {seat} {kind} {digits}".strip()):
        stake = table.betting.sheet.of_box(kind, seat.box).get(seat.bettor or "a")
        if below_minimum.is_below(table, kind, stake):
            table.entering.keypad.says = below_minimum.short(table, seat.box, seat.bettor or "a")


def _kind(table: Table, verb: str) -> str:
    if verb == "M":
        return MAIN
    for kind, rule in table.rules.side_wagers.items():
        if rule.keypad == verb:
            return kind
    sequence.check(table, "wager")  # bets that are not open are the first reason
    raise Refused(
        f"these rules have no side wager of the key {verb}",
        table.rules.betting.side_wagers.clause,
        short="NO SUCH WAGER",
    )


def _full(table: Table, seat: Seat) -> str:
    """The wager on the hand in turn, where its amount is known."""
    hand = _hand(table)
    assert table.rnd
    bet = hand.bets.get(seat.bettor or controller_of(table.rnd, table.rnd.boxes[hand.box]))
    return (write_amount(bet.stake) if bet else None) or ""


def _insure(table: Table, digits: str, taken_up: str, owner: str) -> None:
    """Insure the chosen bettor's own wager, or one that its owner declined to insure."""
    seat = _seat(table)
    insured = seat_of(owner) if taken_up else seat
    words = f"{seat}@{insured}" if taken_up else str(seat)
    enter(table, f"insure {words} {digits or _half(table, insured)}".strip())


def _half(table: Table, seat: Seat) -> str:
    """Half of what the bettor's main wager counts for, where its amount is known."""
    box = table.rnd.boxes.get(seat.box) if table.rnd else None
    bets = [hand.bets.get(seat.bettor or "a") for hand in box.hands] if box else []
    stake = next((bet.stake for bet in bets if bet and bet.original), None)
    return write_amount(stake // 2) or "" if stake else ""


def _hand_or_nobody(table: Table, digits: str) -> None:
    """``0``: the deciding bettor is absent; else the number of the hand that a single wager stays
    on."""
    seat = _turn_seat(table)
    if digits == "0":
        enter(table, f"absent {seat}")
    elif digits in tuple("123456789"):
        enter(table, f"place {seat} {digits}")
    else:
        raise Refused("the button is not offered to anybody", short="NO BUTTON NOW")


def _nominate(table: Table, digits: str) -> None:
    if table.jackpot.offer is None:
        raise Refused("the button is not offered to anybody", short="NO BUTTON NOW")
    by = seat_of(digits) if digits else "staff"
    enter(table, f"nominate {table.jackpot.offer.box} {by}")
