"""A round at the table's own engine: what its guards permit is what a mind (:mod:`~.minds`) chooses
among."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from controller.game.commands.values import Seat
from controller.game.round import steps
from controller.game.round.draft import apply_input, deal, take_step
from controller.game.round.guards import may
from controller.game.round.log import Input
from controller.game.round.looks import draw_is_moot
from controller.game.round.model import Hand
from controller.game.round.permitted import permitted_steps
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.rules.cards import Card
from figures.kernel.choices import BUY_LITTLE
from proof.agreement.minds import Mind
from proof.agreement.tables import BETTOR

DONE: Final = steps.Done()
DECISIONS: Final[tuple[type[steps.Decision], ...]] = (
    steps.Hit,
    steps.Stand,
    steps.Double,
    steps.Split,
    steps.Buy,
    steps.Surrender,
    steps.Buy,
)
"""In the order of the kernel's numbers; the last is the smallest buy."""


class OtherBounds(Exception):
    """The guards draw the line for an amount elsewhere."""


Open = tuple[int, int, int, int, int]
"""A hand that waits for the dealer: box, total, stake, doubled, bought."""


@dataclass(slots=True)
class Engine:
    """Plays a round: ``waiting`` are the hands that wait when the dealer's second card is due; None
    where that does not come about. ``little`` is the smallest buy, 0: none is chosen; and how many
    were ``bought_little``."""

    next_card: Callable[[], Card]
    mind: Mind
    little: int = 0
    bought_little: int = field(default=0, init=False)
    waiting: list[Open] | None = field(default=None, init=False)

    def play(self, rnd: Round) -> Round:
        """The round when it has ended."""
        while not rnd.is_over:
            match rnd.state:
                case State.JACKPOT_ARMED:
                    rnd = self._press(rnd)
                case State.OFFERS_OPEN:
                    rnd = self._offers(rnd)
                case State.PLAY_DECIDE | State.PLAY_FORCED_CARD:
                    rnd = self._decide(rnd)
                case State.PLAY_WITHDRAW:
                    hand = rnd.hand_in_turn
                    assert hand
                    gives_up = self.mind.withdraws(hand.total, rnd.dealer[0])
                    rnd = take_step(rnd, steps.Withdraw(Seat(hand.box)) if gives_up else DONE)
                case state if state.part is RoundPart.DEALER:
                    rnd = self._dealer(rnd)
                case _:
                    rnd = deal(rnd, self.next_card())
        return rnd

    def _press(self, rnd: Round) -> Round:
        assert rnd.armed is not None
        assert rnd.rules.pandemonium
        multipliers, place = rnd.rules.pandemonium.multipliers.value, [*rnd.boxes].index(rnd.armed)
        multiplier = self.mind.draws(place, multipliers)
        rnd = take_step(rnd, steps.Press(Seat(rnd.armed)))
        rnd = apply_input(apply_input(rnd, Input("drawn", multiplier)), Input("shown"))
        return take_step(rnd, DONE)

    def _offers(self, rnd: Round) -> Round:
        for number in list(rnd.boxes):
            seat = Seat(number)
            if rnd.rules.insurance and may(rnd, steps.Insure(seat)):
                half = (rnd.boxes[number].main[BETTOR] or 0) // 2
                if not may(rnd, steps.Insure(seat, amount=half)) or may(
                    rnd, steps.Insure(seat, amount=half + 1)
                ):
                    raise OtherBounds(f"box {number}: insurance of {half} at most")
                if amount := self.mind.insures(half):
                    rnd = take_step(rnd, steps.Insure(seat, amount=amount))
            asked = rnd.state == State.OFFERS_OPEN and may(rnd, steps.Surrender(seat))
            if asked and self.mind.gives_up(rnd.boxes[number].hands[0], rnd.dealer[0]):
                rnd = take_step(rnd, steps.Surrender(seat))
            if rnd.state != State.OFFERS_OPEN:
                return rnd
        return take_step(rnd, DONE)

    def _decide(self, rnd: Round) -> Round:
        hand, may_do = rnd.hand_in_turn, {type(step) for step in permitted_steps(rnd)}
        assert hand
        choices = [number for number, kind in enumerate(DECISIONS) if kind in may_do]
        if not self.little:
            choices = [number for number in choices if number != BUY_LITTLE]
        choice = self.mind.decides(hand, rnd.dealer[0], choices)
        if choice == BUY_LITTLE:
            self.bought_little += 1
            return take_step(rnd, steps.Buy(Seat(hand.box), self.little))
        kind = DECISIONS[choice]
        if kind is steps.Hit:
            return deal(rnd, self.next_card())
        if issubclass(kind, steps.Raise):
            return take_step(rnd, self._raised(rnd, hand, kind))
        return take_step(rnd, kind(Seat(hand.box)))

    def _raised(self, rnd: Round, hand: Hand, kind: type[steps.Raise]) -> steps.Raise:
        seat, step, double = Seat(hand.box), rnd.limits.increment, rnd.rules.double
        least, most = step, hand.bets[BETTOR].stake or 0
        if kind is steps.Double and double and double.minimum.value == "table_minimum":
            least = rnd.limits.min
        beyond = [amount for amount in (least - step, most + step) if amount > 0]
        if not all(may(rnd, kind(seat, amount)) for amount in (least, most)) or any(
            may(rnd, kind(seat, amount)) for amount in beyond
        ):
            raise OtherBounds(f"box {hand.box}: {kind.verb} for {least} to {most}")
        return kind(seat, least + step * self.mind.raises((most - least) // step))

    def _dealer(self, rnd: Round) -> Round:
        if self.waiting is None:
            self.waiting = [_open(hand) for hand in rnd.hands if hand.live]
        if draw_is_moot(rnd) and not self.mind.draws_although_moot():
            return take_step(rnd, DONE)
        return deal(rnd, self.next_card())


def _open(hand: Hand) -> Open:
    bet = hand.bets[BETTOR]
    return hand.box, hand.total, bet.stake or 0, bet.double or 0, sum(b or 0 for b in bet.buys)
