"""Two card sets and a shuffler: which is in the shoe, and which may not be played.

- The shoe does not report its set. Which one it is follows from the shuffler: the set that it does
  not hold, else the one it finished last, else the other one than before. Without such a report it
  stays unknown.
- When the shoe is loaded again the sets change roles; a shoe emptied between rounds has no set.
- A set that comes out of a shuffle incomplete is blocked (``shoe.faulty_set``, matrix A-72): it
  belongs to no round in progress, and no round becomes void. Bets are not opened or closed on it
  until a shuffle of it is complete, or the supervisor clears it (``clear-set``, with name and
  reason). So is the set in the shoe whose cards are doubted (:mod:`~.doubts`).
"""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_LOADED

SETS = (1, 2)


def record_set_state(table: Table, number: int, word: str) -> None:
    """Record the shuffler's report about a set."""
    sets = table.shoe.sets
    if number not in SETS:
        return
    if word in ("empty", "loaded", "shuffling", "ready"):
        sets.held[number] = word != "empty"
    if word == "shuffling":
        sets.amiss.clear()
    if sets.in_shoe == number and sets.held.get(number):
        sets.in_shoe, sets.before = None, number
    absent = [other for other, held in sets.held.items() if not held]
    if sets.in_shoe is None and len(absent) == 1 and len(sets.held) == len(SETS):
        shoe = table.devices.get("shoe")
        sets.in_shoe = absent[0] if shoe and shoe.state == SHOE_LOADED else None


def record_difference(table: Table, what: str) -> None:
    """Record an extra or missing card found by the shuffle in progress."""
    table.shoe.sets.amiss.append(what)


def record_shuffle_end(table: Table, number: int, result: int, word: str) -> None:
    """Record the end of a shuffle."""
    sets = table.shoe.sets
    amiss, sets.amiss = sets.amiss, []
    if number not in SETS:
        return
    sets.finished = number
    if result == 0 and not amiss:
        sets.blocked.pop(number, None)
    else:
        sets.blocked[number] = ", ".join(amiss) or word


def shoe_loaded(table: Table) -> None:
    """Record a new shoe: its set is the one that the shuffler does not hold, or finished last."""
    sets = table.shoe.sets
    absent = [number for number in SETS if sets.held.get(number) is False]
    before = sets.in_shoe or sets.before
    if len(absent) == 1:
        now: int | None = absent[0]
    elif sets.finished is not None:
        now = sets.finished
    else:
        now = 3 - before if before and table.has("shuffler") else None
    sets.before, sets.in_shoe, sets.finished = before, now, None
    if now in sets.blocked:
        table.note(_words(table, now))


def shoe_emptied(table: Table) -> None:
    """Record that the cards were taken out of the shoe between rounds."""
    if not table.mid_round and table.shoe.sets.in_shoe is not None:
        table.shoe.sets.before, table.shoe.sets.in_shoe = table.shoe.sets.in_shoe, None


def _words(table: Table, number: int) -> str:
    why = table.shoe.sets.blocked[number]
    return f"set {number} is in the shoe and not to be played: {why}"


def refused(table: Table) -> Refused | None:
    """The reason against opening or closing bets on the set in the shoe; None where there is
    none."""
    number = table.shoe.sets.in_shoe
    if number is None or number not in table.shoe.sets.blocked:
        return None
    return Refused(
        f"{_words(table, number)}; load the other set, or the supervisor clears it "
        f"(clear-set {number})",
        table.rules.shoe.faulty_set.clause,
        short=f"SET {number} IS BLOCKED",
        code="set-is-blocked",
    )


def let_play(table: Table) -> None:
    """Unblock the set in the shoe, which the supervisor has played on."""
    number = table.shoe.sets.in_shoe
    if number is not None:
        table.shoe.sets.blocked.pop(number, None)


def clear(table: Table, number: int) -> None:
    """Unblock a set that the supervisor has had checked."""
    if number not in table.shoe.sets.blocked:
        raise Refused(f"set {number} is not blocked", short="SET NOT BLOCKED")
    del table.shoe.sets.blocked[number]
    doubt = table.shoe.book.doubt
    if doubt and number in (doubt.card_set, table.shoe.sets.in_shoe):
        table.shoe.book.doubt = None
