"""A round at the table's own engine: what its guards permit is what a mind (:mod:`~.minds`) chooses
among. And cards for both sides, from a shoe or drawn ones: the kernel shuffles, the simulated shoe
is told its order, and must be shuffled, burned, cut and refilled at the same times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from controller.game.rules.schema import RuleSet
from figures.kernel.choices import BUY_LITTLE
from figures.kernel.shoe import AT, BEGIN, END, LIMIT
from figures.kernel.words import CARDS, card_of
from figures.rounds.shoe import SimulatedShoe
from proof.agreement.minds import Mind
from proof.agreement.tables import BETTOR

EVERY: Final = tuple(card_of(number) for number in range(CARDS))


class OtherCards(Exception):
    """What is shuffled on one side is not what is on the other."""


class DrawnCards:
    """The engine's cards: a row that is dealt from anywhere."""

    def __init__(self) -> None:
        self._row: Sequence[int] = ()
        self._at = 0

    @property
    def counts(self) -> tuple[int, int]:
        """How often they were shuffled, and ran out in mid-round."""
        return 0, 0

    def begin_round(self, shoe: Sequence[int]) -> bool:
        """Begin a round that the kernel has played, but not ended, with this shoe; whether the
        engine's was shuffled for it."""
        self._row, self._at = shoe, int(shoe[AT])
        return False

    def next_card(self) -> Card:
        """The next card."""
        self._at += 1
        return EVERY[self._row[self._at - 1]]

    def end_round(self) -> None:
        """The round has ended."""


class FollowingShoe:
    """A simulated shoe in the order of the kernel's; :class:`OtherCards` is raised where it cannot
    be brought into that."""

    def __init__(self, rules: RuleSet, decks: int, penetration: int) -> None:
        self._simulated = SimulatedShoe(rules, decks, penetration, self._shuffle)
        self._cards: list[Card] = []
        self._taken = 0
        """Cards that were taken of them."""
        self._before = 0
        """Cards of the kernel's shoe that lie in front of them."""
        self._order: list[Card] = []
        self._discards: list[Card] = []
        self._left = 0
        """Cards that the kernel had left when the round began."""
        self._dealing = False

    @property
    def counts(self) -> tuple[int, int]:
        """See :class:`DrawnCards`."""
        return self._simulated.shuffles, self._simulated.refills

    def begin_round(self, shoe: Sequence[int]) -> bool:
        """See :class:`DrawnCards`."""
        end, limit = int(shoe[END]), int(shoe[LIMIT])
        self._order = [EVERY[card] for card in shoe[BEGIN:end]]
        self._discards = [EVERY[card] for card in shoe[end:limit]] if limit else []
        self._left = end - int(shoe[AT])
        self._dealing = False
        shuffled = self._simulated.begin_round()
        if not shuffled:
            behind = self._order[self._before :]
            if behind[: self._taken] != self._cards[: self._taken]:
                raise OtherCards("cards that were dealt do not lie any more where they were")
            self._cards[:] = behind  # what has not been dealt may be shuffled late
        self._dealing = True
        return shuffled

    def next_card(self) -> Card:
        """See :class:`DrawnCards`."""
        card = self._simulated.next_card()
        self._taken += 1
        return card

    def end_round(self) -> None:
        """See :class:`DrawnCards`."""
        self._simulated.end_round()

    def _shuffle(self, cards: list[Card]) -> None:
        laid = self._discards if self._dealing else self._order
        if sorted(cards) != sorted(laid):
            raise OtherCards(f"{len(cards)} cards are shuffled, {len(laid)} by the kernel")
        cards[:] = laid
        self._cards, self._taken = cards, 0
        self._before = self._left if self._dealing else 0


Cards = DrawnCards | FollowingShoe

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
