"""What bettors decide on their wagers beside the hand in turn: those who follow its split, take a
double back, or insure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.game.commands.values import Seat
from controller.game.money import Stake
from controller.game.round.steps.step import AtBox


@dataclass(frozen=True, slots=True)
class Follow(AtBox):
    """``follow BOX``: a standing bettor adds a wager to the hand just formed."""

    verb: ClassVar = "follow"


@dataclass(frozen=True, slots=True)
class Place(AtBox):
    """``place BOX HAND``: a standing bettor's single wager goes to that hand, by its number."""

    verb: ClassVar = "place"
    hand: int


@dataclass(frozen=True, slots=True)
class Withdraw(AtBox):
    """``withdraw BOX``: the doubled part goes back, and the wager is lost."""

    verb: ClassVar = "withdraw"


@dataclass(frozen=True, slots=True)
class Keep(AtBox):
    """``keep BOX``: the doubled part stays."""

    verb: ClassVar = "keep"


@dataclass(frozen=True, slots=True)
class Insure(AtBox):
    """``insure BOX AMOUNT``; ``insure BOX@OWNER AMOUNT``: of a wager whose owner declined, also by
    somebody outside who has no other wager."""

    verb: ClassVar = "insure"
    owner: Seat | None = None
    amount: Stake = None
