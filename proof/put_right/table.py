"""A table at which a round is played by chance, as it was told the cards and decisions, with the
truth kept beside it and the round noted as a script.

It stands still where a script is heard, so that what is put right at a moment can be put right in a
script and at a live table at the same moment.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from controller.game.commands.values import Seat, write_amount
from controller.game.commands.verbs import CORRECTIONS
from controller.game.round import play
from controller.game.round.hands import controller_of
from controller.game.round.looks import late_offer, put_back
from controller.game.round.permitted import permitted_steps
from controller.game.round.remedies import ChooseOption
from controller.game.round.state import Round
from controller.game.round.states import CARDS_BEFORE, WINDOWS, RoundPart, State
from controller.game.round.steps import (
    Decision,
    Done,
    Double,
    HandComplete,
    Hit,
    Insure,
    Step,
    Surrender,
)
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right import chance as by_chance
from proof.put_right.apart import Apart
from proof.put_right.truth import DEALER, OFFERS, OUT, WAITS, Dealt, Place, SaidDecision, Truth

HEARD: Final = (
    State.PLAY_DECIDE,
    State.JACKPOT_ARMED,
    State.DEALER_SECOND_CARD,
    State.SETTLED,
    *WINDOWS,
)
"""Where a script hears what is put right."""

DONE: Final = Done()
Asked = dict[tuple[Place, int, int, int, int], set[str]]
"""What a hand was permitted, by its place, how many cards it had, how often it was split, how many
of its bettors had left, and how many hands the box had."""


class NotComparable(Exception):
    """There is no partner to hold the round against: the reason."""


@dataclass(slots=True)
class Table:
    """The round as it was told, the truth, and the script. ``later`` is what hands were permitted
    since something was put right last; ``offered`` who might insure or surrender right then, behind
    how many who had; ``unheard`` a state was passed in which a script would have heard more."""

    rnd: Round
    keyed: Sheet
    truth: Truth
    chance: Random
    shoe: by_chance.Shoe
    left: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    multipliers: list[int] = field(default_factory=list)
    told: list[Card] = field(default_factory=list)
    unheard: bool = False
    left_then: int = 0
    options_then: bool = False
    later: Asked = field(default_factory=dict)
    offered: tuple[int, list[Step]] | None = None
    wants: dict[Place, Step] = field(default_factory=dict)
    may_offer: bool = False
    declined: set[str] = field(default_factory=set)
    swapped: bool = False
    voided: bool = False
    overdrawn: bool = False
    laid: dict[int, tuple[Dealt, Place, Place]] = field(default_factory=dict)
    taken_out: bool = False
    stands: set[int] = field(default_factory=set)
    before: dict[tuple[int, str], dict[Any, int]] = field(default_factory=dict)
    met: list[tuple[str, str]] = field(default_factory=list)
    apart: Apart = field(default_factory=Apart)

    def heard(self) -> bool:
        """Whether a script hears a report or a correction now."""
        rnd = self.rnd
        if rnd.irregular.irregularity or late_offer(rnd) or rnd.state not in HEARD:
            return False
        if rnd.irregular.owed:  # a script deals the card that a hand still gets
            return False
        if rnd.state == State.DEALER_SECOND_CARD and put_back(rnd):  # and one that waits
            return False
        return rnd.is_over or not (self.unheard or self._still_corrects())

    def _still_corrects(self) -> bool:
        """Whether a script takes what is said now for part of the last correction, though a card
        has left since."""
        last = self.steps[-1].partition(" ")[0] if self.steps else ""
        return last in CORRECTIONS and len(self.left) > self.left_then

    def play_step(self, step: Step) -> None:
        """A step of the script, which the round takes."""
        self.rnd = play.take_step(self.rnd, step)
        self.note(step)

    def note(self, step: Step) -> None:
        """A step of the script."""
        if isinstance(step, ChooseOption) and self.options_then and len(self.left) > self.left_then:
            raise NotComparable("a script takes the choice for one that was open before")
        self.steps.append(str(step))
        self.unheard, self.left_then = False, len(self.left)
        self.options_then = self.rnd.irregular.options is not None

    def note_met(self, trigger: str, remedy: str) -> None:
        """Note by what something was put right."""
        self.met.append((trigger, remedy))

    def takes_back(self, number: int, bettor: str | None) -> None:
        """A bettor of the box, or (None) all of them, have their wagers back and are out."""
        box = self.rnd.boxes[number]
        bets = [(who, bet) for hand in box.hands for who, bet in hand.bets.items()]
        playing = {
            w for w, bet in bets if not bet.surrendered and (number, w) not in self.apart.back
        }
        if bettor is None or playing == {bettor}:
            self.apart.out.add(number)
        elif bettor == controller_of(self.rnd, box):
            raise NotComparable("who decided for a box has his wager back, and others play on")
        leave = {(number, who) for who in (box.bettors if bettor is None else {bettor})}
        self.apart.back |= leave
        self.before |= {whose: self._settled(whose) for whose in leave}

    def _settled(self, whose: tuple[int, str]) -> dict[Any, int]:
        """What the bettor's wagers have come to."""
        sums: Counter[Any] = Counter()
        names = self.truth.names(whose[0])
        for one in self.rnd.all_settlements:
            if (one.box, one.bettor) == whose and one.hand <= len(names):
                kind = "main" if one.kind == "split" else one.kind
                sums[*whose, names[one.hand - 1], kind] += one.net or 0
        return dict(sums)

    def finish_hand(self) -> None:
        """Say that the dealer's hand is complete, before something is said behind the end."""
        if self.rnd.is_over and (not self.steps or self.steps[-1] != "dealer"):
            self.note(HandComplete())

    def place_of(self, box: int, number: int) -> Place:
        """The place of a hand that the round knows by its number."""
        return box, self.truth.names(box)[number - 1]

    def receiver(self) -> Place:
        """Where the round has the next card put."""
        hand = self.rnd.receiver
        if hand is None:
            return DEALER
        if self.rnd.state in CARDS_BEFORE:
            return hand.box, ()
        return self.place_of(hand.box, hand.number)

    def card(self, told: Card, true: Card | None = None) -> None:
        """A card leaves the shoe and is dealt where the round has it."""
        place = self.receiver()
        if self.rnd.state == State.PLAY_FORCED_CARD and place[0] > 0:
            self.truth.note_decision(Hit(Seat(place[0])), place, forced=True)
        self.rnd = play.take_card(self.rnd, told)
        self.leaves(told, true or told, place)

    def leaves(self, told: Card, true: Card, place: Place, marks: str = "") -> int:
        """Note a card that has left the shoe; its number in the round."""
        self.left.append(f"{told}{marks}")
        self.told.append(told)
        self.shoe.leave(told)
        return self.truth.deal(true, place)

    def waiting_card(self) -> None:
        """The first of the cards that wait is dealt where the round has it."""
        place = self.receiver()
        number = getattr(self.rnd.irregular.waiting[0], "number", 0)
        if self.rnd.state == State.PLAY_FORCED_CARD and place[0] > 0:
            self.truth.note_decision(Hit(Seat(place[0])), place, forced=True)
        self.rnd = play.take_waiting(self.rnd)
        dealt = self.truth.cards[number - 1]
        dealt.place, dealt.when = place, self.truth.tick()

    def lay(self, dealt: Dealt, place: Place) -> None:
        """A card is said to lie at that place."""
        was = self.laid.get(id(dealt), (dealt, dealt.place, place))[1]
        self.laid[id(dealt)], dealt.place = (dealt, was, place), place

    def lay_back(self) -> None:
        """Every card that was said to lie elsewhere is put where it should be."""
        for dealt, was, lies in self.laid.values():
            dealt.place = was if dealt.place == lies else dealt.place
        self.laid = {}

    def find_waiting(self) -> None:
        """Look where the cards lie that a remedy has moved."""
        for dealt, where in zip(self.truth.cards, play.places(self.rnd), strict=True):
            left_over = where == "out" and self.rnd.is_over  # it may come back
            if dealt.place == WAITS and where != "waits" and not left_over:
                dealt.place, dealt.when = self._place_in_words(where), self.truth.tick()

    def _place_in_words(self, where: str) -> Place:
        if where == "dealer":
            return DEALER
        if where == "out":
            return OUT
        box, _, hand = where.removeprefix("box ").partition(".")
        return self.place_of(int(box), int(hand or 1))

    def decide(self, step: Step) -> SaidDecision:
        """A decision of the hand in turn, and its card, where it takes one."""
        assert self.rnd.turn
        place = self.place_of(*self.rnd.turn)
        by = controller_of(self.rnd, self.rnd.boxes[place[0]])
        self.play_step(step)
        return self.truth.note_decision(step, place, by=by)

    def permitted_decisions(self) -> list[Step]:
        """What the hand in turn may decide."""
        found = [s for s in permitted_steps(self.rnd) if isinstance(s, Decision)]
        return [step for step in found if not isinstance(step, Double) or self._may_double(step)]

    def _may_double(self, step: Double) -> bool:
        return self.rnd.state == State.PLAY_DECIDE or step.seat.bettor is not None

    def put_right(self) -> None:
        """Something was put right: from now on it counts what is permitted."""
        self.later, self.offered, self.before = {}, None, {}
        dealt = sum(len(hand.cards) for hand in self.rnd.hands) + len(self.rnd.dealer)
        first = 2 * len(self.rnd.boxes) + 1
        decided = any(one.place != OFFERS for one in self.truth.said)
        each = all(len(hand.cards) == 2 for hand in self.rnd.hands)
        self.may_offer = not decided and each and dealt == first == len(self.truth.cards)

    def look_at_offers(self) -> None:
        """Note who may insure or surrender, where no further card has left since."""
        rnd = self.rnd
        if not self.may_offer or rnd.state.part is RoundPart.JACKPOT or not self.heard():
            return
        self.may_offer = False
        if rnd.rules.surrender.offered.value == "in_turn":
            return
        taken = sum(one.place == OFFERS for one in self.truth.said)
        steps = permitted_steps(rnd)
        self.offered = taken, [s for s in steps if isinstance(s, Insure | Surrender)]

    def look_at_hand(self) -> None:
        """Note what the hand in turn may decide."""
        if self.rnd.state == State.PLAY_DECIDE and self.rnd.turn:
            hand = self.rnd.hand_in_turn
            assert hand
            steps = {str(step) for step in self.permitted_decisions()}
            place = self.place_of(*self.rnd.turn)
            absent = len(self.rnd.boxes[hand.box].absent)
            hands = len(self.rnd.boxes[hand.box].hands)
            splits = self.truth.splits_of(place)
            self.later[place, len(hand.cards), splits, absent, hands] = steps

    def script(self, title: str = "") -> dict[str, Any]:
        """The round as a script."""
        entries: dict[tuple[int, str], dict[str, Any]] = {}
        for kind, boxes in self.keyed.wagers.items():
            for box, bettors in boxes.items():
                for bettor, stake in bettors.items():
                    entry = entries.setdefault((box, bettor), {"box": box})
                    if bettor != "a":
                        entry["bettor"] = bettor
                    sum_ = float(write_amount(stake) or 0)
                    entry[kind] = int(sum_) if sum_ == int(sum_) else sum_
        script: dict[str, Any] = {"title": title} if title else {}
        script |= {"rules": self.rnd.rules.id, "wagers": [entries[key] for key in sorted(entries)]}
        script["shoe"] = " ".join(self.left)
        if self.multipliers:
            script["multipliers"] = self.multipliers
        return script | {"steps": self.steps}


def closed_table(rules: RuleSet, sheet: Sheet, chance: Random, copies: int) -> Table:
    """A table with closed bets."""
    rnd = play.begin_round(rules, Limits(), sheet)
    return Table(
        rnd, rnd.sheet, Truth(sheet.clone()), chance, by_chance.Shoe(chance, rules, copies)
    )
