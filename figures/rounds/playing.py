"""Rounds of play with a strategy for the players: the table's own engine does the rest.

The rules:

- Every box has one bettor, who places the main wager and every side wager that the document knows
  (one of the button only where weights are given: without them nothing can be drawn).
- All players play by one strategy. Whatever else the rules offer is declined; insurance is taken
  only where ``insured`` says so, as much as may be.
- Blocks are independent of each other: each begins with a new shoe and has its own chance, so it
  does not matter in which order or where they are played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from controller.draw.weights import Weights, multiplier_for, take_ticket
from controller.game.commands.values import Seat
from controller.game.round import steps
from controller.game.round.draft import apply_input, begin_round, deal, take_step
from controller.game.round.guards import may
from controller.game.round.hands import may_buy
from controller.game.round.log import Input
from controller.game.round.looks import draw_is_moot
from controller.game.round.model import Box, Hand
from controller.game.round.offers import open_offers
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.wagers import MAIN, Limits, Sheet, check_wager
from controller.game.rules.cards import BUST_ABOVE, Card, is_pontoon
from controller.game.rules.schema import RuleSet
from figures.rounds.shoe import SimulatedShoe
from figures.rounds.strategies import HIT, STRATEGIES, Situation
from figures.rounds.tally import Tally


def happenings(rnd: Round) -> list[str]:
    """Each name once for each hand, or the dealer's."""
    seen = [name for box in rnd.boxes.values() for name in _seen_at(box)]
    if len(rnd.dealer) > 1:
        seen += ["dealer plays", _dealer_has(rnd)]
    return seen


def _dealer_has(rnd: Round) -> str:
    total = rnd.dealer_total
    if is_pontoon(rnd.dealer):
        return "dealer pontoon"
    if total > BUST_ABOVE:
        return "dealer busts"
    if len(rnd.dealer) == rnd.rules.dealer.cards_max.value:
        return "dealer trick"
    return f"dealer {total}" if total > 16 else "dealer below 17"


def _seen_at(box: Box) -> list[str]:
    seen = ["box dealt"]
    first = box.by_number[0]
    if len(box.hands) == 1 and first.is_pontoon:
        seen.append("pontoon")
    for hand in box.hands:
        seen.append("hand played")
        if hand.total > BUST_ABOVE:
            seen.append("hand busts")
        if hand.doubled:
            seen.append("hand doubled")
    seen += ["hand split"] * (len(box.hands) - 1)
    return seen


BETTOR = "a"
DONE: Final = steps.Done()
DECISIONS: Final[dict[str, type[steps.Decision]]] = {
    kind.verb: kind for kind in (steps.Stand, steps.Split, steps.Surrender, steps.Double, steps.Buy)
}
"""What strategies decide, by the names that they give it."""


class Chance(Protocol):
    """What a simulation needs of chance; ``random.Random`` is one."""

    def shuffle(self, x: list[Card]) -> None:
        """Bring a list into an order by chance."""

    def getrandbits(self, k: int, /) -> int:
        """That number of random bits."""


@dataclass(frozen=True, slots=True)
class SimulatedTable:
    """What is simulated: amounts in cents, ``penetration`` the percentage of the shoe's cards in
    front of the cutting card, ``weights`` None where nothing is drawn."""

    rules: RuleSet
    decks: int
    boxes: int
    limits: Limits
    main: int
    side: int
    strategy: str
    penetration: int
    weights: Weights | None = None
    insured: bool = False

    def wagers(self) -> Sheet:
        """The wagers of every round.

        Raises:
            Refused: the rules or limits do not permit one of them.
        """
        sheet, most = Sheet(), self.rules.betting.boxes_max.value
        side_wagers = self.rules.side_wagers.items()
        kinds = [kind for kind, rule in side_wagers if self.weights or not rule.at_button]
        for box in range(1, self.boxes + 1):
            for kind, stake in ((MAIN, self.main), *((kind, self.side) for kind in kinds)):
                check_wager(self.rules, self.limits, kind, box, BETTOR, stake, most)
                sheet.set(kind, box, BETTOR, stake)
        return sheet


