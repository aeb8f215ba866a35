"""``undo``: the last command is taken back, unless a card, a press or a payment has followed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from controller.round import play
from controller.round.refusal import Refused
from controller.table.state.entering import Saved
from controller.table.state.table import Table


def save(table: Table, said: str) -> Saved:
    """The parts of the table to be restored if the command ``said`` is taken back."""
    return Saved(said, {name: part.keep() for name, part in table.parts().items()})


@contextmanager
def whole(table: Table, said: str) -> Iterator[Saved]:
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


def take_back(table: Table) -> None:
    """``undo``.

    Raises:
        Refused: nothing can be taken back.
    """
    saved, rnd = table.entering.saved, table.rnd
    if saved is None and rnd is not None and rnd.edits:
        table.dealing.update(play.without_corrections(rnd, len(rnd.edits) - 1))
        table.note(f"taken back: {rnd.edits[-1]}")
        return
    if saved is None:
        raise Refused(
            "nothing can be taken back: a card, press or payment has followed",
            short="NOTHING TO UNDO",
        )
    restore(table, saved)
    table.note(f"taken back: {saved.said}")
