"""Commands that keys of the dealer's keypad make.

What the dealer may leave out is filled in: the box and hand in turn, the whole wager for a double,
half of it for insurance. A refusal is shown on the keypad and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import RAISE
from controller.game.commands.values import Malformed, Seat
from controller.game.money import write_amount
from controller.game.round.model import BETTORS, Hand
from controller.game.round.permitted import hand_to_decide, proposed
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Reconstruct
from controller.game.round.states import State
from controller.game.round.wagers import MAIN
from controller.table import sequence
from controller.table.betting import below_minimum, bets
from controller.table.dealing import deciders, squeezing, voiding
from controller.table.entering import fence, menus, undo
from controller.table.entering.commands import (
    BURN,
    CLOSE,
    DONE,
    INSPECTED,
    NEXT,
    OPEN,
    UNDO,
    dealer_commands,
)
from controller.table.entering.menus import enter, order
from controller.table.entering.supervising import VOID
from controller.table.shoe import burning
from controller.table.state.course import Phase
from controller.table.state.table import Table

KEYED_BETTORS: Final = {str(digit): bettor for digit, bettor in enumerate(BETTORS, 1)}
"""The bettors by the digit behind the box: ``3.2`` is b at box 3."""


def act(table: Table, pressed: str, keyed: str, supervisor: bool) -> None:
    """Do what a key says that is a whole command, opens a list, or ends what was ``keyed``."""
    try:
        if pressed == "#":
            _end_of(table, keyed, supervisor)
        elif pressed == "X":
            menus.open_list(table, supervisor=supervisor)
        elif pressed == "R":
            menus.ask_value(table, Reconstruct().command, supervisor=supervisor)
        else:
            _at_once(table, pressed, supervisor)
    except Refused as refused:
        table.entering.keypad.tell_result(refused)
    except Malformed as error:
        table.entering.keypad.tell_result(menus.no_amount(error))


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
    hand = hand_to_decide(table.rnd) if table.rnd else None
    if hand is None:
        raise Refused("no hand is in turn", short="NO HAND IN TURN")
    return hand


def _turn_seat(table: Table) -> Seat:
    """The hand in turn; a bettor of its box where one was chosen."""
    hand, chosen = _hand(table), table.entering.keypad.seat
    if chosen and chosen.box == hand.box and chosen.bettor:
        return chosen
    return Seat(hand.box)


def _at_once(table: Table, pressed: str, supervisor: bool) -> None:
    match pressed:
        case "O":
            enter(table, OPEN)
        case "N":
            if enter(table, CLOSE):
                back = below_minimum.short_returned(table)
                table.entering.keypad.says = back or bets.short_count(table)
        case "S":
            enter(table, Command("stand", Seat(_turn_seat(table).box)))
        case "L":
            _split(table)
        case "W":
            enter(table, Command("withdraw", _turn_seat(table)))
        case "E":
            _go_on(table, supervisor)
        case _:
            assert pressed == "F"
            _face(table)


def take_back(table: Table) -> None:
    """``*``: takes the last entry back and shows which it was."""
    said = undo.said_last(table)
    stood = fence.wager_as_it_stands(table, said)
    if enter(table, UNDO) and table.entering.pending is None:
        table.entering.keypad.says = undo.keypad_row(stood or str(said))


def _split(table: Table) -> None:
    """Split; or, after the split, add a standing bettor's wager to the new hand."""
    follows = table.rnd is not None and table.rnd.state == State.PLAY_SPLIT_CARD
    seat = _turn_seat(table)
    enter(table, Command("follow", seat) if follows else Command("split", Seat(seat.box)))


def _face(table: Table) -> None:
    """Turn cards up or down where boxes squeeze, else name who has the button."""
    chosen, offer = table.entering.keypad.seat, table.jackpot.offer
    if boxes := squeezing.to_reveal(table):
        box = chosen.box if chosen and chosen.box in boxes else boxes[0]
        enter(table, Command("reveal", Seat(box)))
    elif squeezing.may_squeeze(table):
        box = _seat(table).box
        enter(table, Command("squeeze", Seat(box), ends=box in table.dealing.squeezed))
    else:
        table.entering.keypad.says = f"BUTTON: BOX {offer.box}" if offer else "NO: NO BUTTON NOW"


