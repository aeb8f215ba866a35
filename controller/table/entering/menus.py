"""The keypad's lists and questions: what goes wrong, put right with a few keys.

``X`` opens the list of what may be chosen now. ``.`` shows the next choice, ``#`` takes the one
that is shown, a number and ``#`` that one; ``*`` leaves. What a command still lacks is asked: a
box, a sum, which card and what it is, where it lies; for the supervisor the reason, once for a
whole correction. A list is closed when a card comes, or when the table takes another state.

A letter leaves the list and does what it always does, but not ``E``, which would go on with the
round: it is refused, and the list stays. Once something was chosen, any letter is: what was begun
is not lost by a key that was meant for something else, nor by a last value that is refused.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.round.model import BETTORS
from controller.game.round.refusal import Refused
from controller.game.round.steps.reading_irregular import CORRECTIONS
from controller.game.round.steps.remedies import Continue, WagerLies
from controller.game.rules.cards import Card
from controller.game.rules.triggers import NOT_ASKED
from controller.table.command_reading import read_supervisor_command
from controller.table.dealing.correcting import TakesBack
from controller.table.entering import choices
from controller.table.entering.given_by_keys import enter, order
from controller.table.entering.grammar import AMOUNT_KEYS, LONGEST
from controller.table.entering.supervising import NEEDS_WHY
from controller.table.state.entering import Menu, MenuChoice
from controller.table.state.table import Table

KEYS = AMOUNT_KEYS | {"#", "*"}
"""The keys that a list or question takes."""

WHY = "WHY"
"""What is asked of a supervisor at last."""

CHOSEN = frozenset({"TRIGGER", "N", "KIND"})
"""The values that are chosen from a list."""

_NO_REASON = frozenset({"done"})
"""Commands whose reason was given with what they end."""


def open_menu(table: Table) -> Menu | None:
    """The list or question that is open, None where there is none: no reason is asked for a
    correction that somebody else has ended, and no value while its command waits for the gate."""
    menu = table.entering.keypad.menu
    if menu is None or menu.seen_in != table.state or table.entering.pending is not None:
        return None
    ended = menu.words == "done" and not (table.rnd and table.rnd.irregular.edits)
    return None if ended else menu


def keeps(menu: Menu, pressed: str) -> bool:
    """Whether the list or question stays open when that letter is pressed, which is refused."""
    return pressed == "E" or bool(menu.words)


def open_list(table: Table, *, supervisor: bool) -> None:
    """``X``: open the list of what may be chosen now.

    Raises:
        Refused: there is nothing.
    """
    found = choices.commands(table, supervisor=supervisor)
    if not found:
        short = "NO CHOICE NOW" if supervisor else "SUPERVISOR'S KEY"
        raise Refused("nothing may be chosen here now", short=short)
    table.entering.keypad.menu = Menu(table.state, supervisor, found)


def ask(table: Table, words: str, *, supervisor: bool) -> None:
    """Ask for the next value that the command ``words`` lacks; carry it out where it lacks none.

    Raises:
        Refused: it is refused, or there is nothing to choose from.
    """
    pad = table.entering.keypad
    blank = next((word for word in words.split() if word in choices.VALUES), "")
    found: tuple[MenuChoice, ...] = ()
    if blank == "TRIGGER":
        found = choices.reports(table, supervisor=supervisor)
    elif blank == "N":
        found = choices.cards(table, words, supervisor=supervisor)
    elif blank == "KIND":
        found = choices.kinds(table, words)
    elif not blank:
        if not supervisor or not _needs_reason(table, words):
            try:
                _carry_out(table, words, supervisor=supervisor)
            except TakesBack:  # with a name and a reason the supervisor may
                pass
            else:
                return
        blank, found = WHY, choices.reasons(words)
    if not found and blank in CHOSEN:
        raise Refused(f"{words}: the round is gone", short="NO SUCH CHOICE", code="round-is-gone")
    pad.menu = Menu(table.state, supervisor, found, blank, words)


def _needs_reason(table: Table, words: str) -> bool:
    """Whether a reason is asked for the command; not for one that is refused anyway."""
    verb = words.split(maxsplit=1)[0]
    if verb in CORRECTIONS:
        return not goes_on(table)
    if verb == WagerLies.verb:
        return True
    offered = choices.commands(table, supervisor=True)
    why = {*(NEEDS_WHY - _NO_REASON), *([Continue.verb] if table.holds.has(NOT_ASKED) else [])}
    return verb in why and any(words == choice.words for choice in offered)


def goes_on(table: Table) -> bool:
    """Whether a correction is being made for which the supervisor has given a reason already."""
    return bool(table.rnd and table.rnd.irregular.edits) and not table.dealing.by_dealer


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
        try:
            _take(table, menu, keyed)
        except Refused as refused:
            pad.tell(refused)
    elif len(pad.keyed) < LONGEST:
        pad.keyed += pressed
    else:
        pad.says = "NO: TOO LONG"


def _take(table: Table, menu: Menu, keyed: str) -> None:
    """Take what was chosen or keyed, and go on with it."""
    if menu.asked == WHY and not keyed:
        raise Refused("the reason is chosen by its number", short="KEY ITS NUMBER")
    if menu.asked == WHY:
        why = _chosen(menu, keyed).words
        _carry_out(table, menu.words, supervisor=True, why=why)
    elif menu.choices and "." in keyed and any(c.words == choices.NAME_CARD for c in menu.choices):
        words = f"card {_card(keyed)}"
        ask(table, words, supervisor=menu.supervisor)
    elif menu.choices:
        ask(table, _chosen(menu, keyed).words, supervisor=menu.supervisor)
    else:
        value = _value(menu.asked, keyed)
        ask(table, menu.words.replace(menu.asked, value, 1), supervisor=menu.supervisor)


def _carry_out(table: Table, words: str, *, supervisor: bool, why: str = "") -> None:
    """Carry the command out and leave the list. The question for its last value stays where it is
    refused, and until the gate is locked that it waits for; a reason is no such value."""
    goes_on_with_it = goes_on(table)
    pad = table.entering.keypad
    value = pad.menu is not None and pad.menu.words and pad.menu.asked != WHY
    if not value:
        pad.menu = None
    if supervisor:
        order(table, read_supervisor_command(words), why, named=goes_on_with_it)
    elif not enter(table, words) or table.entering.pending is not None:
        return
    elif words.endswith(" refuse"):
        # The next player may be asked alike: the rows have to differ.
        pad.says = f"OK: {words}"
    pad.menu = None


def _chosen(menu: Menu, keyed: str) -> MenuChoice:
    if not keyed:
        return menu.choices[menu.at]
    for choice in menu.choices:
        if keyed == str(choice.number):
            return choice
    raise Refused(f"there is no choice {keyed}", short="NO SUCH CHOICE")


def _value(asked: str, keyed: str) -> str:
    """The keys as the value asked for, as a command writes it."""
    match asked:
        case "CARD":
            return str(_card(keyed))
        case "PLACE":
            return {"0": "dealer", ".": "out"}.get(keyed) or _place(keyed)
        case "BOX":
            return _seat(keyed)
    assert asked == "AMOUNT"
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
    if point and bettor not in tuple("12345678"):
        raise Refused(f"{keyed!r} is no box and bettor", short="NO SUCH BETTOR")
    return _box(box) + (BETTORS[int(bettor) - 1] if point else "")


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
