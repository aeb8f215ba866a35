"""Mistakes with cards too many: drawn in error, face up, two together, or to the dealer's finished
hand. They are put right where they are made.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import Option, Seat
from controller.game.round import play
from controller.game.round.looks import dealer_has_enough, put_back
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Report, ReportDrawn, ReportTogether
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Hit, Overdraw, Step, Withdraw
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right import remedies
from proof.put_right.mistakes import Fails, GoesOn, Mistake
from proof.put_right.table import Table
from proof.put_right.told_wrong import WrongDecision
from proof.put_right.truth import DEALER, WAITS

__all__ = ["KINDS"]

EMPTY_BOX: Final = 6
"""A box without a wager in all rounds."""
OPEN_BEFORE: Final = {
    "mbs-pontoon-pandemonium-v5": (Option.REFUSE, Option.RETURN),  # 5.24, 5.25
    "rws-pontoon-plus-v5": (Option.RETURN,),  # 5.12.2, 5.7.3
}
"""What a player may choose before one of the cards that left together, and were seen, is his."""


class Drawn(Mistake):
    """A card left although nobody had asked for it; or one went to an empty box."""

    kind = "a card drawn in error"
    weight = 1.5
    between_moves = at_once = True

    def may_be_made(self, table: Table) -> bool:
        before = table.rnd.state.part is RoundPart.DEAL or table.rnd.is_over
        return not before and not put_back(table.rnd) and self.chance.random() < 0.3

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        seen, card = self.chance.random() < 0.6, table.shoe.card()
        report: Report = ReportDrawn(seen=seen)
        if self.chance.random() < 0.4:
            report = Report("empty-box", Seat(EMPTY_BOX))
        shown = (card,) if isinstance(report, ReportDrawn) and seen else ()
        window = table.rnd.state == State.PLAY_WITHDRAW
        table.rnd = play.lay_aside(table.rnd, [card], report.trigger, seen=shown, box=report.box)
        table.note(report)
        table.leaves(card, card, WAITS)
        if table.rnd.irregular.irregularity is None:
            table.note_met(report.trigger, "use")
        remedies.put_right(table, self.chance, options=True)
        if window and (seen or report.box) and table.rnd.state == State.PLAY_WITHDRAW:
            open_ = [step for step in permitted_steps(table.rnd) if isinstance(step, Withdraw)]
            if open_:
                raise Fails("permitted too late", f"{open_[0]}: a further card has left, and seen")


class DrawnBack(WrongDecision):
    """A card was given to a hand that had not asked for it."""

    kind = "a card that nobody asked for"
    weight = 0.7
    at_once = True

    def alternatives(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if isinstance(other, Hit) and step.verb != "hit"]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        said, last = self.said, table.truth.cards[-1]
        assert said
        if last.place != said.place or last.when != said.when + 1:
            raise GoesOn("another card has left since")
        try:
            table.play_step(ReportDrawn(seat=Seat(said.place[0]), seen=self.chance.random() < 0.7))
        except Refused as refused:
            raise GoesOn(f"report drawn: {refused}") from refused
        table.truth.said.remove(said)
        last.place = WAITS
        remedies.put_right(table, self.chance, options=True)


class FaceUp(Mistake):
    """A card lay face up in the shoe, or cards left it together."""

    kind = "a card face up, or cards together"
    weight = 1.5
    at_once = True

    def makes_card(self, table: Table, told: Card) -> bool:
        return self.chance.random() < 0.15

    def card(self, table: Table, told: Card) -> None:
        many = self.chance.choice((1, 2, 2, 3))
        cards = [told]
        while len(cards) < many:
            if (card := table.shoe.card()) not in cards:
                cards.append(card)
        trigger = "together" if many > 1 else "face-up"
        table.rnd = play.lay_aside(table.rnd, cards, trigger, asked=True)
        for place, card in enumerate(cards):
            table.leaves(card, card, WAITS, "&" if place else "^" if many == 1 else "")
        if table.rnd.irregular.irregularity is None:
            table.note_met(trigger, "use")
        elif many > 1 and self.chance.random() < 0.6:
            hand = table.rnd.receiver if table.rnd.state == State.PLAY_DECIDE else None
            table.play_step(ReportTogether(cards=tuple(cards[: self.chance.randint(1, many)])))
            if hand is not None:
                _check_open(table, hand.box)
        remedies.put_right(table, self.chance, options=True)


def _check_open(table: Table, box: int) -> None:
    """Check that a player may choose what he may before a card is his."""
    steps = {str(step) for step in permitted_steps(table.rnd)}
    for option in OPEN_BEFORE.get(table.rnd.rules.id, ()):
        if not any(step.startswith(f"choose {box}") and step.endswith(option) for step in steps):
            raise Fails(
                "not open before a card is his", f"choose {box} {option} of {sorted(steps)}"
            )


class TooMany(Mistake):
    """A card too many went to the dealer's finished hand."""

    kind = "a card to the dealer's finished hand"
    weight = 1.5
    between_moves = at_once = True

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        return Overdraw.verb not in rules.not_played

    def may_be_made(self, table: Table) -> bool:
        rnd = table.rnd
        settled = rnd.state == State.SETTLED and len(rnd.dealer) > 1
        return settled and dealer_has_enough(rnd, rnd.dealer) and not table.overdrawn

    def make_mistake(self, table: Table) -> None:
        table.finish_hand()
        table.overdrawn = True
        card = table.shoe.card()
        table.rnd = play.take_step(table.rnd, Overdraw(card))
        table.note(Overdraw())
        table.leaves(card, card, DEALER)
        table.note_met("overdraw", "discard")


KINDS: Final[tuple[type[Mistake], ...]] = (Drawn, DrawnBack, FaceUp, TooMany)
"""These kinds."""
