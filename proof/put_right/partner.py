"""The partner of a round: the one in which nothing was ever wrong, played from the truth alone.

Each card that it asks for comes from the place where it lies in the end; each hand takes the
decisions made at it, in their order; each box gets the multiplier that was drawn for it. A decision
that the cards do not permit is dropped, and a card that lies there although nobody asked for it is
a hit. What the truth does not have is not invented: the partner stops and says what it lacks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.game.commands.values import Seat
from controller.game.round import play, steps
from controller.game.round.draft import begin_round, deal, press, take_step
from controller.game.round.hands import controller_of
from controller.game.round.looks import draw_is_moot
from controller.game.round.model import Hand
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.states import CARDS_BEFORE, State
from controller.game.round.wagers import Limits
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right.apart import Apart
from proof.put_right.table import DONE, Asked, NotComparable, Table
from proof.put_right.truth import DEALER, OFFERS, Dealt, Item, Place, SaidDecision, Truth, names_of

LATE_21 = "a hand that got its second card in its turn has 21 with two"
ANY_CARD = Card(5, 1)


class Lacks(Exception):
    """The truth lacks ``what`` the partner asks for at the ``place``: card, decision or draw."""

    def __init__(self, what: str, place: Place) -> None:
        self.what, self.place = what, place
        super().__init__(f"{what} at {place}")


@dataclass(slots=True)
class Partner:
    """The partner in play. ``asked`` is what hands were permitted; ``offered`` who might insure or
    surrender behind ``offers_behind`` who had; ``gone`` are decisions by which people left."""

    truth: Truth
    rnd: Round
    apart: Apart
    wanted: Asked
    offers_behind: int | None
    least: int
    items: dict[Place, list[Item]] = field(default_factory=dict)
    splits: list[Place] = field(default_factory=list)
    asked: Asked = field(default_factory=dict)
    offered: set[str] = field(default_factory=set)
    gone: list[SaidDecision] = field(default_factory=list)

    def play(self) -> Round:
        """The partner at its end; raises Lacks where the truth does not have what it asks for."""
        if self.truth.left_late():
            raise NotComparable("who left had decided at a hand behind that one before")
        while not self.rnd.is_over:
            self._go_on()
        for items in self.items.values():
            self._check_there(*items)
        self._check_taken()
        return self.rnd

    def _items_at(self, place: Place) -> list[Item]:
        if place not in self.items:
            self.items[place] = self.truth.items_at(place)
        return self.items[place]

    def _receiver(self) -> Place:
        hand = self.rnd.receiver
        if hand is None:
            return DEALER
        return (hand.box, ()) if self.rnd.state in CARDS_BEFORE else self._turn()

    def _turn(self) -> Place:
        assert self.rnd.turn
        box, number = self.rnd.turn
        return box, names_of(self.splits, box)[number - 1]

    def _card(self, place: Place) -> None:
        items = self._items_at(place)
        while items and not isinstance(items[0], Dealt):
            if items[0].by_house:
                raise NotComparable("a hand that the house plays takes no more by a clause")
            if place != DEALER and isinstance(items[0].step, steps.Split):
                break  # for any other nobody was asked here: the hand must take a card
            self._check_there(items.pop(0))
        if items and isinstance(dealt := items[0], Dealt):
            items.pop(0)
            self.rnd = deal(self.rnd, dealt.card)
        elif place[0] in self.apart.out or (place == DEALER and self.apart.alone_depend(self.rnd)):
            self.rnd = deal(self.rnd, ANY_CARD)
        else:
            if self.rnd.state in CARDS_BEFORE and place[0] in self.apart.short:
                raise NotComparable("a hand never got its second card")
            self._check_taken()
            raise Lacks("card", place)

    def _go_on(self) -> None:
        match self.rnd.state:
            case State.JACKPOT_ARMED:
                self._press()
            case State.OFFERS_OPEN:
                self._offers()
            case State.PLAY_DECIDE:
                self._decide()
            case State.PLAY_SPLIT_CARD:
                self._decide_behind(steps.Follow | steps.Place)
                self._card(self._receiver())
            case State.PLAY_DOUBLE_CARD:
                self._decide_behind(steps.Double)
                self._card(self._receiver())
            case State.PLAY_WITHDRAW:
                place = self._turn()
                self._decide_behind(steps.Withdraw | steps.Keep)
                if self.rnd.state == State.PLAY_WITHDRAW and self._turn() == place:
                    self.rnd = take_step(self.rnd, DONE)
            case State.DEALER_SECOND_CARD | State.DEALER_DRAW if self._needs_no_card():
                self.rnd = take_step(self.rnd, DONE)
            case _:
                self._card(self._receiver())

    def _needs_no_card(self) -> bool:
        """Whether nothing depends on the dealer's next card, and none lies there."""
        lies = any(isinstance(item, Dealt) for item in self._items_at(DEALER))
        return not lies and draw_is_moot(self.rnd)

    def _press(self) -> None:
        box = self.rnd.armed
        assert box
        winners = self.rnd.boxes[box].side(self.rnd.rules.button_wager or "")
        left = all(self.apart.is_out(box, bettor) for bettor in winners)
        if box not in self.truth.draws and not left:
            if box in self.apart.short:
                raise NotComparable(LATE_21)
            raise Lacks("draw", (box, ()))
        self.rnd = press(self.rnd, steps.Press(Seat(box)))
        self.rnd = play.show_multiplier(play.draw(self.rnd, self.truth.draws.get(box, 2)))
        self.rnd = take_step(self.rnd, DONE)

    def _offers(self) -> None:
        at_offers = [one for one in self.truth.said if one.place == OFFERS]
        for count, one in enumerate(at_offers):
            if not isinstance(one.step, steps.Insure | steps.Surrender):
                continue  # a late one that was taken back since
            if count == self.offers_behind:
                self._look_at_offers()
            if self.rnd.state == State.OFFERS_OPEN and not self.apart.is_back(one.step):
                self._try(one)
        if self.offers_behind is not None and self.offers_behind >= len(at_offers):
            self._look_at_offers()
        if self.rnd.state == State.OFFERS_OPEN:
            self.rnd = take_step(self.rnd, DONE)

    def _look_at_offers(self) -> None:
        found = permitted_steps(self.rnd) if self.rnd.state == State.OFFERS_OPEN else []
        self.offered = self.apart.open_to_others(found)

    def _try(self, one: SaidDecision) -> bool:
        step = one.step
        if isinstance(step, steps.Double | steps.Split | steps.Absent) and step.seat.bettor is None:
            control = controller_of(self.rnd, self.rnd.boxes[step.seat.box])
            if one.by not in ("", control):
                raise NotComparable("another decides for the box than did")
        step = self.apart.limited(step)
        try:
            self.rnd = play.take_step(self.rnd, step)
        except Refused as refused:
            if isinstance(step, steps.Surrender) and self.rnd.rules.surrender.scope.value == "box":
                control = controller_of(self.rnd, self.rnd.boxes[step.seat.box])
                if step.seat.bettor != control:
                    step = steps.Surrender(Seat(step.seat.box, control))
                    return self._try(replace(one, step=step))
            self._check_there(one)
            if isinstance(step, steps.Split):
                raise NotComparable("a split stands that the cards do not permit") from refused
            return False
        return True

    def _check_taken(self) -> None:
        """Check that no card lies at a box that the house played and that did not take it."""
        for (box, _), items in self.items.items():
            left = any(isinstance(item, Dealt) for item in items)
            if box > 0 and left and self.rnd.boxes[box].absent:
                raise NotComparable("a card lies at a hand that the house plays")

    def _check_there(self, *items: Item) -> None:
        """Check that nobody who has decided there had left before."""
        for one in (one for one in items if isinstance(one, SaidDecision) and not one.forced):
            decides = one.step.verb in ("split", "double", "hit")
            if decides and self.rnd.boxes[one.place[0]].absent:
                raise NotComparable("who decided had left before, in the order of the hands")

    def _decide_behind(self, kinds: type[steps.Step] | object) -> None:
        """Those who stand behind say what they do with their wagers."""
        state, place = self.rnd.state, self._turn()
        items = self._items_at(place)
        while items and isinstance(one := items[0], SaidDecision) and isinstance(one.step, kinds):  # type: ignore[arg-type]
            items.pop(0)
            self._try(one)
            if self.rnd.state != state or self._turn() != place:
                return

    def _decide(self) -> None:
        place, hand = self._turn(), self.rnd.hand_in_turn
        assert hand
        box, splits = self.rnd.boxes[hand.box], self.splits.count(place)
        key = place, len(hand.cards), splits, len(box.absent), len(box.hands)
        if key in self.wanted and key not in self.asked:
            may = (one for one in permitted_steps(self.rnd) if isinstance(one, steps.Decision))
            low = hand.total < self.least
            self.asked[key] = {str(one) for one in may if not (low and one.verb == "stand")}
        items = self._items_at(place)
        while items:
            if isinstance(one := items[0], Dealt):
                self._hit(place)
                return
            items.pop(0)
            if one.forced and self._has_choice(hand):
                raise NotComparable("a card came for which a hand with a choice was not asked")
            step = one.step
            if isinstance(step, steps.Stand) and hand.total < self.least and not one.by_house:
                continue
            takes = isinstance(step, steps.Hit | steps.Free | steps.Buy | steps.Double)
            if takes and not self._card_follows(step, items):
                if isinstance(step, steps.Double):
                    raise NotComparable("a double never got its card")
                continue
            if not isinstance(step, steps.Hit | steps.Free) and self._try(one):
                if isinstance(step, steps.Absent):
                    self.gone.append(one)
                if isinstance(step, steps.Split):
                    self.splits.append(place)
                return
            if isinstance(step, steps.Hit | steps.Free | steps.Buy):
                self._hit(place)
                return
        if self._leaves(hand.box):
            return
        people = self.rnd.boxes[hand.box].deciding, hand.bets
        left = any({(hand.box, who) for who in some} <= self.apart.back for some in people)
        if place[0] not in self.apart.out and not left:
            raise Lacks("decision", place)
        self.rnd = take_step(self.rnd, steps.Stand(Seat(place[0])))

    def _has_choice(self, hand: Hand) -> bool:
        """Whether the hand in turn may do anything but take a card."""
        found = (step for step in permitted_steps(self.rnd) if isinstance(step, steps.Decision))
        must = {"hit", "free", "absent", *(["stand"] if hand.total < self.least else [])}
        return not {step.verb for step in found} <= must

    def _leaves(self, box: int) -> bool:
        """Have the bettor who decides for the box leave, as he did at a hand that is over here."""
        for one in self.truth.said:
            step = one.step
            if isinstance(step, steps.Absent) and step.seat.box == box and one not in self.gone:
                self.gone.append(one)
                return self._try(one)
        return False

    def _card_follows(self, step: steps.Step, items: list[Item]) -> bool:
        """Whether the decision has got its card: the next thing there, but for what those who
        stand behind do with a double."""
        behind = (
            item
            for item in items
            if isinstance(item, Dealt)
            or not (isinstance(step, steps.Double) and isinstance(item.step, steps.Double))
        )
        return isinstance(next(behind, None), Dealt)

    def _hit(self, place: Place) -> None:
        """The hand takes a card for nothing, as it may: a hit, or its free card."""
        for step in (steps.Hit(Seat(place[0])), steps.Free(Seat(place[0]))):
            try:
                self.rnd = play.take_step(self.rnd, step)
            except Refused:
                continue
            self._card(place)
            return
        raise Lacks("hit", place)


def partner_of(table: Table, rules: RuleSet) -> Partner:
    """The partner of the table's round, with closed bets. It is played with no least total, because
    a hand may have to stand below it by a clause; the partner looks after that itself."""
    least = rules.stand.minimum
    played_by = replace(rules, stand=replace(rules.stand, minimum=replace(least, value=0)))
    behind = table.offered[0] if table.offered else None
    rnd = begin_round(played_by, Limits(), table.apart.sheet(table.truth.sheet))
    return Partner(table.truth, rnd, table.apart, table.later, behind, least.value)
