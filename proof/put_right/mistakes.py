"""Mistakes that people make and put right: how each is made, and what is said to put it right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import ClassVar, Final, Self

from controller.game.round import play
from controller.game.round.irregular.cases import case_of, remedy_steps
from controller.game.round.refusal import Refused
from controller.game.round.states import RoundPart
from controller.game.round.steps.decisions import Stand
from controller.game.round.steps.remedies import (
    Continue,
    Correct,
    HandAt,
    Lies,
    NoHand,
    Reconstruct,
    VoidHand,
)
from controller.game.round.steps.reports import Report
from controller.game.round.steps.step import Seat, Step
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right.table import NotComparable, Table
from proof.put_right.truth import DEALER, Said


MOST_BACK: Final = 40
"""Decisions of a box."""


class Unheard(Exception):
    """The mistake cannot be put right as people would: the reason."""


class GoesOn(Exception):
    """The document, or who decides, lets play go on as it is: nothing was ever wrong."""


class AdviceFails(AssertionError):
    """What the table advised does not work when it is done."""


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
    """A mistake, planned or made; ``is_correction``: it is put right by saying which card it is or
    where it lies. The rest is what kinds of mistakes do otherwise."""

    chance: Random
    moment: Moment
    kind: ClassVar[str] = ""
    weight: ClassVar[float] = 1.0
    is_correction: ClassVar[bool] = False
    between_moves: ClassVar[bool] = False
    entered: Step = Stand(Seat(0))
    said: Said | None = None
    at_card: int = 0
    at_settlement: int = 0
    at_draw: int = 0
    number: int = 0
    out: int = 0

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        """Whether the mistake can be made under these rules."""
        return bool(rules)

    def is_made(self, table: Table) -> None:
        """Note when it is made."""
        self.at_card, self.at_settlement = len(table.truth.cards), len(table.rnd.told)
        self.at_draw = len(table.truth.draws)

    def is_due(self, table: Table) -> bool:
        """Whether it is put right now."""
        if table.rnd.ended:
            return True
        match self.moment:
            case Moment.AT_ONCE:
                return True
            case Moment.CARDS_LATER:
                return len(table.truth.cards) >= self.at_card + 2
            case Moment.BEHIND_SETTLEMENT:
                return len(table.rnd.told) > self.at_settlement
            case Moment.BEHIND_DRAW:
                return len(table.truth.draws) > self.at_draw
        return False

    def may_be_made(self, table: Table) -> bool:
        """Whether it may be made now, between two moves."""
        return False

    def make(self, table: Table) -> None:
        """Make it, between two moves."""

    def makes_card(self, table: Table, told: Card) -> bool:
        """Whether it is made with the next card."""
        return False

    def card(self, table: Table, told: Card) -> None:
        """Deal the card with which it is made."""

    def makes_decision(self, table: Table, step: Step, permitted: list[Step]) -> bool:
        """Whether it is made with that decision."""
        return False

    def makes_offer(self, table: Table, permitted: list[Step]) -> bool:
        """Whether it is made with the offers that are open."""
        return False

    def put_right(self, table: Table, together: list[Self]) -> None:
        """Say what puts it right, and those that are put right together with it."""

    def corrections(self, table: Table) -> list[Lies | Correct]:
        """What it is put right by, where that is a correction."""
        return []


def correct(table: Table, together: list[Mistake]) -> None:
    """Say the corrections; where the table says what is to be taken back first, that is done."""
    for _ in range(MOST_BACK):
        steps = [step for one in together for step in one.corrections(table)]
        try:
            rnd = table.rnd
            for step in steps:
                rnd = play.take_step(rnd, step)
            rnd = play.judge(rnd)
        except Refused as refused:
            _do_as_advised(table, steps, str(refused))
            continue
        table.rnd = rnd
        for step in steps:
            table.note(step)
        return
    raise AdviceFails("the correction is refused again and again")


def _do_as_advised(table: Table, steps: list[Lies | Correct], refused: str) -> None:
    advice = "(report wrong-decision "
    if advice not in refused:
        raise Unheard(f"correction refused: {refused.partition(':')[0]}")
    box = int(refused.partition(advice)[2][0])
    if len(steps) == 1:  # each `!` is judged alone
        table.note_only(f"! {steps[0]}")
    try:
        take_back(table, box)
    except GoesOn as goes_on:
        raise AdviceFails(f"{advice.strip('( ')} {box}: {goes_on}") from goes_on


def take_back(table: Table, box: int, trigger: str = "wrong-decision") -> None:
    """Report the box's last decision, and have it taken back."""
    if table.out or table.back:
        raise NotComparable("decisions are taken back behind a wager that was returned")
    if table.taken_out:
        raise NotComparable("decisions are taken back behind a card that nobody got")
    said = table.truth.last_of(box)
    report = Report(trigger, Seat(box))
    try:
        table.say(report)
    except Refused as refused:
        raise Unheard(f"{trigger} refused: {refused}") from refused
    if said is None:
        raise AdviceFails(f"{report} is accepted, and the box has not decided")
    found = table.rnd.irregular.irregularity
    if found is None:
        table.note_met(trigger, "stands", "by itself")
        raise GoesOn(f"{trigger}: goes on by itself")
    clause = case_of(table.rnd, found).clause
    steps = remedy_steps(table.rnd)
    voids = [step for step in steps if isinstance(step, VoidHand) and step.seat.box == box]
    if voids and table.chance.random() < 0.1 and trigger == "wrong-decision":
        table.note_met(trigger, "void-hand", clause)
        table.takes_back(box, None)
        table.say(voids[0])
        raise GoesOn(f"{trigger}: the hand is void")
    if Reconstruct() not in steps:
        if Continue() not in steps:
            raise Unheard(f"{trigger}: neither reconstructed nor continued")
        table.note_met(trigger, "continue", clause)
        table.say(Continue())
        raise GoesOn(f"{trigger}: no reconstruction")
    table.note_met(trigger, "reconstruct", clause)
    table.say(Reconstruct())
    table.truth.take_back(said)
    table.find_waiting()


