"""Write the page of every key in every state of the keypad.

Nothing of it is decided here: every key is pressed at a table that was brought into each state,
with the supervisor's key turned and not, and what it did is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from controller.table.entering import menus
from pages.generated import DOCS, as_table, cells, parts
from pages.table.played_tables import Played, brought, locked

RULES: Final = "mbs-pontoon-pandemonium-v5"

GRAMMAR: Final = cells(parts((DOCS / "supervisor.md").read_text("utf-8"), "keys")[1])[2:]
"""Keys, the command that they make, and a note on it, as the supervisor's page has them."""
KEYS: Final = "".join(dict.fromkeys(re.findall("[A-Z]", "".join(k for k, *_ in GRAMMAR)))) + "5.#*"
"""Every key; ``5`` stands for the digits."""

_TURN: Final = "keys O B1 M50 # N; deal 9C 7D 9H"
_OVER: Final = "keys O B1 M50 # N; deal AC 7D KC"
STATES: Final[Mapping[str, tuple[str, str]]] = {
    "bets": ("bets are open, nothing is keyed", "keys O"),
    "keyed": ("a letter and digits wait for `#`", "keys O B3 M5"),
    "turn": ("a hand is in turn, nothing is keyed", _TURN),
    "list": ("a list is open (`X`)", f"{_TURN}; turned X"),
    "asked": ("a value is asked: which card it is", f"{_TURN}; turned X 7 # 3 #"),
    "reason": ("the reason is asked", f"{_TURN}; turned X 7 # 3 # 8.3 #"),
    "page": ("what is owed is read", f"{_OVER}; keys ."),
    "over": ("the round is settled", _OVER),
    "held": ("the table is held", f"{_TURN}; exchanged jackpot"),
    "waits": ("an entry waits for the gate", f"{_TURN}; unlocked stand 1"),
}
"""What a table is like, and how it comes there."""


def states() -> Iterator[str]:
    """What the states are."""
    yield from (f"- `{name}`: {about}" for name, (about, _) in STATES.items())


def fates(*, supervisor: bool) -> Iterator[str]:
    """What each key does, with the supervisor's key turned or not."""
    led = [at_state(name) for name in STATES]
    rows = (
        (f"`{key}`", *(_fate(one.copy(), key, supervisor=supervisor) for one in led))
        for key in KEYS
    )
    return as_table(("key", *(f"`{name}`" for name in STATES)), rows)


def at_state(name: str) -> Played:
    """A table that was brought there."""
    return brought(RULES, STATES[name][1])


def _fate(played: Played, key: str, *, supervisor: bool) -> str:
    """What the key does."""
    table, pad = played.table, played.table.entering.keypad
    menu, keyed, seat, waiting = menus.open_menu(table), pad.keyed, pad.seat, len(pad.waiting)
    page = pad.page
    outcome = played.press_key(key, supervisor=supervisor)
    pad = table.entering.keypad
    if len(pad.waiting) > waiting:
        return "kept"
    while table.entering.pending:
        outcome = played.apply(locked(table))
    if pad.has_refused:
        return "refused"
    now = menus.open_menu(table)
    if outcome.answered or outcome.carried_out:
        return "acts" if menu is None or now is not None else "leaves, acts"
    if now is not menu:
        return "opens" if menu is None else "goes on" if now else "leaves"
    if pad.page:
        return "reads"
    if (pad.keyed, pad.seat) != (keyed, seat):
        return "collects" if pad.keyed or pad.seat != seat else "clears"
    if page and not pad.says:
        return "leaves"
    return "acts" if pad.says or outcome.notes else "nothing"
