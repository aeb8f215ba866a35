"""Decisions on the hand in turn, by the bettor who decides for its box.

Amounts are in cents; None: not given, which only a live table permits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.game.money import Stake
from controller.game.round.steps.step import AtBox


@dataclass(frozen=True, slots=True)
class Decision(AtBox):
    """A box's decision on its hand."""


@dataclass(frozen=True, slots=True)
class Hit(Decision):
    """``hit BOX``: takes a card."""

    verb: ClassVar = "hit"


@dataclass(frozen=True, slots=True)
class Free(Decision):
    """``free BOX``: takes the last card of a trick, which cannot be bought; it may also stand."""

    verb: ClassVar = "free"


@dataclass(frozen=True, slots=True)
class Stand(Decision):
    """``stand BOX``: takes no more cards."""

    verb: ClassVar = "stand"


@dataclass(frozen=True, slots=True)
class Split(Decision):
    """``split BOX``: makes two hands of two equal cards."""

    verb: ClassVar = "split"


@dataclass(frozen=True, slots=True)
class Surrender(Decision):
    """``surrender BOX``: where the document offers it before play, by any bettor."""

    verb: ClassVar = "surrender"


@dataclass(frozen=True, slots=True)
class Absent(Decision):
    """``absent BOX``: who decides is not there; the house plays for him."""

    verb: ClassVar = "absent"


@dataclass(frozen=True, slots=True)
class Raise(Decision):
    """A decision that adds an amount to the wager."""

    amount: Stake = None


@dataclass(frozen=True, slots=True)
class Double(Raise):
    """``double BOX AMOUNT``: also by a standing bettor, before the card."""

    verb: ClassVar = "double"


@dataclass(frozen=True, slots=True)
class Buy(Raise):
    """``buy BOX AMOUNT``: a card is bought."""

    verb: ClassVar = "buy"
