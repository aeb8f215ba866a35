"""Mistakes that a document has a clause for: cards too many or too few, offers missed, wagers above
a maximum, and what voids a round.
"""

from __future__ import annotations

from typing import ClassVar, Final

from controller.game.round import play
from controller.game.round.looks import card_expected, dealer_has_enough, put_back
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.states import RoundPart, State
from controller.game.round.steps.dealers import Overdraw
from controller.game.round.steps.decisions import Hit, Surrender
from controller.game.round.steps.remedies import Void, VoidHand
from controller.game.round.steps.reports import (
    Report,
    ReportDrawn,
    ReportOverMaximum,
    ReportTogether,
)
from controller.game.round.steps.step import Seat, Step
from controller.game.round.steps.wagers import Insure, Withdraw
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right import remedies
from proof.put_right.chance import with_amount
from proof.put_right.mistakes import AdviceFails, GoesOn, Mistake, Unheard, WrongDecision
from proof.put_right.table import Table
from proof.put_right.truth import DEALER, WAITS

EMPTY_BOX: Final = 6


class TooLate(AssertionError):
    """Something is permitted that was over."""


class _AtOnce(Mistake):
    """A mistake that is put right where it is made."""

    between_moves = True

    def is_due(self, table: Table) -> bool:
        return True

    def _may(self, table: Table) -> bool:
        return True

    def may_be_made(self, table: Table) -> bool:
        return self._may(table) and self.chance.random() < 0.3

    def make(self, table: Table) -> None:
        self.is_made(table)


def _remedy(self: Mistake, table: Table) -> None:
    remedies.put_right(table, self.chance)
    remedies.choose_options(table, self.chance)


class Drawn(_AtOnce):
    """A card left although nobody had asked for it; or one went to an empty box."""

    kind = "a card too many"
    weight = 1.5

    def _may(self, table: Table) -> bool:
        dealt = table.rnd.state.part is not RoundPart.DEAL
        return dealt and not table.rnd.ended and not put_back(table.rnd)

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        seen = self.chance.random() < 0.6
        report: Report = ReportDrawn(seen=seen)
        if self.chance.random() < 0.4:
            report = Report("empty-box", Seat(EMPTY_BOX))
        card = table.shoe.card()
        shown = (card,) if report.trigger == "drawn" and seen else ()
        in_window = table.rnd.state == State.PLAY_WITHDRAW
        table.rnd = play.lay_aside(table.rnd, [card], report.trigger, seen=shown, box=report.box)
        table.note(report)
        table.leaves(card, card, WAITS)
        found = table.rnd.irregular.irregularity
        if found is None:
            table.note_met(report.trigger, "use", "by itself")
        _remedy(self, table)
        if in_window and (seen or report.trigger == "empty-box"):
            steps = [s for s in permitted_steps(table.rnd) if isinstance(s, Withdraw)]
            if steps and table.rnd.state == State.PLAY_WITHDRAW:
                raise TooLate(f"{steps[0]}: a further card has left, and was seen")


class DrawnBack(WrongDecision):
    """A card was given to a hand that had not asked for it."""

    kind = "a card that nobody asked for"
    weight = 0.7

    def _others(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if isinstance(other, Hit) and step.verb != "hit"]

    def is_due(self, table: Table) -> bool:
        return True

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        said, last = self.said, table.truth.cards[-1]
        assert said
        if last.place != said.place or last.when != said.when + 1:
            raise GoesOn("another card has left since")
        seen = self.chance.random() < 0.7
        try:
            table.say(ReportDrawn(seat=Seat(said.place[0]), seen=seen))
        except Refused as refused:
            raise GoesOn(f"report drawn: {refused}") from refused
        table.truth.said.remove(said)
        last.place = WAITS
        _remedy(self, table)
        table.find_waiting()


