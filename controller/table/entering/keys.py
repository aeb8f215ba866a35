"""The dealer's keypad: keys are collected until they form a command.

``*`` clears the keys pressed so far, a refusal or a page of what is owed; without any, it takes the
last command back.
``B`` chooses the box (with ``.2`` or ``.3`` the standing bettor b or c, with ``.4`` to ``.8`` a
person outside the box, d to h) that wagers, insurance and surrender are for; it stays chosen until
another is, or a card comes. Keys pressed while a command waits for the gate are kept and processed
after it. The letters of commands are in :mod:`controller.game.commands.verbs`.

What the dealer may leave out is filled in: the box and hand in turn, the whole wager for a double,
half of it for insurance. A refusal is shown on the keypad and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import RAISE
from controller.game.commands.values import Seat, write_amount
from controller.game.commands.verbs import VERBS
from controller.game.round.permitted import hand_to_decide, proposed
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Reconstruct
from controller.game.round.states import State
from controller.game.round.wagers import MAIN
from controller.table import below_minimum, betting, sequence
from controller.table.dealing import irregularities, squeezing, voiding
from controller.table.entering import commands, fence, menus
from controller.table.entering.menus import AMOUNT_KEYS, KEYED_BETTORS, LONGEST, enter, seat_of
from controller.table.entering.supervising import VOID
from controller.table.events.of_devices import KeyPressed
from controller.table.shoe import shuffling
from controller.table.state.entering import owed_pages
from controller.table.state.parts import Phase
from controller.table.state.table import Table

_LETTERS: Final = {row.key for row in VERBS.values() if row.key[:1].isalpha()}
PUT_RIGHT: Final = frozenset("XR")
"""Keys that put something right, some of them by a list (:mod:`~.menus`)."""
COLLECTING: Final = frozenset("BPJ").union(key[0] for key in _LETTERS if key.endswith("#"))
AT_ONCE: Final = frozenset(key for key in _LETTERS if len(key) == 1) - PUT_RIGHT
READS: Final = "."
MOST_WAITING: Final = 20


def key(table: Table, event: KeyPressed) -> None:
    """A key was pressed."""
    pressed, supervisor = event.key, bool(event.supervisor)
    pad = table.entering.keypad
    if table.entering.pending is None:
        process_key(table, pressed, supervisor)
    elif table.devices["shoe"].trouble() or len(pad.waiting) == MOST_WAITING:
        pad.says = "NO: WAIT FOR SHOE"
    else:
        pad.waiting.append((pressed, supervisor))


def process_key(table: Table, pressed: str, supervisor: bool) -> None:
    """Process one key: collect it, or make a command of the keys so far."""
    pad = table.entering.keypad
    refused, pad.says = pad.has_refused, ""
    page, pad.page = pad.page, 0
    if menu := menus.open_menu(table):
        if pressed in menus.KEYS:
            menus.press(table, pressed, supervisor=supervisor)
            return
        if menus.keeps(menu, pressed):
            pad.says = "NO: * LEAVES IT"
            return
    pad.leave_menu()
    if pressed == "*":
        if pad.keyed:
            pad.seat = None if pad.keyed.startswith("B") else pad.seat
            pad.keyed = ""
        elif not refused and not page:
            take_back(table)  # else it was meant to clear the refusal or page, and has
    elif pressed == "#" or pressed in AT_ONCE or pressed in PUT_RIGHT:
        before, pad.keyed = pad.keyed, ""
        with menus.refusals_shown(table):
            if pressed == "#":
                _end_of(table, before, supervisor)
            else:
                _at_once(table, pressed, supervisor)
    elif pressed == "B" and pad.keyed.startswith("I"):
        pad.keyed += pressed
    elif pressed in COLLECTING:
        pad.keyed = pressed
    elif pressed not in AMOUNT_KEYS:
        pad.says = "NO: UNKNOWN KEY"
    elif pressed == READS and not pad.keyed:
        _read_on(table, page)
    elif not pad.keyed:
        pad.says = "NO: LETTER FIRST"
    elif len(pad.keyed) < LONGEST:
        pad.keyed += pressed
        _box_chosen(table)
    else:
        pad.says = "NO: TOO LONG"


def _read_on(table: Table, page: int) -> None:
    """Show the next page of what is owed; behind the last one, what is awaited again."""
    pages = owed_pages(table.rnd, table.dealing.owed)
    table.entering.keypad.page = page + 1 if page < len(pages) else 0
    table.entering.keypad.says = "" if pages else "NO: NOTHING OWED"


def _box_chosen(table: Table) -> None:
    """``B`` and a digit choose the box at once; a bettor may follow."""
    pad = table.entering.keypad
    if pad.keyed[0] != "B":
        return
    digits = pad.keyed[1:]
    if len(digits) == 1 and digits.isdecimal() and 1 <= int(digits) <= table.settings.boxes:
        pad.seat = Seat(int(digits))
    elif len(digits) == 3 and digits[2] in KEYED_BETTORS:
        pad.seat = seat_of(digits)
        pad.keyed = ""
    elif not (len(digits) == 2 and digits[1] == "."):
        pad.keyed, pad.seat = "", None
        pad.says = "NO: NO SUCH BOX"


def _seat(table: Table) -> Seat:
    if table.entering.keypad.seat is None:
        raise Refused("press B and the box first", short="B AND BOX FIRST")
    return table.entering.keypad.seat


def _turn_seat(table: Table) -> Seat:
    """The hand in turn or next; a bettor of its box where one was chosen."""
    hand = hand_to_decide(table.rnd) if table.rnd else None
    if hand is None:
        raise Refused("no hand is in turn", short="NO HAND IN TURN")
    chosen = table.entering.keypad.seat
    if chosen and chosen.box == hand.box and chosen.bettor:
        return chosen
    return Seat(hand.box)


def _at_once(table: Table, pressed: str, supervisor: bool) -> None:
    """A key that is a whole command, or opens a list."""
    match pressed:
        case "X":
            menus.open_list(table, supervisor=supervisor)
        case "R":
            menus.ask_value(table, Reconstruct().command, supervisor=supervisor)
        case "O":
            enter(table, commands.OPEN)
        case "N":
            if enter(table, commands.CLOSE):
                back = below_minimum.short_returned(table)
                table.entering.keypad.says = back or betting.short_count(table)
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
    said = commands.said_last(table)
    stood = fence.wager_as_it_stands(table, said)
    if enter(table, commands.UNDO) and table.entering.pending is None:
        table.entering.keypad.says = commands.keypad_row(stood or str(said))


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
    corrected = bool(table.corrections)
    if corrected and supervisor:
        menus.ask_value(table, commands.DONE, supervisor=True)
    elif table.hold is not None and supervisor:
        menus.order(table, irregularities.RESUME)
    elif keeps := _keeps(table):
        enter(table, keeps)
    elif table.phase is Phase.ENDED:
        enter(table, commands.NEXT)
    elif table.phase is Phase.CLOSED:
        enter(table, commands.INSPECTED)
    else:
        enter(table, commands.BURN if shuffling.may_burn(table) else commands.DONE)


def _keeps(table: Table) -> Command | None:
    """``keep`` of the one bettor who may withdraw, so that it can be said to be wrong later; None
    where none or several may."""
    rnd = table.rnd
    if rnd is None or rnd.state != State.PLAY_WITHDRAW:
        return None
    found = [command for command in commands.dealer_commands(table) if command.verb == "keep"]
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
            digits, taken_up, owner = digits.partition("B")  # the owner had declined to insure it
            insured = Command("insure", _seat(table), owner=seat_of(owner) if taken_up else None)
            _raise(table, insured, digits)
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


def _hand_or_nobody(table: Table, digits: str) -> None:
    """``0``: the deciding bettor is absent; else the hand that a single wager stays on."""
    seat = _turn_seat(table) if table.mid_round else None
    if seat and digits == "0":
        enter(table, Command("absent", seat))
    elif seat and digits in tuple("123456789"):
        enter(table, Command("place", seat, hand=int(digits)))
    else:
        raise Refused("the button is not offered to anybody", short="NO BUTTON NOW")
