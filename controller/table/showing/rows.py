"""The keypad's two rows: what is awaited, and the keys pressed or their result."""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import Option
from controller.game.round.irregular.cases import remedy_steps
from controller.game.round.irregular.options import supervisors_options
from controller.game.round.looks import put_back
from controller.game.round.model import BETTORS
from controller.game.round.remedies import ChooseOption
from controller.game.round.states import State
from controller.table.dealing import correcting
from controller.table.entering import choices, menus
from controller.table.entering.fence import needed_device
from controller.table.shoe import cutting, shuffling
from controller.table.showing.prompt_text import PromptText
from controller.table.state.entering import ROW_LENGTH, Keypad, Menu, owed_pages
from controller.table.state.holds import as_told
from controller.table.state.table import Table

QUESTIONS: Final = {
    "box": "box ?",
    "amount": "sum ?",
    "card": "rank.suit? 1C2D3H4S",
    "place": "box? 0 dealer . none",
}
"""The second row where a value is keyed."""


def rows(table: Table, said: PromptText) -> tuple[str, str]:
    """The two rows of the keypad: a list or question that is open, a page of what is owed, or what
    is awaited. Then the second row shows the keys so far, or the answer to the last key. While the
    table is held it shows the reason, behind ``NO:`` where a key has just been refused for it;
    unless one was refused for another reason. An earlier ``OK`` would hide it."""
    pad = table.entering.keypad
    if menu := menus.open_menu(table):
        first, second = _of_menu(table, menu)
        return _row(first), _row(second)
    keyed = "" if pad.menu else pad.keyed  # a list that is closed by now took the keys
    pages = owed_pages(table.rnd, table.dealing.owed) if pad.page else []
    if 0 < pad.page <= len(pages):
        what, done = pages[pad.page - 1]
        return _row(_numbered(what.replace("_", " "), f"{pad.page}/{len(pages)}")), _row(done)
    stale = "HELD" in pad.says and table.hold is None
    second = (
        ("" if pad.has_refused or keyed else _correction(table))
        or ("" if stale else pad.says)
        or _keyed(pad, keyed)
        or cutting.short(table)
        or ("BURN FIRST: E" if shuffling.may_burn(table) else "")
        or _hint(table)
    )
    why = _why_held(table)
    if why and not keyed:
        if not pad.says.startswith(("NO:", "OK: ")):
            second = why
        elif "HELD" in pad.says:
            second = f"NO: {why}"
    return _row(said.short), _row(second)


def _of_menu(table: Table, menu: Menu) -> tuple[str, str]:
    """Of a list the choice with its number, its clause and its place; or what is asked. The second
    row shows the keys so far, or a refusal, if there are any."""
    pad = table.entering.keypad
    said = pad.says or pad.keyed
    if menu.command and menu.command.next_slot and not menu.choices:
        card = choices.card_meant(table, menu.command, supervisor=menu.supervisor)
        question = QUESTIONS[menu.command.next_slot.kind]
        return f"{choices.label_of(menu.command)}{card}:", said or question
    shown = menu.choices[menu.at]
    place = f"{menu.at + 1}/{len(menu.choices)}"
    room = ROW_LENGTH - len(place) - 1
    return f"{shown.number} {shown.label}", said or f"{shown.clause[:room]:<{room}} {place}"


def _numbered(what: str, place: str) -> str:
    """A page's name in front of its place, which is never cut off."""
    room = ROW_LENGTH - len(place) - 1
    short = what if len(what) <= room else what.replace(" in the round", " round")
    return f"{short[:room]} {place}"


def _keyed(pad: Keypad, keyed: str) -> str:
    if keyed == "V":
        return "VOID THE ROUND? #"
    if keyed == "B":
        return "BOX ?"
    chosen = ""
    if pad.seat:
        bettor = f".{BETTORS.index(pad.seat.bettor) + 1}" if pad.seat.bettor else ""
        chosen = f"BOX {pad.seat.box}{bettor}"
    keyed = "" if keyed.startswith("B") else keyed
    return f"{chosen} {keyed}".strip()


def _correction(table: Table) -> str:
    """What to do about a correction that the dealer may not end; the first row says why not."""
    if table.rnd is None or not table.rnd.irregular.edits:
        return ""
    return "KEY E, OR * BACK" if correcting.refused(table, by_dealer=True) else ""


def _hint(table: Table) -> str:
    """What else may be done or read, where nothing else is to be said. ``E`` goes on and forgets
    what is owed: that stands in front, so that it is read before."""
    rnd = table.rnd
    if rnd is None:
        return ""
    owed, choice = bool(table.dealing.owed), ""
    if rnd.irregular.options is not None and rnd.irregular.irregularity is None:
        steps = remedy_steps(rnd)
        others = supervisors_options(rnd)
        returns = [s for s in steps if isinstance(s, ChooseOption) and s.option is Option.RETURN]
        if any(step not in others for step in returns):
            choice = "BACK? X E" if owed else "WAGERS BACK? X E"
        elif others:
            choice = "KEY: X, E" if owed else "KEY: SEE X, ELSE E"
    waits = put_back(rnd) and not rnd.irregular.edits
    if not choice and waits and rnd.state in (State.PLAY_SPLIT_CARD, State.PLAY_DOUBLE_CARD):
        choice = "CARD: E" if owed else "CARD WAITS: E"
    if choice:
        return f"OWED . {choice}" if owed else choice
    return "OWED: KEY ." if owed else ""


def _why_held(table: Table) -> str:
    missing = needed_device(table)
    fault = (
        as_told(table.holds.standing)[0].fault if table.hold else missing.fault if missing else ""
    )
    return fault.replace("-", " ")


def _row(text: str) -> str:
    plain = text.upper().encode("ascii", "replace").decode("ascii")
    return plain[:ROW_LENGTH]
