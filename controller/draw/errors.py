"""Errors of a draw; the messages are for the person who configures or examines a table."""

from __future__ import annotations

from fractions import Fraction


class BadWeights(ValueError):
    """The configured weights cannot be used; the message names key, value and what is expected."""


class FavoursPlayer(ValueError):
    """The weights give the player an advantage; ``edge`` is the house edge, which is negative."""

    def __init__(self, message: str, edge: Fraction) -> None:
        super().__init__(message)
        self.edge = edge


class SourceFailed(Exception):
    """The generator gave what chance does not give: play with it must stop."""