class FaceUp(Mistake):
    """A card lay face up in the shoe, or cards left it together."""

    kind = "a card face up, or two together"
    weight = 1.5

    def makes_card(self, table: Table, told: Card) -> bool:
        return self.chance.random() < 0.15

    def card(self, table: Table, told: Card) -> None:
        many = self.chance.choice((1, 2, 2, 3))
        cards = [told, *(table.shoe.card() for _ in range(many - 1))]
        trigger = "together" if many > 1 else "face-up"
        table.rnd = play.lay_aside(table.rnd, cards, trigger, asked=True)
        for place, card in enumerate(cards):
            marks = "&" if place else "^" if many == 1 else ""
            table.leaves(card, card, WAITS, marks)
        self.is_made(table)
        if table.rnd.irregular.irregularity is None:
            table.note_met(trigger, "use", "by itself")
        elif many > 1 and self.chance.random() < 0.6:
            shown = tuple(cards[: self.chance.randint(1, many)])
            table.say(ReportTogether(cards=shown))
        _remedy(self, table)

    def is_due(self, table: Table) -> bool:
        return True


class TooMany(_AtOnce):
    """A card too many went to the dealer's finished hand."""

    kind = "a card to the dealer's finished hand"
    weight = 1.5

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        return Overdraw.verb not in rules.not_played

    def _may(self, table: Table) -> bool:
        rnd = table.rnd
        settled = rnd.state == State.SETTLED and len(rnd.dealer) > 1
        return settled and dealer_has_enough(rnd, rnd.dealer) and not table.overdrawn

    def may_be_made(self, table: Table) -> bool:
        return self._may(table)

    def make(self, table: Table) -> None:
        table.finish_hand()
        table.overdrawn = True
        card = table.shoe.card()
        table.rnd = play.take_step(table.rnd, Overdraw(card))
        table.note(Overdraw())
        table.leaves(card, card, DEALER)
        case = next(c for c in table.rnd.rules.irregularities if c.trigger == "overdraw")
        table.note_met("overdraw", "discard", case.clause)
        self.is_made(table)

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        """It is, by itself."""


class Reported(_AtOnce):
    """Something is reported that changes no card, or takes cards out that nobody got."""

    kind = "reported"
    triggers: ClassVar[tuple[str, ...]] = ()
    with_box: ClassVar[bool] = False

    def _may(self, table: Table) -> bool:
        return table.rnd.state.part is not RoundPart.DEAL and not table.rnd.ended

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        trigger = self.chance.choice(self.triggers)
        box = self.chance.choice(list(table.rnd.boxes)) if self.with_box else 0
        report = Report(trigger, Seat(box) if box else None)
        before = len(table.rnd.irregular.remarks)
        try:
            table.rnd = play.take_step(table.rnd, report)
        except Refused as refused:
            raise GoesOn(f"{report}: {refused}") from refused
        table.note(report)
        if table.rnd.irregular.irregularity is None:
            self._by_itself(table, trigger, box, before)
        _remedy(self, table)

    def _by_itself(self, table: Table, trigger: str, box: int, before: int) -> None:
        """What the table does without being asked."""


class Missing(Reported):
    """A box, or the dealer, did not get what the initial deal gives."""

    kind = "cards missing"
    weight = 1.0
    with_box = True
    triggers = ("no-card", "one-card", "dealer-no-card")

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        trigger = self.chance.choice(self.triggers)
        self.triggers_now = trigger
        seat = None if trigger == "dealer-no-card" else Seat(self.chance.choice([*table.rnd.boxes]))
        report = Report(trigger, seat)
        told = len(table.rnd.told)
        try:
            table.rnd = play.take_step(table.rnd, report)
        except Refused as refused:
            raise GoesOn(f"{report}: {refused}") from refused
        table.note(report)
        if table.rnd.irregular.irregularity is None and seat and trigger == "no-card":
            returned = any(one.outcome == "returned" for one in table.rnd.told[told:])
            if not returned:
                raise AdviceFails(f"{report}: nothing is returned")
            table.note_met(trigger, "return", "by itself")
            table.takes_back(seat.box, None)
        _remedy(self, table)

    triggers_now: str = ""


