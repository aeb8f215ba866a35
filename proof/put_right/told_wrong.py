"""Mistakes that are put right by saying how it was: which card it is, where it lies, what somebody
decided, and what was paid.
"""

from __future__ import annotations

from typing import ClassVar, Final

from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.irregular.cases import remedy_steps
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Continue, Correct, Lies, Reconstruct, Report, VoidHand
from controller.game.round.steps import Step
from controller.game.rules.cards import Card
from proof.put_right import remedies
from proof.put_right.chance import with_amount
from proof.put_right.mistakes import Fails, GoesOn, Mistake
from proof.put_right.table import NotComparable, Table

__all__ = ["KINDS"]

MOST_BACK: Final = 40
"""Decisions of a box that are taken back, one after the other."""


class Corrected(Mistake):
    """A mistake that is put right by a correction."""

    is_correction = True

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        _correct(table, together)


def _correct(table: Table, together: list[Mistake]) -> None:
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
            if table.voided:
                raise GoesOn("the round is void") from refused
            continue
        table.rnd = rnd
        for step in steps:
            table.note(step)
        return
    raise Fails("what is advised does not work", "the correction is refused again and again")


def _do_as_advised(table: Table, steps: list[Lies | Correct], refused: str) -> None:
    advice = "(report wrong-decision "
    if advice not in refused:
        raise Fails("refused without advice", refused)
    box = int(refused.partition(advice)[2][0])
    if len(steps) == 1:  # each `!` is judged alone
        table.steps.append(f"! {steps[0]}")
    try:
        take_back(table, box)
    except GoesOn as goes_on:
        if "continue" not in refused:
            raise Fails("what is advised does not work", f"{refused}: {goes_on}") from goes_on
        raise NotComparable("a decision stands that the right cards do not permit") from goes_on


def take_back(
    table: Table, box: int, trigger: str = "wrong-decision", *, void: bool = False
) -> None:
    """Report the box's last decision, and have it taken back; ``void``: the hand is void instead,
    where the document lets.

    Raises:
        GoesOn: it stays as it is.
        NotComparable: what was put right before is taken back with it.
        Fails: a report without a decision is accepted.
    """
    if table.apart.out or table.apart.back:
        raise NotComparable("decisions are taken back behind a wager that was returned")
    if table.taken_out:
        raise NotComparable("decisions are taken back behind a card that nobody got")
    said, report = table.truth.last_of(box), Report(trigger, Seat(box))
    try:
        table.play_step(report)
    except Refused as refused:
        raise GoesOn(f"{report}: {refused}") from refused
    if said is None:
        raise Fails("accepted without a decision", str(report))
    if table.rnd.irregular.irregularity is None:
        table.note_met(trigger, "stands")
        raise GoesOn(f"{trigger}: goes on by itself")
    steps = remedy_steps(table.rnd)
    voids = [step for step in steps if isinstance(step, VoidHand) and step.seat.box == box]
    if voids and void:
        table.note_met(trigger, "void-hand")
        table.takes_back(box, None)
        table.play_step(voids[0])
        raise GoesOn(f"{trigger}: the hand is void")
    if Reconstruct() not in steps:
        table.note_met(trigger, "continue")
        table.stands.add(box)
        table.play_step(Continue())
        raise GoesOn(f"{trigger}: no reconstruction")
    table.note_met(trigger, "reconstruct")
    table.play_step(Reconstruct())
    table.truth.take_back(said)
    table.find_waiting()
    remedies.put_right(table, table.chance)  # what was put right since may have to be again


class Misread(Corrected):
    """The table was told another card."""

    kind = "a card misread"
    weight = 6.0

    def makes_card(self, table: Table, told: Card) -> bool:
        return self.chance.random() < 0.2

    def card(self, table: Table, told: Card) -> None:
        hand = table.rnd.receiver
        true = table.shoe.instead_of(told, hand.cards if hand else table.rnd.dealer)
        table.card(told, true)
        self.number = len(table.truth.cards)

    def corrections(self, table: Table) -> list[Lies | Correct]:
        return [Correct(self.number, table.truth.cards[self.number - 1].card)]


class WrongDecision(Mistake):
    """A decision was entered that nobody made."""

    kind = "a decision wrongly entered"
    weight = 3.0
    trigger: ClassVar[str] = "wrong-decision"
    wanted: Step | None = None

    def makes_decision(self, table: Table, step: Step, permitted: list[Step]) -> bool:
        others = self.alternatives(step, permitted)
        if not others or self.chance.random() < 0.5:
            return False
        self.wanted = step
        self.entered = with_amount(self.chance, table.rnd, self.chance.choice(others))
        return True

    def alternatives(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if other.verb not in (step.verb, "absent")]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        said, wanted = self.said, self.wanted
        assert said
        assert wanted
        if said not in table.truth.said:
            raise GoesOn("taken back with another")
        while said in table.truth.said:
            if not table.heard():
                raise NotComparable("a decision is taken back where a script deals on first")
            take_back(table, said.place[0], self.trigger, void=self.chance.random() < 0.1)
        table.wants[said.place] = wanted


class PassedOver(WrongDecision):
    """A player was passed over: he was taken to stand."""

    kind = "a player passed over"
    weight = 1.0
    trigger = "passed-over"

    def alternatives(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if other.verb == "stand" != step.verb]


class WrongPayment(Mistake):
    """People were paid otherwise than was said."""

    kind = "a payout wrong"
    weight = 0.5
    between_moves = True

    def may_be_made(self, table: Table) -> bool:
        return bool(table.rnd.settlements)

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        table.play_step(Report("wrong-payment", Seat(self.chance.choice([*table.rnd.boxes]))))


KINDS: Final[tuple[type[Mistake], ...]] = (
    Misread,
    WrongDecision,
    PassedOver,
    WrongPayment,
)
"""These kinds."""
