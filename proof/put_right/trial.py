"""One trial: a round by chance in which one, two or three mistakes are made and put right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.looks import late_offer, put_back
from controller.game.round.permitted import permitted_steps
from controller.game.round.states import State
from controller.game.round.steps import (
    Double,
    Follow,
    Free,
    Hit,
    Insure,
    Keep,
    Press,
    Step,
    Surrender,
    Withdraw,
)
from controller.game.round.steps import Place as PlaceWager
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right import cards_amiss, remedies, reported, told_wrong, wagers_amiss
from proof.put_right import chance as by_chance
from proof.put_right.mistakes import Fails, GoesOn, Mistake, Moment
from proof.put_right.table import DONE, Table, closed_table
from proof.put_right.truth import OFFERS

MOST_MOVES: Final = 300
KINDS: Final = (
    *told_wrong.KINDS,
    *cards_amiss.MISPLACED,
    *wagers_amiss.KINDS,
    *cards_amiss.KINDS,
    *reported.KINDS,
)
"""Every kind of mistake."""


@dataclass(slots=True)
class Trial:
    """A trial in play: mistakes that are still ``planned``, made and not put right (``made``), and
    put right (``done``)."""

    table: Table
    chance: Random
    planned: list[Mistake]
    made: list[Mistake] = field(default_factory=list)
    done: list[Mistake] = field(default_factory=list)
    goes_on: list[str] = field(default_factory=list)

    def play(self) -> Table:
        """Play the round to its end, and behind it until nothing is left to be put right."""
        for _ in range(MOST_MOVES):
            table = self.table
            if table.rnd.irregular.irregularity is not None:
                self._remedy()
                continue
            if table.heard() and self._put_right():
                continue
            self._look_at_table()
            if table.rnd.is_over:
                if not any(one.may_be_made(table) for one in self.planned):
                    return table
                self._make_mistake()
                continue
            if table.heard() and self._make_mistake():
                continue
            self._move()
        raise Fails("does not end", f"behind {MOST_MOVES} moves")

    def _look_at_table(self) -> None:
        if self.done and not self.made:
            self.table.look_at_offers()
            self.table.look_at_hand()

    def _make_mistake(self) -> bool:
        """Make a mistake that is made between two moves."""
        for one in self.planned:
            if one.between_moves and one.may_be_made(self.table):
                one.make_mistake(self.table)
                self._note_made(one)
                return True
        return False

    def _note_made(self, one: Mistake) -> None:
        self.planned.remove(one)
        one.is_made(self.table)
        self.made.append(one)

    def _put_right(self) -> bool:
        """Put right what is due; whether anything was."""
        due = [one for one in self.made if one.is_due(self.table)]
        if not due:
            return False
        self.table.finish_hand()
        first = due[0]
        together = [one for one in due if one.is_correction] if first.is_correction else [first]
        for one in together:
            self.made.remove(one)
        try:
            first.put_right(self.table, together)
        except GoesOn as goes_on:
            self.goes_on.append(str(goes_on))
        self.done += together
        self.table.find_waiting()
        before = self.table.before
        self.table.put_right()
        if not self.made:
            self.table.before = before
        return True

    def _move(self) -> None:
        table, rnd = self.table, self.table.rnd
        if late_offer(rnd):
            self._offer(0.8, late=True)
            return
        match rnd.state:
            case State.JACKPOT_ARMED:
                self._press()
            case State.OFFERS_OPEN:
                self._offer(0.4)
            case State.PLAY_DECIDE if rnd.irregular.owed:
                self._card()
            case State.PLAY_DECIDE:
                self._decide()
            case State.PLAY_SPLIT_CARD:
                self._decide_behind(Follow | PlaceWager, 0.5, self._card)
            case State.PLAY_DOUBLE_CARD:
                self._decide_behind(Double, 0.5, self._card)
            case State.PLAY_WITHDRAW:
                self._decide_behind(Withdraw | Keep, 0.6, self._go_on)
            case _:
                if rnd.state == State.DEALER_SECOND_CARD:
                    table.unheard = True
                self._card()

    def _card(self) -> None:
        table = self.table
        if put_back(table.rnd):
            table.waiting_card()
            return
        told = self._drawn()
        for one in self.planned:
            if one.makes_card(table, told):
                one.card(table, told)
                self._note_made(one)
                return
        table.card(told)

    def _drawn(self) -> Card:
        first_of_dealer = self.table.rnd.state == State.DEAL_DEALER_CARD
        return self.table.shoe.card(by_chance.DEALERS_FIRST if first_of_dealer else ())

    def _press(self) -> None:
        table, rules = self.table, self.table.rnd.rules
        box = table.rnd.armed
        assert box
        assert rules.pandemonium
        step = Press(Seat(box))
        table.rnd = play.press(table.rnd, step)
        table.note(step)
        drawn = self.chance.choice(rules.pandemonium.multipliers.value)
        table.rnd = play.take_step(play.show_multiplier(play.draw(table.rnd, drawn)), DONE)
        table.truth.draws[box] = drawn
        table.multipliers.append(drawn)

    def _offer(self, chance: float, *, late: bool = False) -> None:
        table, steps = self.table, self._open_steps(Insure | Surrender)
        if steps and self.chance.random() < chance:
            step = by_chance.with_amount(self.chance, table.rnd, self.chance.choice(steps))
            table.play_step(step)
            table.truth.note_decision(step, OFFERS)
            return
        if not late:
            if made := next((one for one in self.planned if one.makes_offer(table, steps)), None):
                self._note_made(made)
            table.declined |= {str(step) for step in steps}
        self._go_on()

    def _open_steps(self, kinds: object) -> list[Any]:
        return [step for step in permitted_steps(self.table.rnd) if isinstance(step, kinds)]  # type: ignore[arg-type]

    def _go_on(self) -> None:
        """Nobody says anything more here, and a script does not hear it."""
        self.table.rnd = play.take_step(self.table.rnd, DONE)
        self.table.unheard = True

    def _decide(self) -> None:
        table = self.table
        assert table.rnd.turn
        place = table.place_of(*table.rnd.turn)
        steps = table.permitted_decisions()
        step = by_chance.decision(self.chance, table.rnd, steps)
        wanted = table.wants.pop(place, None)
        if wanted is not None and any(_same_kind(wanted, one) for one in steps):
            step = by_chance.within(table.rnd, wanted)
        else:
            for one in self.planned:
                if one.makes_decision(table, step, steps):
                    self._note_made(one)
                    assert one.entered
                    step = one.entered
                    break
        said = table.decide(step)
        for one in self.made:
            if one.said is None and one.entered is step:
                one.said = said
        if isinstance(step, Hit | Free):
            self._card()

    def _decide_behind(self, kinds: object, chance: float, otherwise: Callable[[], None]) -> None:
        steps = self._open_steps(kinds)
        if steps and self.chance.random() < chance:
            step = self.chance.choice(steps)
            self.table.decide(by_chance.with_amount(self.chance, self.table.rnd, step))
        else:
            otherwise()

    def _remedy(self) -> None:
        """Something is wrong that a correction has brought: a remedy by chance."""
        remedies.put_right(self.table, self.chance, options=True)
        self.table.put_right()


def _same_kind(step: Step, other: Step) -> bool:
    return step.verb == other.verb and getattr(step, "seat", None) == getattr(other, "seat", None)


def trial(rules: RuleSet, seed: str, *, copies: int = 8) -> Trial:
    """A trial of that seed, not played yet."""
    chance = Random(seed)
    sheet = by_chance.random_sheet(chance, rules)
    count = chance.choice((1, 1, 2, 2, 3))
    makers = [maker for maker in KINDS if maker.known_to(rules)]
    weights = [maker.weight for maker in makers]
    planned = [
        maker(chance, Moment.by_chance(chance))
        for maker in chance.choices(makers, weights, k=count)
    ]
    return Trial(closed_table(rules, sheet, chance, copies), chance, planned)
