"""A round that a script plays, with the script's place in it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.game.commands.values import Seat
from controller.game.round import play as on_a_copy
from controller.game.round.draft import apply_input, deal, judge, judges_first, take_step
from controller.game.round.guards import out_of_place
from controller.game.round.log import Input, Loose
from controller.game.round.looks import draw_is_moot, late_offer, put_back
from controller.game.round.permitted import permitted
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Correction, PutsRight, Report, ReportDrawn
from controller.game.round.state import Round
from controller.game.round.states import WINDOWS, RoundPart, State
from controller.game.round.steps import Done, Free, HandComplete, Hit, Overdraw, Press, Step
from controller.game.rules.cards import write_cards
from controller.game.rules.cases import TRIGGERS
from controller.game.scripts import hearing
from controller.game.scripts.script import MalformedScript, Script, ShoeCard


class StepRefused(Exception):
    """A step that the rules refuse (status 3).

    ``index`` of the step (None: a card), the round's ``state`` and what was ``permitted`` there.
    """

    def __init__(
        self, index: int | None, refused: Refused, state: str, permitted: list[str]
    ) -> None:
        self.index = index
        self.refused = refused
        self.state = state
        self.permitted = permitted
        where = f"step {index}" if index is not None else "a card"
        can = ", ".join(permitted) or "nothing but a card"
        super().__init__(f"{where}, state {state}: {refused}; permitted were: {can}")


def sayable(rnd: Round) -> list[str]:
    """What a script may say now: as at a table, but it presses the button and says no ``done``."""
    steps = [str(step) for step in permitted(rnd) if step.verb != Done.verb]
    if rnd.state == State.JACKPOT_ARMED:
        assert rnd.armed is not None
        steps.insert(0, str(Press(Seat(rnd.armed))))
    return steps


@dataclass(frozen=True, slots=True)
class Happening:
    """What happened in a round, for an account of it: a ``card`` to a hand (``box`` None: the
    dealer's; ``put_back``: it had left the shoe before), ``loose`` cards that may not be played as
    they came, a ``remark`` on what follows by itself, a ``step`` taken, ``! STEP`` refused with the
    reason, an offer made late that is ``declined``, or a multiplier ``drawn``."""

    what: str
    text: str
    box: int | None = None
    hand: int = 1
    put_back: bool = False


Lying = tuple[int, dict[tuple[int, int], int], int]
"""How many remarks there are, cards on each hand, and cards of the dealer."""


@dataclass(slots=True)
class ScriptPlay:
    """A round in progress with the script's place in it."""

    script: Script
    rnd: Round
    card: int = 0
    multiplier: int = 0
    course: list[Happening] | None = None

    def clone(self) -> ScriptPlay:
        """An independent copy, of which no account is asked."""
        return ScriptPlay(self.script, self.rnd.clone(), self.card, self.multiplier)

    def deal(self) -> None:
        """The next card of the shoe."""
        receiver = None if self.course is None else self.rnd.receiver
        box, hand = (receiver.box, receiver.number) if receiver else (None, 1)
        waits = put_back(self.rnd)
        if waits:
            card = self.rnd.irregular.waiting[0]
            self.rnd = apply_input(self.rnd, Input("waiting"))
        else:
            left = self._leave()
            if len(left) > 1 or left[0].marks:
                self._loose(left)
                return
            card = left[0].card
            self.rnd = deal(self.rnd, card)
        self.note_happening("card", card, box, hand, put_back=waits)

    def note_happening(
        self,
        what: str,
        said: object,
        box: int | None = None,
        hand: int = 1,
        *,
        put_back: bool = False,
    ) -> None:
        """Note what happened, where an account of the round is asked for."""
        if self.course is not None:
            self.course.append(Happening(what, str(said), box, hand, put_back))

    def _leave(self) -> list[ShoeCard]:
        """The cards that leave the shoe now: one, or all that leave together."""
        shoe = self.script.shoe
        if self.card == len(shoe):
            raise MalformedScript(
                f"shoe: its {len(shoe)} cards are too few: a card is due in state {self.rnd.state}"
            )
        left = [shoe[self.card]]
        while self.card + len(left) < len(shoe) and "&" in shoe[self.card + len(left)].marks:
            left.append(shoe[self.card + len(left)])
        self.card += len(left)
        return left

    def _loose(self, left: list[ShoeCard], trigger: str = "", step: Report | None = None) -> None:
        """Cards that may not be played as they came."""
        if not trigger:
            foreign = any("%" in entry.marks for entry in left)
            trigger = "foreign" if foreign else "together" if len(left) > 1 else "face-up"
        cards = [entry.card for entry in left]
        seen = cards if isinstance(step, ReportDrawn) and step.seen else ()
        box = step.box if step else 0
        self.note_happening("loose", f"{write_cards(cards)}: {TRIGGERS[trigger]}")
        before = self._lying()
        loose = Loose(tuple(cards), trigger, step is None, tuple(seen), box)
        self.rnd = apply_input(self.rnd, Input("loose", loose))
        self._tell_of(before)

    def refusal(self, refused: Refused, index: int | None = None) -> StepRefused:
        """The error that a refused step ends the script with."""
        return StepRefused(index, refused, self.rnd.state, sayable(self.rnd))

    def settle_down(self, upcoming: Step | None) -> None:
        """Deal and pass on until the upcoming step is the next thing to happen."""
        first = upcoming is None or judges_first(self.rnd, upcoming)
        if not isinstance(upcoming, Correction) and first:
            self.judge_corrections()
        while True:
            if remedy := hearing.remedy_by_itself(self.rnd, upcoming):
                before = self._lying()
                self.note_happening("remark", f"nothing else is said: {remedy}")
                self.rnd = take_step(self.rnd, remedy)
                self._tell_of(before)
            elif self.rnd.is_over or hearing.waits_for(self.rnd, upcoming):
                return
            else:
                self._proceed()

    def judge_corrections(self) -> None:
        """The corrections said so far are one, and complete."""
        if not self.rnd.irregular.edits:
            return
        before = self._lying()
        self.rnd = judge(self.rnd)
        self._tell_of(before)

    def _proceed(self) -> None:
        rnd = self.rnd
        if offer := late_offer(rnd):
            what, box = offer
            declined = f"{what.words} that was offered late to box {box} is declined"
            self.note_happening("declined", declined)
        offered = rnd.state in WINDOWS or rnd.state == State.JACKPOT_PAYING
        empty = self.card == len(self.script.shoe) and not rnd.irregular.waiting
        ends = rnd.state.part is RoundPart.DEALER and empty and draw_is_moot(rnd)
        if offer or offered or ends:
            self.rnd = take_step(rnd, Done())
        else:
            self.deal()

    def judge(self, step: Step) -> None:
        """Have the round take the step itself, without the card or draw that follows it."""
        if isinstance(step, Done):
            raise Refused("'done' is said at a live table only", code="only-at-a-live-table")
        put_right = self.rnd.irregular.irregularity or self.rnd.irregular.options
        if self.rnd.is_over and not put_right and not hearing.is_said_afterwards(step):
            raise Refused("the round is over", out_of_place(self.rnd, step), code="round-is-over")
        if isinstance(step, HandComplete):
            if not self.rnd.is_over:
                raise Refused(
                    "the dealer's hand is not complete",
                    out_of_place(self.rnd, step),
                    code="not-finished",
                )
            return
        before = self._lying()
        if isinstance(step, Report) and hearing.comes_with_a_card(step):
            self._report_card(step)
        elif isinstance(step, Overdraw):
            on_a_copy.take_step(self.rnd, step)  # refused, if it is, without a card
            self.rnd = take_step(self.rnd, Overdraw(self._leave()[0].card))
        else:
            self.rnd = take_step(self.rnd, step)
        self.note_happening("step", step)
        if isinstance(step, PutsRight):
            self._tell_of(before)

    def _lying(self) -> Lying | None:
        """What lies there, to see what a remedy has moved; None where nobody asks."""
        if self.course is None:
            return None
        rnd = self.rnd
        hands = {(h.box, h.number): len(h.cards) for box in rnd.boxes.values() for h in box.hands}
        return len(rnd.irregular.remarks), hands, len(rnd.dealer)

    def _tell_of(self, before: Lying | None) -> None:
        """What a card's marks, a report or a remedy have brought about."""
        if before is None:
            return
        remarks, hands, dealer = before
        for said in self.rnd.irregular.remarks[remarks:]:
            self.note_happening("remark", said)
        for hand in self.rnd.hands:
            if len(hand.cards) > hands.get((hand.box, hand.number), 0):
                self.note_happening("card", hand.cards[-1], hand.box, hand.number, put_back=True)
        if len(self.rnd.dealer) > dealer:
            self.note_happening("card", self.rnd.dealer[-1], put_back=True)

    def take_step(self, step: Step) -> None:
        """One step of the script, and what follows it by itself."""
        self.judge(step)
        irregular = self.rnd.irregular
        owes = irregular.owed and not irregular.irregularity and self.rnd.state == State.PLAY_DECIDE
        if isinstance(step, Hit | Free) or owes:
            self.deal()
        elif isinstance(step, Press):
            self._draw()

    def _report_card(self, step: Report) -> None:
        """The next card of the shoe left in error."""
        box = step.box
        if box in self.rnd.boxes:
            raise Refused(
                f"box {box} has a wager: it is not empty", self.rnd.clause, code="box-has-a-wager"
            )
        left = self._leave()
        if len(left) > 1:
            raise MalformedScript(
                f"shoe: {left[1].card}& left together with a card that was drawn in error: "
                "expected that card alone"
            )
        self._loose(left, step.trigger, step)

    def _draw(self) -> None:
        multipliers = self.script.multipliers
        if self.multiplier == len(multipliers):
            raise MalformedScript("multipliers: too few: a press has none")
        drawn = multipliers[self.multiplier]
        self.rnd = apply_input(self.rnd, Input("drawn", drawn))
        self.note_happening("drawn", drawn)
        self.multiplier += 1
        self.rnd = apply_input(self.rnd, Input("shown"))
