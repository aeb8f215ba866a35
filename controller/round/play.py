"""One round of play, from the closed bets to the last settlement.

A round takes cards, steps, presses and drawn multipliers; the machine decides whether and what
next, the guards say why not, the settling functions say how much. A refused step changes nothing.
Rounds can be copied (:meth:`Round.clone`), which is how an entry is tried and taken back, and
remember what they were given, so that they can be played again with a correction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller.round.actions import RoundActions
from controller.round.guards.decisions import CHECKS
from controller.round.guards.misplaced import out_of_place, short_out_of_place
from controller.round.irregular import remedying, replaying
from controller.round.irregular.cases import Irregularity, case_of
from controller.round.irregular.overdrawing import check_overdraw
from controller.round.log import Given
from controller.round.machine import MACHINE, PASSING, WINDOWS
from controller.round.model import Hand
from controller.round.refusal import Refused
from controller.round.settling import interim
from controller.round.steps import irregular
from controller.round.steps.step import Seat, Step
from controller.round.wagers import Limits, Sheet
from controller.rules.cards import Card, write_cards
from controller.rules.schema import RuleSet


class Round(RoundActions):
    """A round; these methods are its verbs, and the only way to change it."""

    def take(self, card: Card) -> None:
        """A card leaves the shoe; it has exactly one destination.

        Raises:
            Refused: no card may leave now.
        """
        self._receive(card)
        self.log.append(Given("card", card))

    def take_waiting(self) -> None:
        """The first of the cards that were put back is the next card.

        Raises:
            Refused: no card may be taken now.
        """
        card, *rest = self.waiting
        before, self.waiting = self.waiting, rest
        try:
            self._receive(card)
        except Refused:
            self.waiting = before
            raise
        self.log.append(Given("waiting"))

    def _receive(self, card: Card) -> None:
        self._check_nothing_wrong()
        if not self.card_expected:
            raise Refused(
                f"no card may leave the shoe now ({self.state})", self.clause, short="CARD NOT DUE"
            )
        if self.state in WINDOWS:
            self._fire("done")
        self.options, self.late, self.owed, self.chooser = None, None, False, 0
        if self.state == "play.dealer_card":
            self.options = self.owing
        elif self.state == "play.decide" and not self._hit_was_said():
            assert self.turn
            self.log.append(Given("step", Step("hit", Seat(self.turn[0]))))
        self._fire("card", card)

    def _hit_was_said(self) -> bool:
        """Whether the last thing said is that the hand in turn takes a card: a card from the shoe
        is the hit, said or not, and a decision of that box."""
        step = self.log[-1].step if self.log else None
        assert self.turn
        if step is None or step.seat is None or step.verb not in ("hit", "free"):
            return False
        return step.seat.box == self.turn[0]

    def loose(
        self,
        cards: Iterable[Card],
        trigger: str,
        *,
        asked: bool = False,
        seen: Iterable[Card] = (),
        box: int = 0,
        by_itself: bool = True,
    ) -> None:
        """Cards have left the shoe that may not be played as they came; they wait.

        ``asked``: one of them was due. ``box`` is the empty box that one went to. ``by_itself``
        False: somebody has still to say what happened, whatever the rules leave to nobody.

        Raises:
            Refused: something is wrong already.
        """
        self._check_nothing_wrong()
        found = Irregularity(trigger, list(cards), asked, tuple(seen), box)
        self.log.append(Given("loose", (tuple(cards), trigger, asked, tuple(seen), box, by_itself)))
        log = self.log
        trial = self.clone()
        remedying.open_it(trial, found, by_itself=by_itself)
        self.__dict__.update(trial.__dict__)
        self.log = log

    def step(self, step: Step) -> None:
        """A decision of a player, the dealer's ``done``, a report or a remedy.

        In a window (offers, withdrawal) any other step closes it first, if it may then be taken.

        Raises:
            Refused: it may not be taken now; nothing has changed.
        """
        if step.verb in irregular.FORMS:
            self._irregular(step)
            return
        if step.verb == "overdraw":
            check_overdraw(self, step)
            self.log.append(Given("step", step))
            return
        self._check_nothing_wrong()
        if step.verb == "press":
            self.pressed(step)
            return
        if self.late and step.verb == self.late[0] and step.seat and step.seat.box == self.late[1]:
            self._late_offer(step)
            return
        if step.verb == "done" and self.options and self.state not in (*WINDOWS, "jackpot.paying"):
            self.options = None
            self.log.append(Given("step", step))
            return
        window = WINDOWS.get(self.state)
        if window is not None and step.verb not in window:
            trial = self.clone()
            trial.step(Step("done"))
            trial.step(step)
            self.__dict__.update(trial.__dict__)
            return
        self.check(step)
        self._fire(step.verb, step)
        if self.state == "offers.open" and not self.offers_left():
            self._fire("done", Step("done"))
        self.options, self.late, self.chooser = None, None, 0
        self.log.append(Given("step", step))

    def _irregular(self, step: Step) -> None:
        trial = self.clone()
        if step.verb == "correct":
            replaying.correct(trial, step.number, step.cards[0])
            self.__dict__.update(trial.__dict__)
            return
        trial.log.append(Given("step", step))
        log, length = trial.log, len(trial.log)
        if step.verb == "report":
            remedying.report(trial, step)
        else:
            remedying.remedy(trial, step)
        if trial.log is log:  # else the round was played again, and remembers what it was given
            del log[length:]  # what the remedy has brought about follows from it
        self.__dict__.update(trial.__dict__)

    def _late_offer(self, step: Step) -> None:
        CHECKS[step.verb](self, step)
        if step.verb == "insure":
            self.place_insurance(step)
        else:
            self.place_surrender(step)
            self.regroup()
        self.log.append(Given("step", step))

    def _check_nothing_wrong(self) -> None:
        if self.irregularity is not None:
            case = case_of(self, self.irregularity)
            raise Refused(
                f"something is wrong ({self.irregularity.trigger}): a remedy first",
                case.clause,
                short="REMEDY FIRST",
            )

    def check(self, step: Step) -> None:
        """Whether :meth:`step` would be taken in this very state.

        Raises:
            Refused: with the reason and the clause.
        """
        event = MACHINE.events.get(step.verb)
        guard = CHECKS.get(step.verb)
        if event is None or guard is None:
            raise Refused(
                f"{step.verb!r} is no step of a round", out_of_place(self, step), "NO SUCH STEP"
            )
        if step.verb in self.rules.not_played:
            raise Refused(
                f"these rules do not play {step.verb!r}",
                self.rules.not_played[step.verb],
                short="NOT PLAYED HERE",
            )
        if self.state not in event.transitions:
            raise Refused(
                f"{step} is not permitted now ({self.state})",
                out_of_place(self, step),
                short=short_out_of_place(self, step),
            )
        guard(self, step)
        if step.verb == "done" and self.state.startswith("dealer.") and not self.draw_is_moot():
            raise Refused(
                "the dealer must draw: wagers depend on it", self.clause, short="DEALER MUST DRAW"
            )

    def pressed(self, step: Step) -> None:
        """The button is pressed, whatever is wrong at the table.

        Raises:
            Refused: it is not offered to that box.
        """
        self.check(step)
        self._fire("press", step)
        self.log.append(Given("step", step))

    def drawn(self, multiplier: int) -> None:
        """The draw for the box that pressed."""
        self._fire("drawn", multiplier)
        self.log.append(Given("drawn", multiplier))

    def shown(self) -> None:
        """The meter shows the multiplier drawn."""
        self._fire("shown")
        self.log.append(Given("shown"))

    def void(self, clause: str) -> None:
        """The round is void; every wager is returned."""
        self.void_clause = clause
        self._fire("void")
        self.irregularity = self.options = None
        self.waiting.clear()

    def give(self, given: Given) -> None:
        """One thing that a round was given, once more.

        Raises:
            Refused: it may not be now.
        """
        match given.what:
            case "card":
                self.take(given.value)
            case "waiting":
                self.take_waiting()
            case "loose":
                cards, trigger, asked, seen, box, by_itself = given.value
                self.loose(cards, trigger, asked=asked, seen=seen, box=box, by_itself=by_itself)
            case "back":
                self.waiting += given.value
                self.log.append(given)
            case "burned":
                self.log.append(given)
            case "options":
                self.options = given.value
                self.log.append(given)
            case "step" if given.value.verb == "press":
                self.pressed(given.value)
            case "step":
                self.step(given.value)
            case "drawn":
                self.drawn(given.value)
            case "shown":
                self.shown()

    def regroup(self) -> None:
        """A hand may be out: who is next?"""
        event = MACHINE.events["regroup"]
        if self.state in event.transitions and event.trigger(self):
            self._pass_on()

    def give_aside(self, hand: Hand, card: Card) -> None:
        """A card that was offered goes to a hand that is not in turn."""
        hand.cards.append(card)
        interim.settle_hand(self, hand)
        self.regroup()

    def _fire(self, trigger: str, *args: Any) -> None:
        if not MACHINE.events[trigger].trigger(self, *args):
            raise Refused(f"{trigger} is not permitted now ({self.state})", self.clause)
        self._pass_on()

    def _pass_on(self) -> None:
        while self.state in PASSING:
            MACHINE.events["advance"].trigger(self)
        if self.ended and self.waiting:
            self.remarks.append(f"{write_cards(self.waiting)} is left over: discard it")
            self.waiting.clear()


# Verbs that give the round as it is afterwards; the one they are given stays as it was.


def begin(rules: RuleSet, limits: Limits, sheet: Sheet) -> Round:
    """A round whose bets are closed."""
    return Round(rules, limits, sheet)


def take(rnd: Round, card: Card) -> Round:
    """A card leaves the shoe; it has exactly one destination."""
    after = rnd.clone()
    after.take(card)
    return after


def take_waiting(rnd: Round) -> Round:
    """The first of the cards that were put back is the next card."""
    after = rnd.clone()
    after.take_waiting()
    return after


def lay_aside(
    rnd: Round,
    cards: Iterable[Card],
    trigger: str,
    *,
    asked: bool = False,
    seen: Iterable[Card] = (),
    box: int = 0,
    by_itself: bool = True,
) -> Round:
    """Cards have left the shoe that may not be played as they came; they wait."""
    after = rnd.clone()
    after.loose(cards, trigger, asked=asked, seen=seen, box=box, by_itself=by_itself)
    return after


def take_step(rnd: Round, step: Step) -> Round:
    """A decision of a player, the dealer's ``done``, a report or a remedy."""
    after = rnd.clone()
    after.step(step)
    return after


def press(rnd: Round, step: Step) -> Round:
    """The button is pressed, whatever is wrong at the table."""
    after = rnd.clone()
    after.pressed(step)
    return after


def draw(rnd: Round, multiplier: int) -> Round:
    """The draw for the box that pressed."""
    after = rnd.clone()
    after.drawn(multiplier)
    return after


def show(rnd: Round) -> Round:
    """The meter shows the multiplier drawn."""
    after = rnd.clone()
    after.shown()
    return after


def void(rnd: Round, clause: str) -> Round:
    """The round is void; every wager is returned."""
    after = rnd.clone()
    after.void(clause)
    return after


def give(rnd: Round, given: Given) -> Round:
    """One thing that a round was given, once more."""
    after = rnd.clone()
    after.give(given)
    return after


def without_last(rnd: Round) -> Round:
    """The round without the last thing that it was given; what was remarked stays."""
    again = replaying.play_again(rnd, rnd.log[:-1])
    again.remarks = rnd.remarks.copy()
    return again
