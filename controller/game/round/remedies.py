"""Steps about what went wrong: reports, remedies, players' choices behind them, and corrections of
cards and wagers. Then the kinds of all steps by their verbs, and the step that a command is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.game.commands.command import Command, read_step
from controller.game.commands.values import HandAt, NoHand, Option, Seat, Stake
from controller.game.round import steps
from controller.game.round.steps import AtBox, Step
from controller.game.rules.cards import Card

DRAWN: Final = "drawn"
TOGETHER: Final = "together"
OVER_MAXIMUM: Final = "over-maximum"


@dataclass(frozen=True, slots=True)
class PutsRight(Step):
    """A step about what went wrong: a report, a remedy or a correction."""


@dataclass(frozen=True, slots=True)
class Report(PutsRight, verb="report"):
    """``report TRIGGER``, ``report TRIGGER BOX``: something went wrong
    (:data:`controller.game.rules.cases.KNOWN`)."""

    trigger: str
    seat: Seat | None = None

    @property
    def box(self) -> int:
        """The box that it names; 0: none."""
        return self.seat.box if self.seat else 0


@dataclass(frozen=True, slots=True)
class ReportDrawn(Report):
    """``report drawn``: the next card left although nobody asked. With ``BOX`` or ``dealer`` it is
    the last card, which lies there: it leaves the hand and waits. ``seen``: somebody has seen it.
    """

    trigger: str = DRAWN
    dealer: bool = False
    seen: bool = False


@dataclass(frozen=True, slots=True)
class ReportTogether(Report):
    """``report together CARD …``: the cards that somebody has seen, of those that wait."""

    trigger: str = TOGETHER
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportOverMaximum(Report):
    """``report over-maximum BOX AMOUNT``: the wagers on the box are above that maximum; those that
    are settled are settled anew."""

    trigger: str = OVER_MAXIMUM
    amount: Stake = None


@dataclass(frozen=True, slots=True)
class Void(PutsRight, verb="void"):
    """``void``: the round is void."""


@dataclass(frozen=True, slots=True)
class VoidHand(AtBox, PutsRight, verb="void-hand"):
    """``void-hand BOX``: the hands of the box are."""


@dataclass(frozen=True, slots=True)
class Reconstruct(PutsRight, verb="reconstruct"):
    """``reconstruct``: cards and decisions are put where they should be."""


@dataclass(frozen=True, slots=True)
class Reshuffle(PutsRight, verb="reshuffle"):
    """``reshuffle``: the discards are shuffled and used."""


@dataclass(frozen=True, slots=True)
class Cap(PutsRight, verb="cap"):
    """``cap``: no wager counts for more than the maximum."""


@dataclass(frozen=True, slots=True)
class ProRata(PutsRight, verb="pro-rata"):
    """``pro-rata``: wagers count for shares of the maximum."""


@dataclass(frozen=True, slots=True)
class Continue(PutsRight, verb="continue"):
    """``continue``: play goes on as it is."""


ALONE: Final[dict[str, type[PutsRight]]] = {
    kind.verb: kind for kind in (Void, Reconstruct, Reshuffle, Cap, ProRata, Continue)
}
"""Remedies that are one word."""


@dataclass(frozen=True, slots=True)
class OfCard(PutsRight):
    """A remedy for a card that waits; None: the first one, or all."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Use(OfCard, verb="use"):
    """``use [CARD]``: it is dealt."""


@dataclass(frozen=True, slots=True)
class Discard(OfCard, verb="discard"):
    """``discard [CARD]``: it is put away."""


@dataclass(frozen=True, slots=True)
class Choose(AtBox, PutsRight, verb="choose"):
    """A player's choice behind a remedy."""


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
    """What the ``number``-th card (from 1) is, or where it lies; those in a row are one."""

    number: int


@dataclass(frozen=True, slots=True)
class Correct(Correction, verb="correct"):
    """``correct N CARD``: the Nth card that left the shoe in the round (burned and discarded ones
    count) is that card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Lies(Correction, verb="lies"):
    """``lies N BOX``, ``lies N BOX.HAND``, ``lies N dealer``, ``lies N out``: the Nth card lies
    there. At a box without a wager it is a stray, and discarded."""

    place: HandAt | NoHand


@dataclass(frozen=True, slots=True)
class WagerLies(AtBox, PutsRight, verb="wager"):
    """``wager BOX KIND AMOUNT``: so much lies there, whatever was keyed; 0: nothing. Of several
    doubles, insurances or buys of one bettor it is said which, in their order: ``buy.2``."""

    kind: str
    amount: int
    which: int = 0

    @property
    def name(self) -> str:
        """The kind, and which of that kind where it is said."""
        return f"{self.kind}.{self.which}" if self.which else self.kind


_EVERY: Final[tuple[type[Step], ...]] = (
    *(steps.Hit, steps.Stand, steps.Split, steps.Surrender, steps.Free, steps.Absent),
    *(steps.Double, steps.Buy, steps.Withdraw, steps.Keep, steps.Follow, steps.Insure),
    *(steps.Place, steps.Press, steps.Nominate, steps.Done, steps.Overdraw, steps.HandComplete),
    *(*ALONE.values(), Use, Discard, VoidHand, ChooseOption, Correct, Lies, WagerLies, Report),
)
KINDS: Final = {kind.verb: kind for kind in _EVERY}
"""The kinds of steps by their verbs; of a verb that several have, the most general one."""

REPORTS: Final[dict[str, type[Report]]] = {
    DRAWN: ReportDrawn,
    TOGETHER: ReportTogether,
    OVER_MAXIMUM: ReportOverMaximum,
}
"""By trigger, reports that say more than a box."""


def step_of(command: Command) -> Step:
    """The step that the command is; its verb has to be one of a round."""
    kind = KINDS[command.verb]
    if command.verb == Report.verb:
        kind = REPORTS.get(command.trigger, kind)
    elif command.verb == Choose.verb and command.card is not None:
        kind = ChooseCard
    make: Callable[..., Step] = kind
    names: tuple[str, ...] = kind.__match_args__
    return make(**{name: getattr(command, name) for name in names})


def parse_step(text: str) -> Step:
    """The step in ``text``, as a round script writes it; Malformed where it cannot be read."""
    return step_of(read_step(text))
