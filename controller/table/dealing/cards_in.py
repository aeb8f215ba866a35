"""Cards as the shoe reports them: each has one legal destination, or play is held.

A card that may not be played where it came (foreign, too many of its kind, drawn while the gate was
locked, face up, together with another, or early) is an irregularity of the round
(:mod:`~.irregularities`); between rounds, or unread, it waits as a loose card, with later ones
after it, until the supervisor has decided what to do with it.
"""

from __future__ import annotations

from controller.game.round import play
from controller.game.round.log import Input
from controller.game.round.looks import put_back
from controller.game.round.steps import Overdraw
from controller.game.rules.cards import TEN, card_of
from controller.table.dealing import correcting, face_down, irregularities, laying_aside, squeezing
from controller.table.dealing.examining import FOREIGN_FAULT, examine
from controller.table.events.of_devices import CardCame
from controller.table.shoe import book, burning, doubts
from controller.table.state.course import Phase
from controller.table.state.holds import Hold
from controller.table.state.loose import LooseCard
from controller.table.state.table import Table
from drivers.vocabulary import FOREIGN, LOCKED


def card(table: Table, event: CardCame) -> None:
    """A card has left the shoe."""
    rank, suit, flags = event.rank, event.suit, event.flags
    loose = LooseCard(card_of(rank, suit), flags)
    loose.foreign = bool(flags & FOREIGN) or rank > 13 or suit > 4
    loose.foreign |= rank == TEN and not table.rules.cards.tens.value
    loose.leftover = table.entering.leftover is not None
    remaining = book.UNKNOWN if event.remaining is None else event.remaining
    book.card_left_shoe(table, remaining, through_gate=not flags & LOCKED)
    doubts.card_came(table, loose)
    table.entering.forget_saved()
    correcting.end_before_event(table)
    if irregularities.is_open(table) and table.holds.irregular is None:
        irregularities.hold_for_it(table, None)  # of where cards were said to lie
    if table.mid_round or irregularities.is_open(table):
        table.dealing.drawn.append(loose)
    laying_aside.damaged(table, loose)
    waiting, is_open = table.holds.cards, irregularities.is_open(table)
    if not waiting and is_open and _joins(table, loose):
        laying_aside.join(table, loose)
        return
    if waiting or is_open:
        table.holds.wait_behind(loose)
    else:
        work_off(table, [loose])


def _joins(table: Table, loose: LooseCard) -> bool:
    """Whether the card waits with those that it left together with, and belongs to the set."""
    verdict = examine(table, loose)
    fits = verdict is not None and verdict[0] in ("cards-together", FOREIGN_FAULT)
    return fits and laying_aside.joins(table, loose)


def work_off(table: Table, cards: list[LooseCard]) -> None:
    """Place the cards in order, up to the first that may not be played; that one and those after it
    hold the table."""
    while cards:
        verdict = examine(table, cards[0])
        if verdict is None:
            _play(table, cards.pop(0))
            continue
        fault, reason = verdict
        joins = _joins(table, cards[0])
        if joins:
            laying_aside.join(table, cards[0])
        if joins or laying_aside.lay_aside(table, cards[0], fault):
            loose = cards.pop(0)
            if irregularities.is_open(table):
                said = face_down.without_name(table, loose, reason)
                irregularities.hold_behind(table, cards, said)
                return
            continue
        if table.phase is Phase.ENDED and laying_aside.is_overdraw(table, fault):
            table.hold_for(laying_aside.overdrawn(table, cards))
        else:
            table.hold_for(Hold(fault, face_down.without_name(table, cards[0], reason), cards))
        return


def discard_first(table: Table) -> None:
    """Discard the first of the cards that wait; it still counts as having left the shoe."""
    overdrawn = table.holds.has("overdraw")
    first = table.holds.take_first_card()
    count(table, first)
    if table.mid_round and table.rnd is not None and first.card is not None:
        burned = Input("burned", first.card)
        table.dealing.rnd = play.with_input(laying_aside.with_kept(table), burned)
    elif overdrawn and table.rnd is not None and first.card is not None:
        overdraw = Overdraw(first.card)
        table.dealing.add_late(play.take_step(table.rnd, overdraw), first)
    work_off(table, table.holds.take_cards())


def count(table: Table, loose: LooseCard) -> None:
    """Count a card that has left the shoe and will not be played."""
    if loose.card is not None and not loose.foreign:
        table.shoe.use(loose.card)


def _play(table: Table, loose: LooseCard) -> None:
    """Deal a card to its destination in the round."""
    if table.shoe.burning:
        burning.burn(table, loose)
        return
    assert table.rnd
    assert loose.card
    table.dealing.settle_up()
    table.shoe.use(loose.card)
    if put_back(table.rnd):  # it left the shoe after cards that were put back
        table.dealing.rnd = play.with_input(table.rnd, Input("back", (loose.card,)))
    else:
        squeezing.deal(table, loose)
    table.entering.card_came()
