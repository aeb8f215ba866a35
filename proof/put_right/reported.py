"""Mistakes that people report: cards missing, offers missed, wagers above a maximum, and what voids
a round. But for an offer they are put right where they are made.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Reconstruct, Report, ReportOverMaximum
from controller.game.round.states import RoundPart
from controller.game.round.steps import Insure, Step, Surrender
from proof.put_right import remedies
from proof.put_right.chance import with_amount
from proof.put_right.mistakes import Fails, GoesOn, Mistake
from proof.put_right.table import Table
from proof.put_right.truth import OFFERS

__all__ = ["KINDS"]

BEHIND_THE_END: Final = ("count", "foreign", "misdeal", "other", "unshuffled")
"""Reports that are heard until the next round begins (A-74)."""

REBUILT: Final = {"rws-pontoon-plus-v5": "5.9(i), 5.10.1"}
"""Documents by which cards that lack are put where they should be while nothing is settled."""


class _Reported(Mistake):
    """Something is reported, and a document says what is done."""

    between_moves = at_once = True

    def may_be_made(self, table: Table) -> bool:
        return table.rnd.state.part is not RoundPart.DEAL and self.chance.random() < 0.3

    def report(self, table: Table, report: Report) -> None:
        """Report it.

        Raises:
            GoesOn: it cannot have happened.
        """
        try:
            table.rnd = play.take_step(table.rnd, report)
        except Refused as refused:
            raise GoesOn(f"{report}: {refused}") from refused
        table.note(report)


class Missing(_Reported):
    """A box, or the dealer, did not get what the initial deal gives."""

    kind = "cards missing"

    def may_be_made(self, table: Table) -> bool:
        if table.rnd.is_over or (table.laid and table.apart.short):
            return False  # or a box lacks one already that lies elsewhere
        return _Reported.may_be_made(self, table)

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        trigger = self.chance.choice(("no-card", "one-card", "dealer-no-card"))
        seat = None if trigger == "dealer-no-card" else Seat(self.chance.choice([*table.rnd.boxes]))
        told = len(table.rnd.all_settlements)
        self.report(table, Report(trigger, seat))
        if table.rnd.irregular.irregularity is None and seat:
            if not any(one.outcome == "returned" for one in table.rnd.all_settlements[told:]):
                raise Fails("not returned", f"report {trigger} {seat}: nothing is returned")
            table.note_met(trigger, "return")
            table.takes_back(seat.box, None)
        may_rebuild = table.rnd.rules.id in REBUILT and not table.rnd.all_settlements
        if may_rebuild and Reconstruct() not in permitted_steps(table.rnd):
            raise Fails("not reconstructed", f"report {trigger}: {REBUILT[table.rnd.rules.id]}")
        remedies.put_right(table, self.chance, options=True)


class Unfounded(_Reported):
    """A decision is reported as wrong at a box that has made none."""

    kind = "a report without a decision"
    weight = 0.5

    def may_be_made(self, table: Table) -> bool:
        return bool(self._boxes(table)) and _Reported.may_be_made(self, table)

    def _boxes(self, table: Table) -> list[int]:
        if table.taken_out:  # with what was decided on cards that nobody got
            return []
        return [box for box in table.rnd.boxes if table.truth.last_of(box) is None]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        box = self.chance.choice(self._boxes(table) or [0])
        report = Report(self.chance.choice(("wrong-decision", "passed-over")), Seat(box))
        if box:
            self.report(table, report)
            raise Fails("accepted without a decision", str(report))


class Voids(_Reported):
    """What may void the round, or hands of it; also behind its end."""

    kind = "what may void a round"
    weight = 0.8

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        more = () if table.rnd.is_over else ("power", "shoe-empty")
        report = Report(self.chance.choice((*BEHIND_THE_END, *more)))
        try:
            self.report(table, report)
        except GoesOn as refused:
            if table.rnd.is_over and report.trigger in BEHIND_THE_END:
                raise Fails("not heard behind the end", str(refused)) from refused
            raise
        remedies.put_right(table, self.chance, options=True)


class MissedOffer(_Reported):
    """An offer was not made that somebody would have taken up."""

    kind = "an offer missed"
    at_once = between_moves = False
    wanted: Insure | Surrender | None = None

    def may_be_made(self, table: Table) -> bool:
        return False

    def makes_offer(self, table: Table, permitted: list[Insure | Surrender]) -> bool:
        own = [s for s in permitted if isinstance(s, Surrender) or s.owner is None]
        self.wanted = self.chance.choice(own) if own else None
        return bool(own)

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        wanted = self.wanted
        assert wanted
        what = "missed-insurance" if isinstance(wanted, Insure) else "missed-surrender"
        self.report(table, Report(what, wanted.seat))
        if table.rnd.irregular.irregularity is None and wanted in permitted_steps(table.rnd):
            table.note_met(what, "offer")
            step: Step = with_amount(self.chance, table.rnd, wanted)
            table.play_step(step)
            table.truth.note_decision(step, OFFERS)
            return
        remedies.put_right(table, self.chance, options=True)


class OverMaximum(_Reported):
    """The wager of a box with one bettor, who has insured nothing, was above its maximum."""

    kind = "a wager above the maximum"
    weight = 0.7

    def may_be_made(self, table: Table) -> bool:
        return bool(self._boxes(table)) and _Reported.may_be_made(self, table)

    def _boxes(self, table: Table) -> list[int]:
        apart = (
            {owner[0] for _, owner in table.rnd.insurance} | table.apart.out | {*table.apart.most}
        )
        boxes = table.rnd.boxes.values()
        return [box.number for box in boxes if len(box.main) == 1 and box.number not in apart]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        if not (boxes := self._boxes(table)):
            raise GoesOn("no such box is left")
        box = self.chance.choice(boxes)
        [stake] = table.rnd.boxes[box].main.values()
        most = (stake or 0) // 4 * 2
        report = ReportOverMaximum(seat=Seat(box), amount=most)
        self.report(table, report)
        if table.rnd.irregular.irregularity is None:
            table.apart.most[box] = most
            cases = table.rnd.rules.irregularities
            remedy = next(c.remedies[0] for c in cases if c.trigger == report.trigger)
            table.note_met(report.trigger, remedy)
        remedies.put_right(table, self.chance, options=True)


KINDS: Final[tuple[type[Mistake], ...]] = (Missing, Unfounded, Voids, MissedOffer, OverMaximum)
"""These kinds."""
