"""Mistakes that people make and put right: what all kinds of them have in common."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import ClassVar

from controller.game.round.remedies import Correct, Lies
from controller.game.round.steps import Insure, Step, Surrender
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right.table import Table
from proof.put_right.truth import SaidDecision


class GoesOn(Exception):
    """The document, or who decides, lets play go on as it is: nothing was ever wrong."""


class Fails(AssertionError):
    """The law does not hold: ``what`` is wrong, and in words how."""

    def __init__(self, what: str, said: str) -> None:
        self.what = what
        super().__init__(said)


class Moment(StrEnum):
    """When a mistake is put right."""

    AT_ONCE = "at once"
    CARDS_LATER = "some cards later"
    BEHIND_SETTLEMENT = "behind a settlement"
    BEHIND_DRAW = "behind a draw"
    BEHIND_END = "behind the end"

    @classmethod
    def by_chance(cls, chance: Random) -> Moment:
        """Any of them."""
        return chance.choices(list(cls), (3, 3, 2, 1, 2))[0]


@dataclass(slots=True, eq=False)
class Mistake:
    """A mistake, planned or made; what kinds of mistakes do otherwise than this one, they say.

    ``is_correction``: it is put right by saying which card it is or where it lies, alone or with
    others; ``between_moves``: it is made between two moves; ``at_once``: and put right there.
    ``entered`` is the decision that the table was told, ``said`` that one in the truth.
    """

    chance: Random
    moment: Moment
    kind: ClassVar[str] = ""
    weight: ClassVar[float] = 1.0
    is_correction: ClassVar[bool] = False
    between_moves: ClassVar[bool] = False
    at_once: ClassVar[bool] = False
    entered: Step | None = None
    said: SaidDecision | None = None
    number: int = 0
    other: int = 0
    made: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        if self.at_once:
            self.moment = Moment.AT_ONCE

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        """Whether the mistake can be made under these rules."""
        return bool(rules)

    def is_made(self, table: Table) -> None:
        """Note when it is made."""
        self.made = _so_far(table)

    def is_due(self, table: Table) -> bool:
        """Whether it is put right now."""
        cards, settlements, draws = (
            now - then for now, then in zip(_so_far(table), self.made, strict=True)
        )
        match self.moment:
            case Moment.AT_ONCE:
                return True
            case Moment.CARDS_LATER if cards >= 2:
                return True
            case Moment.BEHIND_SETTLEMENT if settlements:
                return True
            case Moment.BEHIND_DRAW if draws:
                return True
        return table.rnd.is_over

    def may_be_made(self, table: Table) -> bool:
        """Whether it may be made now, between two moves."""
        return False

    def make_mistake(self, table: Table) -> None:
        """Make it, between two moves."""

    def makes_card(self, table: Table, told: Card) -> bool:
        """Whether it is made with the next card."""
        return False

    def card(self, table: Table, told: Card) -> None:
        """Deal the card with which it is made."""

    def makes_decision(self, table: Table, step: Step, permitted: list[Step]) -> bool:
        """Whether it is made with that decision."""
        return False

    def makes_offer(self, table: Table, permitted: list[Insure | Surrender]) -> bool:
        """Whether it is made with the offers that are open."""
        return False

    def corrections(self, table: Table) -> list[Lies | Correct]:
        """What it is put right by, where that is a correction."""
        return []

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        """Put it right, with those that are put right together with it.

        Raises:
            GoesOn: it stays as it is.
            Fails: it cannot be put right as the table says.
        """


def _so_far(table: Table) -> tuple[int, int, int]:
    """How many cards have left, wagers were settled and multipliers drawn."""
    return len(table.truth.cards), len(table.rnd.all_settlements), len(table.truth.draws)
