"""Cards that lie at another place than the table was told, put right by ``lies N BOX``."""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import HandAt, NoHand
from controller.game.round import play
from controller.game.round.remedies import Correct, Lies
from controller.game.round.states import RoundPart
from controller.game.round.steps import Buy, Free, Hit, Stand
from controller.game.rules.cards import Card
from proof.put_right.mistakes import Mistake
from proof.put_right.table import NotComparable, Table
from proof.put_right.told_wrong import Corrected
from proof.put_right.truth import DEALER, OUT, WAITS, Dealt, Item, Place

__all__ = ["KINDS"]


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


KINDS: Final[tuple[type[Mistake], ...]] = (Swapped, Misplaced, DealtElsewhere)
"""These kinds."""
