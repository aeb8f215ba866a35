"""The version of the engine for which a rule set is read.

Journals store rule sets by value, and a round is replayed with the meanings that it was played
with: whatever has changed its meaning asks :attr:`~.schema.RuleSet.engine`.
"""

from __future__ import annotations

from typing import Final

CORRECTS: Final = 3
"""Rounds are judged by the cards as they lie (docs/decisions/0019-corrections.md)."""

COUNTS: Final = 4
"""The shoe's own count is compared with each card, and cards that are doubted stay out of play. Of
cards that left together none that is left to the next player goes to the other of split aces. The
keypad keeps a question whose last value is refused. Version 0.2.0 played by these."""

PRESENT: Final = 5
"""A card of those that left together decides the side wagers of a box that had one card. A side
wager is settled where another bettor's on its box was returned. No command is taken back once a
card that waited has settled a hand behind it. A correction decides anew which case applies to cards
that wait."""

KNOWN: Final = (CORRECTS, COUNTS, PRESENT)
"""The versions whose rounds can be replayed."""

OF_0_1: Final = 2
"""What a journal that 0.2.0 has closed for 0.1 may still name in the table's settings, under which
no round is played any more."""
