"""``undo``: commands are taken back, one by one, as far as the last card, press or payment.

The last one is saved with all that a command may change; of those before it is kept what they
changed, so that wagers of many hands take little room in a snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.game.commands.command import Command
from controller.game.round import play
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Report
from controller.table.state.entering import ROW_LENGTH, Saved
from controller.table.state.table import Table

MOST: Final = 1000
"""Commands that can be taken back; nobody enters so many before a card, but a program might."""


def save(table: Table, said: Command) -> Saved:
    """The parts of the table to be restored if the command ``said`` is taken back."""
    return Saved(said, {name: part.keep_values() for name, part in table.parts().items()})


@contextmanager
def all_or_nothing(table: Table, said: Command) -> Iterator[Saved]:
    """Do a command as a whole: what it refuses half way leaves the table as it was before it."""
    before = save(table, said)
    try:
        yield before
    except Refused:
        restore(table, before)
        raise


def restore(table: Table, saved: Saved) -> None:
    """Give every part the values that were saved."""
    for name, part in table.parts().items():
        part.bring_back(saved.parts[name])


def remember(table: Table, before: Saved) -> None:
    """Have the last command taken back by the next ``undo``, and those before it by later ones."""
    earlier = table.entering.saved
    if earlier:
        earlier[-1] = _only_changed(table, earlier[-1], before)
    table.entering.saved = [*earlier[-MOST + 1 :], before]


def said_last(table: Table) -> Command | None:
    """The command that ``undo`` takes back; None where there is none."""
    if table.entering.saved:
        return table.entering.saved[-1].said
    edits = table.rnd.irregular.edits if table.rnd else ()
    return edits[-1].command if edits else None


def takes_back_report(table: Table) -> bool:
    """Whether the last command is the dealer's report, and it is all that holds the table."""
    saved, standing = table.entering.saved, table.holds.standing
    reported = bool(saved) and saved[-1].said.verb == Report.verb
    return reported and len(standing) == 1 and standing[0] is table.holds.irregular


def keypad_row(said: str) -> str:
    """What was taken back, for a keypad's row. Its first word is shortened before the box or the
    sum is cut: another sum would be read."""
    short = said.removeprefix("wager ").removeprefix("report ").replace("-", " ")
    verb, blank, rest = short.removesuffix(".00").partition(" ")
    if verb.isalpha():  # else it is the box
        verb = verb[: max(1, ROW_LENGTH - len(f"BACK: {blank}{rest}"))]
    return f"BACK: {verb}{blank}{rest}"[:ROW_LENGTH]


def take_back(table: Table) -> None:
    """``undo``: the last command, or the last correction that is not judged.

    Raises:
        Refused: nothing can be taken back.
    """
    said, rnd = said_last(table), table.rnd
    if said is None:
        raise Refused(
            "nothing can be taken back: a card, press or payment has followed",
            short="NOTHING TO UNDO",
        )
    if table.entering.saved:
        *earlier, last = table.entering.saved
        restore(table, last)
        if earlier:
            earlier[-1] = _all_again(table, earlier[-1], last)
        table.entering.saved = earlier
    else:
        assert rnd
        left = len(rnd.irregular.edits) - 1
        table.dealing.update(play.without_corrections(rnd, left))
        table.dealing.correct_by(dealer=left > 0)  # what is left is the dealer's now
    table.note(f"taken back: {said}")


def _only_changed(table: Table, saved: Saved, then: Saved) -> Saved:
    """What differs from what was saved later: the last one alone is kept whole."""
    parts = {
        name: part.only_changed(saved.parts[name], then.parts[name])
        for name, part in table.parts().items()
    }
    return Saved(saved.said, parts)


def _all_again(table: Table, changed: Saved, then: Saved) -> Saved:
    """The same, whole again."""
    parts = {
        name: part.all_again(changed.parts[name], then.parts[name])
        for name, part in table.parts().items()
    }
    return Saved(changed.said, parts)
