"""The refusal of what is not permitted now, with the reason."""

from __future__ import annotations


class Refused(Exception):
    """An action that is not permitted now; it has changed nothing.

    ``reason`` is a sentence, ``clause`` the clause of the document that forbids it ("" where none
    does), ``short`` the reason for a keypad's row, in at most 16 characters.
    """

    def __init__(self, reason: str, clause: str = "", short: str = "NOT NOW") -> None:
        self.reason = reason
        self.clause = clause
        self.short = short
        super().__init__(f"{reason} ({clause})" if clause else reason)
