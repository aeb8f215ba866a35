"""Remedies of irregularities, players' choices behind them, and corrections of cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from controller.game.commands.values import HandAt, NoHand, Option
from controller.game.round.steps.step import AtBox, PutsRight
from controller.game.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Void(PutsRight):
    """``void``: the round is void."""

    verb: ClassVar = "void"


@dataclass(frozen=True, slots=True)
class VoidHand(AtBox, PutsRight):
    """``void-hand BOX``: the hands of the box are."""

    verb: ClassVar = "void-hand"


@dataclass(frozen=True, slots=True)
class Reconstruct(PutsRight):
    """``reconstruct``: cards and decisions are put where they should be."""

    verb: ClassVar = "reconstruct"


@dataclass(frozen=True, slots=True)
class Reshuffle(PutsRight):
    """``reshuffle``: the discards are shuffled and used."""

    verb: ClassVar = "reshuffle"


@dataclass(frozen=True, slots=True)
class Cap(PutsRight):
    """``cap``: no wager counts for more than the maximum."""

    verb: ClassVar = "cap"


@dataclass(frozen=True, slots=True)
class ProRata(PutsRight):
    """``pro-rata``: wagers count for shares of the maximum."""

    verb: ClassVar = "pro-rata"


@dataclass(frozen=True, slots=True)
class Continue(PutsRight):
    """``continue``: play goes on as it is."""

    verb: ClassVar = "continue"


@dataclass(frozen=True, slots=True)
class OfCard(PutsRight):
    """A remedy for a card that waits; None: the first one, or all."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Use(OfCard):
    """``use [CARD]``: it is dealt."""

    verb: ClassVar = "use"


@dataclass(frozen=True, slots=True)
class Discard(OfCard):
    """``discard [CARD]``: it is put away."""

    verb: ClassVar = "discard"


ALONE: Final[dict[str, type[PutsRight]]] = {
    kind.verb: kind for kind in (Void, Reconstruct, Reshuffle, Cap, ProRata, Continue)
}
"""Remedies that are one word."""


@dataclass(frozen=True, slots=True)
class Choose(AtBox, PutsRight):
    """A player's choice behind a remedy."""

    verb: ClassVar = "choose"


@dataclass(frozen=True, slots=True)
class ChooseCard(Choose):
    """``choose BOX CARD``: of cards that left together, the player takes this one first."""

    card: Card


@dataclass(frozen=True, slots=True)
class ChooseOption(Choose):
    """``choose BOX refuse``: the hand gets no more, and the next hand is offered the card, in the
    end the dealer. ``choose BOX play``: with one card it is played in its turn. ``choose BOX
    return``: the bettor takes back all that is not settled, and his hand is out."""

    option: Option


@dataclass(frozen=True, slots=True)
class Correction(PutsRight):
    """What card it is, or where it lies: the ``number``-th of the round, from 1. Consecutive ones
    are judged together."""

    number: int


@dataclass(frozen=True, slots=True)
class Correct(Correction):
    """``correct N CARD``: the Nth card that left the shoe in the round (burned and discarded ones
    count) is that card."""

    verb: ClassVar = "correct"
    card: Card


@dataclass(frozen=True, slots=True)
class WagerLies(AtBox, PutsRight):
    """``wager BOX KIND AMOUNT``: so much lies there, whatever was keyed; 0: nothing. Of several
    doubles, insurances or buys of one bettor it is said which, in their order: ``buy.2``."""

    verb: ClassVar = "wager"
    kind: str
    amount: int
    which: int = 0

    @property
    def name(self) -> str:
        """The kind, and which of that kind where it is said."""
        return f"{self.kind}.{self.which}" if self.which else self.kind


@dataclass(frozen=True, slots=True)
class Lies(Correction):
    """``lies N BOX``, ``lies N BOX.HAND``, ``lies N dealer``, ``lies N out``: the Nth card lies
    there. At a box without a wager it is a stray, and discarded."""

    verb: ClassVar = "lies"
    place: HandAt | NoHand
