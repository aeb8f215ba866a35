"""The keypad's lists and questions: what goes wrong, put right with a few keys.

``X`` opens the list of what may be chosen now. ``.`` shows the next choice, ``#`` takes the one
that is shown, a number and ``#`` that one; ``*`` leaves. What a command still lacks is asked, slot
by slot: a box, a sum, which card and what it is, where it lies; for the supervisor the reason, once
for a whole correction. A list is closed when a card comes, or when the table takes another state.

A letter leaves the list and does what it always does, but not ``E``, which would go on with the
round: it is refused, and the list stays. Once something was chosen, any letter is: what was begun
is not lost by a key that was meant for something else, nor by a last value that is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import CARD_NUMBER, KIND, TRIGGER
from controller.game.commands.values import Malformed, Option, Seat
from controller.game.commands.verbs import CORRECTIONS, LYING, Fact, those
from controller.game.round.model import BETTORS
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Continue
from controller.game.rules.cards import Card
from controller.game.rules.cases import NOT_ASKED
from controller.table.dealing.correcting import TakesBack
from controller.table.entering import choices, fence, supervising
from controller.table.entering.commands import DONE
from controller.table.events.of_people import KEY_SWITCH, Giver
from controller.table.state.entering import Menu, MenuChoice
from controller.table.state.table import Table

AMOUNT_KEYS: Final = frozenset("0123456789.")
LONGEST: Final = 12
KEYS: Final = AMOUNT_KEYS | {"#", "*"}
"""The keys that a list or question takes."""

KEYED_BETTORS: Final = {str(digit): bettor for digit, bettor in enumerate(BETTORS, 1)}
"""The bettors by the digit behind the box: ``3.2`` is b at box 3."""


def enter(table: Table, command: Command) -> bool:
    """Give a dealer's command that keys have made; whether it was accepted. A refusal is shown on
    the keypad and changes nothing."""
    try:
        fence.take_command(table, command, from_keypad=True)
    except Refused as refused:
        table.entering.keypad.tell_result(refused)
        return False
    if table.entering.pending is None:
        table.entering.keypad.tell_result(None, fence.echo_of(table, command))
    return True


def order(table: Table, command: Command, why: str = "", *, named: bool = False) -> None:
    """Give a supervisor's command by the key switch, or raise :class:`Refused`; ``named``: its
    reason was given before."""
    supervising.carry_out(table, command, named=named or bool(why), who=Giver(KEY_SWITCH))
    reason = f": {why}" if why else ""
    table.note(f"supervisor: {command} by {KEY_SWITCH}{reason}")
    table.entering.keypad.tell_result(None)


@contextmanager
def refusals_shown(table: Table) -> Iterator[None]:
    """Have the keypad show what is refused meanwhile: a command, or a sum that is none."""
    try:
        yield
    except Refused as refused:
        table.entering.keypad.tell_result(refused)
    except Malformed as error:
        table.entering.keypad.tell_result(Refused(str(error), short="NO SUCH AMOUNT"))


def open_menu(table: Table) -> Menu | None:
    """The list or question that is open, None where there is none: no reason is asked for a
    correction that somebody else has ended, and no value while its command waits for the gate."""
    menu = table.entering.keypad.menu
    if menu is None or menu.seen_in != table.state or table.entering.pending is not None:
        return None
    ended = menu.command == DONE and not table.corrections
    return None if ended else menu


def keeps(menu: Menu, pressed: str) -> bool:
    """Whether the list or question stays open when that letter is pressed, which is refused."""
    return pressed == "E" or menu.command is not None


def open_list(table: Table, *, supervisor: bool) -> None:
    """``X``: open the list of what may be chosen now; Refused where there is nothing."""
    found = choices.commands(table, supervisor=supervisor)
    if not found:
        short = "NO CHOICE NOW" if supervisor else "SUPERVISOR'S KEY"
        raise Refused("nothing may be chosen here now", short=short)
    table.entering.keypad.menu = Menu(table.state, supervisor, found)


def ask_value(table: Table, command: Command, *, supervisor: bool) -> None:
    """Ask for the next value that the command lacks; carry it out where it lacks none. Raises
    :class:`Refused`, also where there is nothing to choose from."""
    found: tuple[MenuChoice, ...] = ()
    asked, is_chosen = command.next_slot, True
    if asked is None:
        if not supervisor or not _needs_reason(table, command):
            try:
                _carry_out(table, command, supervisor=supervisor)
            except TakesBack:  # with a name and a reason the supervisor may
                pass
            else:
                return
        found = choices.reasons(command)
    elif asked.name == TRIGGER.name:
        found = choices.reports(table, supervisor=supervisor)
    elif asked.name == CARD_NUMBER.name:
        found = choices.cards(table, command, supervisor=supervisor)
    elif asked.name == KIND.name:
        found = choices.kinds(table, command)
    else:
        is_chosen = False
    if is_chosen and not found:
        raise Refused(f"{command}: the round is gone", short="NO SUCH CHOICE", code="round-is-gone")
    table.entering.keypad.menu = Menu(table.state, supervisor, found, command)


def _needs_reason(table: Table, command: Command) -> bool:
    """Whether a reason is asked for the command; not for one that is refused anyway, nor where it
    was given with what it ends."""
    if command.verb in CORRECTIONS:
        return not goes_on(table)
    if command.verb == LYING.name:
        return True
    why = {*those(Fact.WHY), *([Continue.verb] if table.holds.has(NOT_ASKED) else [])}
    found = choices.commands(table, supervisor=True)
    offered = any(command == choice.command for choice in found)
    return command != DONE and command.verb in why and offered


def goes_on(table: Table) -> bool:
    """Whether a correction is being made for which the supervisor has given a reason already."""
    return bool(table.corrections) and not table.dealing.by_dealer


def press(table: Table, pressed: str, *, supervisor: bool) -> None:
    """Process a key of the list or question that is open."""
    pad, menu = table.entering.keypad, open_menu(table)
    assert menu
    if pressed == "*":
        pad.menu, pad.keyed = menu if pad.keyed else None, ""
    elif menu.supervisor and not supervisor:
        pad.says = "NO: SUPERVISOR'S KEY"
    elif pressed == "." and menu.choices and not pad.keyed:
        pad.menu = replace(menu, at=(menu.at + 1) % len(menu.choices))
    elif pressed == "#":
        keyed, pad.keyed = pad.keyed, ""
        with refusals_shown(table):
            _take_choice(table, menu, keyed)
    elif len(pad.keyed) < LONGEST:
        pad.keyed += pressed
    else:
        pad.says = "NO: TOO LONG"


def _take_choice(table: Table, menu: Menu, keyed: str) -> None:
    command, supervisor = menu.command, menu.supervisor
    if command is not None and command.next_slot is None:
        if not keyed:
            raise Refused("the reason is chosen by its number", short="KEY ITS NUMBER")
        _carry_out(table, command, supervisor=True, why=_chosen(menu, keyed).label)
    elif "." in keyed and supervising.NAME_CARD in (choice.command for choice in menu.choices):
        ask_value(table, supervising.NAME_CARD.filled(str(_card(keyed))), supervisor=supervisor)
    elif menu.choices:
        chosen = _chosen(menu, keyed).command
        assert chosen
        ask_value(table, chosen, supervisor=supervisor)
    else:
        assert command
        assert command.next_slot
        filled = command.filled(_value(command.next_slot.kind, keyed))
        ask_value(table, filled, supervisor=supervisor)


def _carry_out(table: Table, command: Command, *, supervisor: bool, why: str = "") -> None:
    """Carry the command out and leave the list. The question for its last value stays where it is
    refused, and until the gate is locked that it waits for; a reason is no such value."""
    goes_on_with_it = goes_on(table)
    pad = table.entering.keypad
    value = pad.menu is not None and pad.menu.command is not None and pad.menu.command.open
    if not value:
        pad.menu = None
    if supervisor:
        order(table, command, why, named=goes_on_with_it)
    elif not enter(table, command) or table.entering.pending is not None:
        return
    elif command.option == Option.REFUSE:
        # The next player may be asked alike: the rows have to differ.
        pad.says = f"OK: {command}"
    pad.menu = None


def _chosen(menu: Menu, keyed: str) -> MenuChoice:
    if not keyed:
        return menu.choices[menu.at]
    for choice in menu.choices:
        if keyed == str(choice.number):
            return choice
    raise Refused(f"there is no choice {keyed}", short="NO SUCH CHOICE")


def _value(kind: str, keyed: str) -> str:
    """The keys as the value of a slot of that kind, as a command writes it."""
    match kind:
        case "card":
            return str(_card(keyed))
        case "place":
            return {"0": "dealer", ".": "out"}.get(keyed) or _place(keyed)
        case "box":
            return _seat(keyed)
    assert kind == "amount"
    whole, point, cents = keyed.partition(".")
    if not whole.isdecimal() or (point and not (cents.isdecimal() and len(cents) <= 2)):
        raise Refused(f"{keyed!r} is no amount", short="NO SUCH AMOUNT")
    return keyed


def _place(keyed: str) -> str:
    box, point, hand = keyed.partition(".")
    if point and hand not in tuple("123456789"):
        raise Refused(f"{keyed!r} is no box and hand", short="NO SUCH HAND")
    return _box(box) + point + hand


def _seat(keyed: str) -> str:
    """A box, or one of its bettors as elsewhere: ``1.2`` is 1b."""
    box, point, bettor = keyed.partition(".")
    if point and bettor not in KEYED_BETTORS:
        raise Refused(f"{keyed!r} is no box and bettor", short="NO SUCH BETTOR")
    return _box(box) + (KEYED_BETTORS[bettor] if point else "")


def seat_of(digits: str) -> Seat:
    """``3`` or ``3.2`` as a box and bettor."""
    box, _, bettor = digits.partition(".")
    if box not in tuple("123456789") or bettor not in ("", *KEYED_BETTORS):
        raise Refused(f"{digits!r} is no box and bettor", short="NO SUCH BOX")
    return Seat(int(box), KEYED_BETTORS.get(bettor))


def _box(keyed: str) -> str:
    if keyed not in tuple("123456789"):
        raise Refused(f"{keyed!r} is no box", short="NO SUCH BOX")
    return keyed


def _card(keyed: str) -> Card:
    """``9.2`` is 9D: the rank, 1 ace to 13 king, then 1 to 4 for C, D, H, S."""
    rank, _, suit = keyed.partition(".")
    if not (rank.isdecimal() and suit in tuple("1234") and 1 <= int(rank) <= 13):
        raise Refused(
            f"{keyed!r} is no card: expected rank and suit",
            short="9.2 IS 9 DIAM.",
            code="unreadable-card",
        )
    return Card(int(rank), int(suit))
