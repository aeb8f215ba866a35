"""What every part of a table has in common: what an entry of the dealer may change in it.

An entry never changes what it finds: it puts a new round, a new list in its place. So it is enough
to keep what was there before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class Part:
    """A part of the table; ``TAKEN_BACK`` names the fields that ``undo`` brings back, in
    the order in which they are declared."""

    __slots__ = ()

    TAKEN_BACK: ClassVar[tuple[str, ...]] = ()

    def keep(self) -> dict[str, Any]:
        """What an entry may change, as it is before the entry."""
        return {name: getattr(self, name) for name in self.TAKEN_BACK}

    def bring_back(self, kept: Mapping[str, Any]) -> None:
        """What :meth:`keep` has kept is as it was."""
        for name in self.TAKEN_BACK:
            setattr(self, name, kept[name])
