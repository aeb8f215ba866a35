"""Mistakes with cards. Those too many: drawn in error, face up, two together, or to the dealer's
finished hand, are put right where they are made. Those that lie at another place than the table was
told are put right by ``lies N BOX``.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import HandAt, NoHand, Option, Seat
from controller.game.round import play
from controller.game.round.looks import dealer_has_enough, put_back
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Correct, Lies, Report, ReportDrawn, ReportTogether
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Buy, Free, Hit, Overdraw, Stand, Step, Withdraw
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet
from proof.put_right import remedies
from proof.put_right.mistakes import Fails, GoesOn, Mistake
from proof.put_right.table import NotComparable, Table
from proof.put_right.told_wrong import Corrected, WrongDecision
from proof.put_right.truth import DEALER, OUT, WAITS, Dealt, Item, Place

__all__ = ["KINDS", "MISPLACED"]

EMPTY_BOX: Final = 6
"""A box without a wager in all rounds."""
OPEN_BEFORE: Final = {
    "mbs-pontoon-pandemonium-v5": (Option.REFUSE, Option.RETURN),  # 5.24, 5.25
    "rws-pontoon-plus-v5": (Option.RETURN,),  # 5.12.2, 5.7.3
}
"""What a player may choose before one of the cards that left together, and were seen, is his."""


class Drawn(Mistake):
    """A card left although nobody had asked for it; or one went to an empty box."""

    kind = "a card drawn in error"
    weight = 1.5
    between_moves = at_once = True

    def may_be_made(self, table: Table) -> bool:
        before = table.rnd.state.part is RoundPart.DEAL or table.rnd.is_over
        return not before and not put_back(table.rnd) and self.chance.random() < 0.3

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        seen, card = self.chance.random() < 0.6, table.shoe.card()
        report: Report = ReportDrawn(seen=seen)
        if self.chance.random() < 0.4:
            report = Report("empty-box", Seat(EMPTY_BOX))
        shown = (card,) if isinstance(report, ReportDrawn) and seen else ()
        window = table.rnd.state == State.PLAY_WITHDRAW
        table.rnd = play.lay_aside(table.rnd, [card], report.trigger, seen=shown, box=report.box)
        table.note(report)
        table.leaves(card, card, WAITS)
        if table.rnd.irregular.irregularity is None:
            table.note_met(report.trigger, "use")
        remedies.put_right(table, self.chance, options=True)
        if window and (seen or report.box) and table.rnd.state == State.PLAY_WITHDRAW:
            open_ = [step for step in permitted_steps(table.rnd) if isinstance(step, Withdraw)]
            if open_:
                raise Fails("permitted too late", f"{open_[0]}: a further card has left, and seen")


class DrawnBack(WrongDecision):
    """A card was given to a hand that had not asked for it."""

    kind = "a card that nobody asked for"
    weight = 0.7
    at_once = True

    def alternatives(self, step: Step, permitted: list[Step]) -> list[Step]:
        return [other for other in permitted if isinstance(other, Hit) and step.verb != "hit"]

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        said, last = self.said, table.truth.cards[-1]
        assert said
        if last.place != said.place or last.when != said.when + 1:
            raise GoesOn("another card has left since")
        try:
            table.play_step(ReportDrawn(seat=Seat(said.place[0]), seen=self.chance.random() < 0.7))
        except Refused as refused:
            raise GoesOn(f"report drawn: {refused}") from refused
        table.truth.said.remove(said)
        last.place = WAITS
        remedies.put_right(table, self.chance, options=True)


class FaceUp(Mistake):
    """A card lay face up in the shoe, or cards left it together."""

    kind = "a card face up, or cards together"
    weight = 1.5
    at_once = True

    def makes_card(self, table: Table, told: Card) -> bool:
        return self.chance.random() < 0.15

    def card(self, table: Table, told: Card) -> None:
        many = self.chance.choice((1, 2, 2, 3))
        cards = [told]
        while len(cards) < many:
            if (card := table.shoe.card()) not in cards:
                cards.append(card)
        trigger = "together" if many > 1 else "face-up"
        table.rnd = play.lay_aside(table.rnd, cards, trigger, asked=True)
        for place, card in enumerate(cards):
            table.leaves(card, card, WAITS, "&" if place else "^" if many == 1 else "")
        if table.rnd.irregular.irregularity is None:
            table.note_met(trigger, "use")
        elif many > 1 and self.chance.random() < 0.6:
            hand = table.rnd.receiver if table.rnd.state == State.PLAY_DECIDE else None
            table.play_step(ReportTogether(cards=tuple(cards[: self.chance.randint(1, many)])))
            if hand is not None:
                _check_open(table, hand.box)
        remedies.put_right(table, self.chance, options=True)


def _check_open(table: Table, box: int) -> None:
    """Check that a player may choose what he may before a card is his."""
    steps = {str(step) for step in permitted_steps(table.rnd)}
    for option in OPEN_BEFORE.get(table.rnd.rules.id, ()):
        if not any(step.startswith(f"choose {box}") and step.endswith(option) for step in steps):
            raise Fails(
                "not open before a card is his", f"choose {box} {option} of {sorted(steps)}"
            )


class TooMany(Mistake):
    """A card too many went to the dealer's finished hand."""

    kind = "a card to the dealer's finished hand"
    weight = 1.5
    between_moves = at_once = True

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        return Overdraw.verb not in rules.not_played

    def may_be_made(self, table: Table) -> bool:
        rnd = table.rnd
        settled = rnd.state == State.SETTLED and len(rnd.dealer) > 1
        return settled and dealer_has_enough(rnd, rnd.dealer) and not table.overdrawn

    def make_mistake(self, table: Table) -> None:
        table.finish_hand()
        table.overdrawn = True
        card = table.shoe.card()
        table.rnd = play.take_step(table.rnd, Overdraw(card))
        table.note(Overdraw())
        table.leaves(card, card, DEALER)
        table.note_met("overdraw", "discard")