def _go_on(table: Table, supervisor: bool) -> None:
    """``E``: what goes on from here."""
    corrected = table.rnd is not None and bool(table.rnd.irregular.edits)
    if corrected and supervisor:
        menus.ask_value(table, DONE, supervisor=True)
    elif table.hold is not None and supervisor:
        order(table, deciders.RESUME)
    elif keeps := _keeps(table):
        enter(table, keeps)
    elif table.phase is Phase.ENDED:
        enter(table, NEXT)
    elif table.phase is Phase.CLOSED:
        enter(table, INSPECTED)
    else:
        enter(table, BURN if burning.may_burn(table) else DONE)


def _keeps(table: Table) -> Command | None:
    """``keep`` of the one bettor who may withdraw, so that it can be said to be wrong later; None
    where none or several may."""
    rnd = table.rnd
    if rnd is None or rnd.state != State.PLAY_WITHDRAW:
        return None
    found = [command for command in dealer_commands(table) if command.verb == "keep"]
    return found[0] if len(found) == 1 else None


def _end_of(table: Table, keyed: str, supervisor: bool) -> None:
    """``#``: makes a command of the keys."""
    letter, digits = keyed[:1], keyed[1:]
    match letter:
        case "M" | "P" | "J":
            _wager(table, _seat(table), _kind(table, letter), digits)
        case "D" | "Y":
            verb = "double" if letter == "D" else "buy"
            _raise(table, Command(verb, _turn_seat(table)), digits)
        case "I":
            _insure(table, *digits.partition("B"))
        case "U":
            enter(table, Command("surrender", _seat(table)))
        case "A" if table.jackpot.offer is not None:
            by = seat_of(digits) if digits else None
            enter(table, Command("nominate", Seat(table.jackpot.offer.box), by=by))
        case "A":
            _hand_or_nobody(table, digits)
        case "V" if supervisor:
            waits = table.entering.void_asked is not None
            menus.ask_value(table, voiding.CONFIRM if waits else VOID, supervisor=True)
        case "V":
            raise Refused("turn the supervisor's key", short="SUPERVISOR'S KEY")


def _raise(table: Table, command: Command, digits: str) -> None:
    """Give it with the sum that was keyed, else with the one that is meant, where it is known."""
    if not digits and table.rnd:
        digits = write_amount(proposed(table.rnd, command)) or ""
    enter(table, _with_sum(command, digits))


def _with_sum(command: Command, digits: str) -> Command:
    """The command with the sum that was keyed, if one was."""
    return replace(command, open=(RAISE.name,)).filled(digits) if digits else command


def _wager(table: Table, seat: Seat, kind: str, digits: str) -> None:
    if enter(table, _with_sum(Command("wager", seat, kind=kind), digits)):
        stake = table.betting.sheet.of_box(kind, seat.box).get(seat.bettor or "a")
        if below_minimum.is_below(table, kind, stake):
            table.entering.keypad.says = below_minimum.short(table, seat.box, seat.bettor or "a")


def _kind(table: Table, letter: str) -> str:
    if letter == "M":
        return MAIN
    for kind, rule in table.rules.side_wagers.items():
        if rule.keypad == letter:
            return kind
    sequence.check(table, "wager")  # bets that are not open are the first reason
    raise Refused(
        f"these rules have no side wager of the key {letter}",
        table.rules.betting.side_wagers.clause,
        short="NO SUCH WAGER",
    )


def _insure(table: Table, digits: str, taken_up: str, owner: str) -> None:
    """Insure the chosen bettor's own wager, or one that its owner declined to insure."""
    seat = _seat(table)
    insured = seat_of(owner) if taken_up else None
    _raise(table, Command("insure", seat, owner=insured), digits)


def _hand_or_nobody(table: Table, digits: str) -> None:
    """``0``: the deciding bettor is absent; else the number of the hand that a single wager stays
    on."""
    seat = _turn_seat(table) if table.mid_round else None
    if seat and digits == "0":
        enter(table, Command("absent", seat))
    elif seat and digits in tuple("123456789"):
        enter(table, Command("place", seat, hand=int(digits)))
    else:
        raise Refused("the button is not offered to anybody", short="NO BUTTON NOW")
