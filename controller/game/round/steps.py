"""Steps of a round as values: decisions on the hand in turn and on wagers beside it, the button,
and what is said for the dealer. Those that put right what went wrong are in :mod:`~.remedies`.

Each is a command of :mod:`controller.game.commands`, whose slots are its fields. Amounts are in
cents; None: not given, which only a live table permits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final

from controller.game.commands.command import Command
from controller.game.commands.values import Seat, Stake
from controller.game.rules.cards import Card

_KEPT: Final = 4096
"""How many commands are kept: the steps of a table are few, and are asked for again and again."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round. ``verb`` is that of its command, and the machine's trigger."""

    verb: ClassVar[str]

    def __init_subclass__(cls, verb: str = "") -> None:
        if verb:
            cls.verb = verb

    def __str__(self) -> str:
        return str(self.command)

    @property
    @lru_cache(_KEPT)  # noqa: B019 - equal steps share it
    def command(self) -> Command:
        """It as a command; what it does not say is left out there."""
        names: tuple[str, ...] = self.__match_args__
        return Command(self.verb, **{name: getattr(self, name) for name in names})

    @property
    @lru_cache(_KEPT)  # noqa: B019
    def offered(self) -> Command:
        """It as a command that may be given, in which amounts and nominees are still open."""
        names = (slot.name for slot in self.command.slots if slot.is_left_open)
        return replace(self.command, open=tuple(names))


@dataclass(frozen=True, slots=True)
class AtBox(Step):
    """A step at a box: of the bettor that is named, or of whoever decides for the box."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Decision(AtBox):
    """A box's decision on its hand, by the bettor who decides for it."""


@dataclass(frozen=True, slots=True)
class Hit(Decision, verb="hit"):
    """``hit BOX``: takes a card."""


@dataclass(frozen=True, slots=True)
class Free(Decision, verb="free"):
    """``free BOX``: takes the last card of a trick, which cannot be bought; it may also stand."""


@dataclass(frozen=True, slots=True)
class Stand(Decision, verb="stand"):
    """``stand BOX``: takes no more cards."""


@dataclass(frozen=True, slots=True)
class Split(Decision, verb="split"):
    """``split BOX``: makes two hands of two equal cards."""


@dataclass(frozen=True, slots=True)
class Surrender(Decision, verb="surrender"):
    """``surrender BOX``: where the document offers it before play, by any bettor."""


@dataclass(frozen=True, slots=True)
class Absent(Decision, verb="absent"):
    """``absent BOX``: who decides is not there; the house plays for him."""


@dataclass(frozen=True, slots=True)
class Raise(Decision):
    """A decision that adds an amount to the wager."""

    amount: Stake = None


@dataclass(frozen=True, slots=True)
class Double(Raise, verb="double"):
    """``double BOX AMOUNT``: also by a standing bettor, before the card."""


@dataclass(frozen=True, slots=True)
class Buy(Raise, verb="buy"):
    """``buy BOX AMOUNT``: a card is bought."""


@dataclass(frozen=True, slots=True)
class Follow(AtBox, verb="follow"):
    """``follow BOX``: a standing bettor adds a wager to the hand just formed."""


@dataclass(frozen=True, slots=True)
class Place(AtBox, verb="place"):
    """``place BOX HAND``: a standing bettor's single wager goes to that hand, by its number."""

    hand: int


@dataclass(frozen=True, slots=True)
class Withdraw(AtBox, verb="withdraw"):
    """``withdraw BOX``: the doubled part goes back, and the wager is lost."""


@dataclass(frozen=True, slots=True)
class Keep(AtBox, verb="keep"):
    """``keep BOX``: the doubled part stays."""


@dataclass(frozen=True, slots=True)
class Insure(AtBox, verb="insure"):
    """``insure BOX AMOUNT``; ``insure BOX@OWNER AMOUNT``: of a wager whose owner declined, also by
    somebody outside who has no other wager."""

    owner: Seat | None = None
    amount: Stake = None


@dataclass(frozen=True, slots=True)
class Nominate(AtBox, verb="nominate"):
    """``nominate BOX BETTOR``, ``nominate BOX staff``: another one presses for the box."""

    by: Seat | None


@dataclass(frozen=True, slots=True)
class Press(AtBox, verb="press"):
    """``press BOX``: the button was pressed for the box."""


@dataclass(frozen=True, slots=True)
class Done(Step, verb="done"):
    """``done``: the present offer or display is over; at a live table only."""


@dataclass(frozen=True, slots=True)
class HandComplete(Step, verb="dealer"):
    """``dealer``: the dealer's hand is complete, and what follows is said then; in scripts only."""


@dataclass(frozen=True, slots=True)
class Overdraw(Step, verb="overdraw"):
    """``overdraw``: a card went to the dealer's finished hand. At a live table ``card`` is None
    while it is not known which."""

    card: Card | None = None
