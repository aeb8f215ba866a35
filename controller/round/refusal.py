"""What may not be done now, and why."""

from __future__ import annotations


class Refused(Exception):
    """What may not be done now. Nothing has changed.

    ``reason`` is in plain words, ``clause`` the clause of the document that forbids it ("" where
    none does), ``short`` the reason for a keypad's row, in at most 16 characters.
    """

    def __init__(self, reason: str, clause: str = "", short: str = "NOT NOW") -> None:
        self.reason = reason
        self.clause = clause
        self.short = short
        super().__init__(f"{reason} ({clause})" if clause else reason)
