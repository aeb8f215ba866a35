"""Rounds and shifts that were played, as a supervisor asks for them; the daemon has them from its
journals."""

from __future__ import annotations

from typing import Protocol

from controller.json_values import JsonObject


class Rounds(Protocol):
    """What the daemon does; errors as in :class:`controller.control.handler.Handler`."""

    async def round(self, number: str) -> JsonObject:
        """A round as ``tablectl round show --json`` prints it; ``number`` may be ``last``.

        Raises:
            RequestRefused: not now. BadCommand: there is no such round.
        """

    async def shift(self, which: str) -> JsonObject:
        """A report as ``tablectl shift report --json`` prints it, on the shift of that number, the
        ``present`` one, or a gaming day as 2026-11-26.

        Raises:
            RequestRefused: not now, or its journal was taken away. BadCommand: there is no such
            one.
        """