class Voids(Reported):
    """What may void the round, or hands of it."""

    kind = "what may void a round"
    weight = 0.8
    triggers = ("count", "foreign", "misdeal", "other", "power", "shoe-empty", "unshuffled")

    def _may(self, table: Table) -> bool:
        return table.rnd.state.part is not RoundPart.DEAL

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        trigger = self.chance.choice(self.triggers)
        report = Report(trigger)
        try:
            table.rnd = play.take_step(table.rnd, report)
        except Refused as refused:
            if table.rnd.ended and trigger not in ("power", "shoe-empty"):
                raise AdviceFails(f"{report} behind the end: {refused}") from refused
            raise GoesOn(f"{report}: {refused}") from refused
        table.note(report)
        remedies.put_right(
            table,
            self.chance,
            keep=lambda step: not isinstance(step, VoidHand | Void) or self.chance.random() < 0.7,
        )
        remedies.choose_options(table, self.chance)


class MissedOffer(Mistake):
    """An offer was not made that somebody would have taken up."""

    kind = "an offer missed"
    weight = 1.0
    wanted: Step | None = None

    def makes_offer(self, table: Table, permitted: list[Step]) -> bool:
        own = [s for s in permitted if isinstance(s, Surrender) or getattr(s, "owner", s) is None]
        if not own:
            return False
        self.wanted = self.chance.choice(own)
        self.is_made(table)
        return True

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        wanted = self.wanted
        assert isinstance(wanted, Insure | Surrender)
        what = "missed-insurance" if isinstance(wanted, Insure) else "missed-surrender"
        report = Report(what, wanted.seat)
        try:
            table.rnd = play.take_step(table.rnd, report)
        except Refused as refused:
            raise GoesOn(f"{report}: {refused}") from refused
        table.note(report)
        steps = permitted_steps(table.rnd)
        if table.rnd.irregular.irregularity is None and wanted in steps:
            case = next(c for c in table.rnd.rules.irregularities if c.trigger == what)
            table.note_met(what, "offer", case.clause)
            from proof.put_right.truth import OFFERS

            step = with_amount(self.chance, table.rnd, wanted)
            table.say(step)
            table.truth.say(step, OFFERS)
            return
        _remedy(self, table)


class OverMaximum(_AtOnce):
    """Wagers on a box were above its maximum."""

    kind = "a wager above the maximum"
    weight = 0.7

    def _may(self, table: Table) -> bool:
        return bool(self._boxes(table)) and table.rnd.state.part is not RoundPart.DEAL

    def _boxes(self, table: Table) -> list[int]:
        """Boxes with one bettor, who has insured nothing."""
        insured = {owner[0] for _, owner in table.rnd.insurance}
        return [
            number
            for number, box in table.rnd.boxes.items()
            if len(box.main) == 1 and number not in insured | table.out | {*table.most}
        ]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        boxes = self._boxes(table)
        if not boxes:
            raise GoesOn("no box with one bettor is left")
        box = self.chance.choice(boxes)
        [stake] = table.rnd.boxes[box].main.values()
        most = (stake or 0) // 4 * 2
        report = ReportOverMaximum(seat=Seat(box), amount=most)
        try:
            table.rnd = play.take_step(table.rnd, report)
        except Refused as refused:
            raise Unheard(f"over-maximum refused: {refused}") from refused
        table.note(report)
        found = table.rnd.irregular.irregularity
        if found is None:
            table.most[box] = most
            table.note_met("over-maximum", "cap", "by itself")
            return
        remedies.put_right(table, self.chance)


KINDS: Final[tuple[type[Mistake], ...]] = (
    Drawn,
    DrawnBack,
    FaceUp,
    TooMany,
    Missing,
    Voids,
    MissedOffer,
    OverMaximum,
)
"""These kinds."""
