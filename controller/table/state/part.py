"""The base class of a table's parts: the fields that a dealer's command may change. A command never
changes a value in place but replaces it (a round, a list), so it is enough to keep references to
the values before it. Of several commands, each keeps only what it changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

Kept = dict[str, object]
"""Values of a part by the names of their fields."""


class Part:
    """A part of the table; ``TAKEN_BACK`` names the fields that ``undo`` restores, in the order of
    their declaration."""

    __slots__ = ()

    TAKEN_BACK: ClassVar[tuple[str, ...]] = ()

    KEPT_OTHERWISE: ClassVar[Mapping[str, object]] = {}
    """Names and types of what :meth:`only_changed` keeps and what is no field."""

    def keep_values(self) -> Kept:
        """The values that a command may change, before the command."""
        return {name: getattr(self, name) for name in self.TAKEN_BACK}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore the values that :meth:`keep_values` returned."""
        for name in self.TAKEN_BACK:
            setattr(self, name, kept[name])

    def only_changed(self, kept: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """Those of the values ``kept`` that are other ones in ``then``, kept later."""
        return {name: value for name, value in kept.items() if value != then[name]}

    def all_again(self, changed: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """What :meth:`only_changed` was given with the same ``then``."""
        return {**then, **changed}
