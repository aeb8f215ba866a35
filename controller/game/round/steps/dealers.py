"""What is said for the dealer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.game.round.steps.step import Step
from controller.game.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Done(Step):
    """``done``: the present offer or display is over; at a live table only."""

    verb: ClassVar = "done"


@dataclass(frozen=True, slots=True)
class HandComplete(Step):
    """``dealer``: the dealer's hand is complete, and what follows is said then; in scripts only."""

    verb: ClassVar = "dealer"


@dataclass(frozen=True, slots=True)
class Overdraw(Step):
    """``overdraw``: a card went to the dealer's finished hand. At a live table ``card`` is None
    while it is not known which."""

    verb: ClassVar = "overdraw"
    card: Card | None = None