# ---- cards that lie elsewhere ----------------------------------------------------------------


class Swapped(Corrected):
    """Two cards of the initial deal lie each where the other should."""

    kind = "cards at each other's place"
    weight = 1.5
    between_moves = True

    def may_be_made(self, table: Table) -> bool:
        return _is_undecided(table)

    def make_mistake(self, table: Table) -> None:
        table.swapped, cards = True, table.truth.cards
        apart = [(n, m) for n in range(len(cards)) for m in range(n) if _apart(table, n, m)]
        n, m = self.chance.choice(apart)
        cards[n].place, cards[m].place = cards[m].place, cards[n].place
        self.number, self.other = n + 1, m + 1

    def corrections(self, table: Table) -> list[Lies | Correct]:
        where = play.places(table.rnd)
        mine, its = where[self.number - 1], where[self.other - 1]
        if NoHand.OUT in (mine, its) or table.apart.short:
            raise NotComparable("a card that nobody got lies elsewhere")
        if any("." in where for where in (mine, its)):
            raise NotComparable("which card of a split pair lay first is not said")
        cards = table.truth.cards[self.number - 1], table.truth.cards[self.other - 1]
        for card, other in (cards, cards[::-1]):
            table.laid[id(card)] = card, other.place, card.place
        return [Lies(self.number, _in_words(its)), Lies(self.other, _in_words(mine))]


def _is_undecided(table: Table) -> bool:
    """Whether all that has happened is the initial deal."""
    lie = [dealt for dealt in table.truth.cards if dealt.place[0] >= 0]
    dealt = len(lie) == len(table.truth.cards) == 2 * len(table.rnd.boxes) + 1
    undecided = not table.truth.said and not table.swapped
    return dealt and undecided and table.rnd.state.part is not RoundPart.DEAL


def _apart(table: Table, n: int, m: int) -> bool:
    return table.truth.cards[n].place != table.truth.cards[m].place


def _in_words(where: str) -> HandAt | NoHand:
    if where in tuple(NoHand):
        return NoHand(where)
    box, _, hand = where.removeprefix("box ").partition(".")
    return HandAt(int(box), int(hand or 0))


class Misplaced(Corrected):
    """A card of the subsequent deal went to another hand, which had not been in turn yet."""

    kind = "a card at another hand"
    weight = 1.5
    place: Place = OUT
    was: Place = OUT
    when: int = 0

    def makes_card(self, table: Table, told: Card) -> bool:
        receiver, hands = table.rnd.receiver, table.rnd.hands
        if receiver is None or table.rnd.state.part is not RoundPart.PLAY:
            return False
        behind = [hand for hand in hands[hands.index(receiver) + 1 :] if not hand.over]
        if not behind or self.chance.random() < 0.7:
            return False
        other = self.chance.choice(behind)
        self.place = table.place_of(other.box, other.number)
        return True

    def card(self, table: Table, told: Card) -> None:
        table.card(told)
        self.number = len(table.truth.cards)
        self.was, self.when = table.truth.cards[-1].place, table.truth.cards[-1].when

    def corrections(self, table: Table) -> list[Lies | Correct]:
        dealt, truth, (box, name) = table.truth.cards[self.number - 1], table.truth, self.place
        names = truth.names(box)
        if dealt.when != self.when or dealt.place in (OUT, WAITS) or name not in names:
            return []  # it was dealt anew since
        if table.apart.short and table.laid:
            return []  # `reconstruct` behind a second one may be refused (docs/next.md)
        at_both = [one for place in (self.was, self.place) for one in truth.items_at(place)]
        if any(_depends_on(one, dealt) for one in at_both):
            return []
        table.lay(dealt, self.place)
        return [Lies(self.number, HandAt(box, names.index(name) + 1 if len(names) > 1 else 0))]


def _depends_on(one: Item, dealt: Dealt) -> bool:
    """Whether it was decided for the card, or with it, and cannot be without."""
    if isinstance(one, Dealt) or isinstance(one.step, Hit | Free | Stand):
        return False
    return one.when > dealt.when or (isinstance(one.step, Buy) and one.when == dealt.when - 1)


class DealtElsewhere(Corrected):
    """A card of the initial deal lies at another box, and its own lacks one."""

    kind = "a card dealt to another box"
    between_moves = at_once = True

    def may_be_made(self, table: Table) -> bool:
        return len(table.rnd.boxes) > 1 and _is_undecided(table)

    def make_mistake(self, table: Table) -> None:
        table.swapped, cards = True, table.truth.cards
        self.number = self.chance.choice(
            [n for n, dealt in enumerate(cards, 1) if dealt.place != DEALER]
        )
        others = [box for box in table.rnd.boxes if cards[self.number - 1].place[0] != box]
        self.other = self.chance.choice(others)

    def corrections(self, table: Table) -> list[Lies | Correct]:
        table.lay(table.truth.cards[self.number - 1], (self.other, ()))
        return [Lies(self.number, HandAt(self.other))]


KINDS: Final[tuple[type[Mistake], ...]] = (Drawn, DrawnBack, FaceUp, TooMany)
"""Those with cards too many."""
MISPLACED: Final[tuple[type[Mistake], ...]] = (Swapped, Misplaced, DealtElsewhere)
"""Those with cards that lie elsewhere."""
