"""Defects of the draw: each is a macro of ``draw.pml`` and a bench whose code has the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from controller.journal.model import Entry
from controller.journal.store import Journal
from proof.models.draw.draw_bench import DrawBench
from proof.models.playing import Defect


class DrawAgainFenced(DrawBench):
    """A start leaves the draws in its journal out, and so what was shown of them."""

    def entries_of(self, journal: Journal) -> Callable[[int], Iterable[Entry]]:
        """See :class:`DrawBench`."""

        def without_draws(after: int) -> Iterator[Entry]:
            return (entry for entry in journal.iterate(after) if entry.type != "draw")

        return without_draws


class DrawAgain(DrawAgainFenced):
    """The same over a database that would take a second draw for an offer."""

    def entries_of(self, journal: Journal) -> Callable[[int], Iterable[Entry]]:
        """See :class:`DrawBench`."""
        if any(entry.type == "draw" for entry in journal.iterate()):
            # Only now: it would not have opened a file without its index.
            journal.connection.execute("DROP INDEX entry_draw")
            journal.connection.execute(
                "CREATE INDEX entry_draw ON entry (offer) WHERE offer IS NOT NULL"
            )
        return super().entries_of(journal)


class EffectsEarly(DrawBench):
    """What follows from a commit happens before it: the draw is shown before it is stored."""

    early = True


class RowBehind(DrawBench):
    """The row that signs a commit is written behind it, in a transaction of its own."""

    apart = True


DEFECTS: Final[Mapping[str, Defect[DrawBench]]] = {
    "DRAW_AGAIN": Defect({"FAULTS": 2}, 40, DrawAgain),
    "EFFECTS_EARLY": Defect({"FAULTS": 2}, 40, EffectsEarly),
    "ROW_BEHIND": Defect({"FAULTS": 1}, 40, RowBehind),
}
"""By the macro of the model."""
