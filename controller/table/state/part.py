"""The base class of a table's parts: the fields that a dealer's command may change. A command never
changes a value in place but replaces it (a round, a list), so it is enough to keep references to
the values before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class Part:
    """A part of the table; ``TAKEN_BACK`` names the fields that ``undo`` restores, in the order of
    their declaration."""

    __slots__ = ()

    TAKEN_BACK: ClassVar[tuple[str, ...]] = ()

    def keep(self) -> dict[str, object]:
        """The values that a command may change, before the command."""
        return {name: getattr(self, name) for name in self.TAKEN_BACK}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore the values that :meth:`keep` returned."""
        for name in self.TAKEN_BACK:
            if name in kept:  # an earlier version did not change it
                setattr(self, name, kept[name])
