"""Steps at the jackpot button, and what is said for the dealer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.game.commands.values import Seat
from controller.game.round.steps.step import AtBox, Step
from controller.game.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Nominate(AtBox):
    """``nominate BOX BETTOR``, ``nominate BOX staff``: another one presses for the box."""

    verb: ClassVar = "nominate"
    by: Seat | None


@dataclass(frozen=True, slots=True)
class Press(AtBox):
    """``press BOX``: the button was pressed for the box."""

    verb: ClassVar = "press"


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