class Simulation:
    """Plays blocks of rounds at ``table``."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._sheet = table.wagers()
        self._strategy = STRATEGIES[table.strategy](table.rules)
        self._surrenders = table.rules.surrender.offered.value == "before_play"

    def block(self, rounds: int, chance: Chance) -> Tally:
        """That number of rounds, the first of them from a new shoe.

        Raises:
            ShoeRanOut: the decks are too few for one round.
        """
        table, tally = self._table, Tally(rounds=rounds)
        shoe = SimulatedShoe(table.rules, table.decks, table.penetration, chance.shuffle)
        for _ in range(rounds):
            if shoe.begin_round():
                tally.end_shoe()
            rnd = begin_round(table.rules, table.limits, self._sheet)
            rnd = self._play(rnd, shoe.next_card, chance)
            shoe.end_round()
            tally.settled(rnd.settlements)
            tally.drawn.update(rnd.multipliers)
            tally.seen.update(happenings(rnd))
        tally.end_shoe()
        tally.shoes = shoe.shuffles
        tally.seen["shoe ran out"] = shoe.refills
        return tally

    def next_step(self, rnd: Round) -> steps.Step | None:
        """What is said next, where nothing is at the button; None: a card is dealt."""
        match rnd.state:
            case State.PLAY_DECIDE:
                return self._decided(rnd)
            case State.OFFERS_OPEN:
                return self._offer(rnd)
            case State.PLAY_WITHDRAW:
                return self._withdrawal(rnd)
            case State.DEALER_SECOND_CARD | State.DEALER_DRAW if draw_is_moot(rnd):
                return DONE
            case _:
                return None

    def _play(self, rnd: Round, next_card: Callable[[], Card], chance: Chance) -> Round:
        while not rnd.is_over:
            if rnd.state == State.JACKPOT_ARMED:
                assert rnd.armed is not None
                assert self._table.weights
                rnd = take_step(rnd, steps.Press(Seat(rnd.armed)))
                ticket, _ = take_ticket(chance.getrandbits, self._table.weights.total)
                drawn = Input("drawn", multiplier_for(self._table.weights, ticket))
                rnd = take_step(apply_input(apply_input(rnd, drawn), Input("shown")), DONE)
            else:
                step = self.next_step(rnd)
                rnd = take_step(rnd, step) if step else deal(rnd, next_card())
        return rnd

    def _decided(self, rnd: Round) -> steps.Decision | None:
        """The step of the hand in turn; None: a card."""
        hand = rnd.hand_in_turn
        assert hand
        verb = self._strategy.decide(_situation(rnd, hand, _verbs(rnd, hand)))
        if verb == HIT:
            return None
        kind, seat = DECISIONS[verb], Seat(hand.box)
        if issubclass(kind, steps.Raise):
            return kind(seat, hand.bets[BETTOR].stake)
        return kind(seat)

    def _offer(self, rnd: Round) -> steps.Step:
        """The first offer that is taken; DONE: all others are declined."""
        if self._table.insured and rnd.rules.insurance:
            for step in open_offers(rnd):
                if isinstance(step, steps.Insure) and step.owner is None:
                    return replace(step, amount=self._table.main // 2)
        if not self._surrenders:
            return DONE
        for hand in rnd.hands:
            at = _situation(rnd, hand, _at_first(rnd, hand))
            surrender = steps.Surrender(Seat(hand.box))
            if not hand.over and self._strategy.surrenders(at) and may(rnd, surrender):
                return surrender
        return DONE

    def _withdrawal(self, rnd: Round) -> steps.Withdraw | steps.Done:
        hand = rnd.hand_in_turn
        assert hand
        gives_up = self._strategy.withdraws(hand.total, rnd.dealer[0].rank)
        return steps.Withdraw(Seat(hand.box)) if gives_up else DONE


def _situation(rnd: Round, hand: Hand, verbs: frozenset[str]) -> Situation:
    return Situation(
        tuple(card.rank for card in hand.cards),
        hand.total,
        rnd.dealer[0].rank,
        verbs,
        hand.split,
        len(hand.bets[BETTOR].buys),
    )


def _verbs(rnd: Round, hand: Hand) -> frozenset[str]:
    """What the hand in turn may do beside taking a card; asked of the guards, where they can say
    yes."""
    rules, seat = rnd.rules, Seat(hand.box)
    first_two = len(hand.cards) == 2
    verbs = ["stand"] if hand.total >= rules.stand.minimum.value else []
    if rules.double and (first_two or rules.double.cards.value == "any"):
        verbs.append("double")
    if first_two and hand.cards[0].points == hand.cards[1].points and may(rnd, steps.Split(seat)):
        verbs.append("split")
    if first_two and rules.surrender.offered.value == "in_turn" and not hand.split:
        verbs.append("surrender")
    if may_buy(rnd, hand):
        verbs.append("buy")
    return frozenset(verbs)


def _at_first(rnd: Round, hand: Hand) -> frozenset[str]:
    """What a hand of two cards may do, were it in its turn, or give up now."""
    verbs = ["surrender"]
    if hand.total >= rnd.rules.stand.minimum.value:
        verbs.append("stand")
    if rnd.rules.double:
        verbs.append("double")
    if hand.cards[0].points == hand.cards[1].points:
        verbs.append("split")
    return frozenset(verbs)
