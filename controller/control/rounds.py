"""Rounds that were played, as a supervisor asks for them; the daemon has them from its journal."""

from __future__ import annotations

from typing import Protocol

from controller.json_values import JsonObject


class Rounds(Protocol):
    """What the daemon does; errors as in :class:`controller.control.handler.Handler`."""

    async def round(self, number: str) -> JsonObject:
        """A round as ``tablectl round show --json`` prints it; ``number`` may be ``last``.

        Raises:
            Refusal: not now. BadCommand: there is no such round.
        """