class Misread(Mistake):
    """The table was told another card."""

    kind = "misread"
    weight = 6.0
    is_correction = True

    def makes_card(self, table: Table, told: Card) -> bool:
        return self.chance.random() < 0.2

    def card(self, table: Table, told: Card) -> None:
        hand = table.rnd.receiver
        beside = list(hand.cards) if hand else list(table.rnd.dealer)
        true = table.shoe.instead_of(told, beside)
        table.card(told, true)
        self.number = len(table.truth.cards)
        self.is_made(table)

    def corrections(self, table: Table) -> list[Lies | Correct]:
        return [Correct(self.number, table.truth.cards[self.number - 1].card)]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        correct(table, together)


class Swapped(Mistake):
    """Two cards of the initial deal lie each where the other should."""

    kind = "two cards at each other's place"
    weight = 1.5
    is_correction = True
    between_moves = True

    def may_be_made(self, table: Table) -> bool:
        dealt = len(table.truth.cards) == 2 * len(table.rnd.boxes) + 1
        undecided = not table.truth.said
        return (
            dealt and undecided and not table.swapped and table.rnd.state.part is not RoundPart.DEAL
        )

    def make(self, table: Table) -> None:
        cards = table.truth.cards
        pairs = [
            (n, m) for n in range(len(cards)) for m in range(n) if cards[n].place != cards[m].place
        ]
        n, m = self.chance.choice(pairs)
        table.swapped = True
        one, other = cards[n], cards[m]
        one.place, other.place = other.place, one.place
        self.number, self.out = n + 1, m + 1
        self.is_made(table)

    def corrections(self, table: Table) -> list[Lies | Correct]:
        where = play.places(table.rnd)
        if NoHand.OUT in (where[self.number - 1], where[self.out - 1]):
            raise NotComparable("a card that nobody got lies elsewhere")
        return [
            Lies(self.number, _in_words(where[self.out - 1])),
            Lies(self.out, _in_words(where[self.number - 1])),
        ]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        correct(table, together)


def _in_words(where: str) -> HandAt | NoHand:
    if where in tuple(NoHand):
        return NoHand(where)
    if not where.startswith("box "):
        raise Unheard("a card that waits")
    box, _, hand = where.removeprefix("box ").partition(".")
    return HandAt(int(box), int(hand or 0))


class WrongDecision(Mistake):
    """A decision was entered that nobody made."""

    kind = "a decision wrongly entered"
    weight = 3.0
    trigger: ClassVar[str] = "wrong-decision"
    wanted: Step = Stand(Seat(0))

    def makes_decision(self, table: Table, step: Step, permitted: list[Step]) -> bool:
        others = self._others(step, permitted)
        if not others or self.chance.random() < 0.5:
            return False
        from proof.put_right.chance import with_amount

        self.wanted = step
        self.entered = with_amount(self.chance, table.rnd, self.chance.choice(others))
        self.is_made(table)
        return True

    def _others(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if other.verb not in (step.verb, "absent")]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        said = self.said
        assert said
        if said not in table.truth.said:
            return  # taken back with another
        while said in table.truth.said:
            take_back(table, said.place[0], self.trigger)
        table.wants[said.place] = self.wanted


class PassedOver(WrongDecision):
    """A player was passed over: he was taken to stand."""

    kind = "passed over"
    weight = 1.0
    trigger = "passed-over"

    def _others(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if other.verb == "stand" != step.verb]


class WrongPayment(Mistake):
    """People were paid otherwise than was said."""

    kind = "a payout wrong"
    weight = 0.5
    between_moves = True

    def may_be_made(self, table: Table) -> bool:
        return bool(table.rnd.settlements)

    def make(self, table: Table) -> None:
        self.out = self.chance.choice(list(table.rnd.boxes))
        self.is_made(table)

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        table.say(Report("wrong-payment", Seat(self.out)))


MAKERS: Final[tuple[type[Mistake], ...]] = (
    Misread,
    Swapped,
    WrongDecision,
    PassedOver,
    WrongPayment,
)
"""Every kind of mistake."""

__all__ = ["DEALER", "MAKERS", "AdviceFails", "GoesOn", "Mistake", "Moment", "Unheard"]
