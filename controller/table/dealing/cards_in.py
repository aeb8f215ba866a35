"""What the shoe reports: that it is empty or loaded, and cards, of which each has one legal
destination, or play is held.

A card that may not be played where it came (foreign, too many of its kind, drawn while the gate was
locked, face up, together with another, or early) is an irregularity of the round
(:mod:`~.irregularities`); between rounds, or unread, it waits as a loose card, with later ones
after it, until the supervisor has decided what to do with it.
"""

from __future__ import annotations

from typing import Final

from controller.game.round import play
from controller.game.round.irregular import judging
from controller.game.round.irregular.replaying import takes_back
from controller.game.round.log import Input
from controller.game.round.looks import put_back
from controller.game.round.steps import Overdraw
from controller.game.rules.cards import TEN, card_of
from controller.table.dealing import correcting, irregularities, squeezing
from controller.table.events.of_devices import CardCame, ShoeReported
from controller.table.shoe import book, card_sets, shuffling
from controller.table.state.cards import LooseCard
from controller.table.state.device import Device
from controller.table.state.holds import Hold
from controller.table.state.parts import Phase
from controller.table.state.table import Table
from drivers.vocabulary import (
    DAMAGED,
    FACE_UP,
    FOREIGN,
    LOCKED,
    SHOE_EMPTY,
    SHOE_LID_OPEN,
    SHOE_LOADED,
    TOGETHER,
)


def shoe_state(table: Table, event: ShoeReported) -> None:
    """The shoe reports whether it is loaded. A full shoe counts as a new one between rounds, and
    when it was empty before."""
    shoe = table.named(event.device)
    if shoe is not None:
        take_shoe_state(table, shoe, event.state, event.remaining)


def take_shoe_state(table: Table, shoe: Device, state: int, remaining: int) -> None:
    """Take the shoe's report of its state and of how many cards are in it."""
    before = shoe.state
    shoe.take_state(state)
    if shoe.state == SHOE_LID_OPEN:
        table.shoe.lid(opened=True)
    if shoe.state == SHOE_EMPTY:
        card_sets.shoe_emptied(table)
    if shoe.state != SHOE_LOADED:
        return
    reshuffled = table.mid_round and table.dealing.reshuffled == table.round_number
    if reshuffled and table.rnd is not None:
        irregularities.discards_in_shoe(table)
    if remaining == table.settings.shoe_size and (shoe.emptied or not table.mid_round):
        _full(table, shoe, only_present=before is None)
    elif table.mid_round and shoe.emptied:  # what was loaded is as many cards as it says
        book.take_over(table, remaining)
    else:
        if not table.mid_round:
            _between_rounds(table, shoe, remaining)
        book.compare(table, remaining)
    if shoe.emptied and table.mid_round and not reshuffled:
        reason = (
            f"the card shoe ran out and was loaded in the middle of round {table.round_number}: "
            "the supervisor decides whether it goes on with these cards"
        )
        table.hold_for(Hold("shoe-reloaded", reason, device="shoe"))
    shoe.shoe_loaded()
    table.shoe.lid(opened=False)


def _full(table: Table, shoe: Device, *, only_present: bool) -> None:
    """A new shoe. One of which no card has left, and that only says what it holds after it was
    started anew, need not be other cards: those that are out of play still are."""
    known = table.shoe.book
    same = only_present and known.fresh and not (shoe.emptied or known.opened or table.mid_round)
    if shoe.emptied or not known.fresh or table.shoe.sets.in_shoe is None:
        card_sets.shoe_loaded(table)
    book.begin_count(table, same_cards=same)
    if table.mid_round:
        table.dealing.doubts = ()  # those cards are not in it any more


def _between_rounds(table: Table, shoe: Device, remaining: int) -> None:
    if book.is_another(table, remaining, emptied=shoe.emptied):
        book.another_set(table)
    elif shoe.emptied:
        table.shoe.lose_count()


UNREAD_FAULT: Final = "card-unread"
FOREIGN_FAULT: Final = "card-foreign"
EXCESS_FAULT: Final = "card-excess"


def examine(table: Table, loose: LooseCard) -> tuple[str, str] | None:
    """Why the card may not be played: the fault's code and the reason in words; None where it
    may."""
    flags, name = loose.flags, loose.card
    if loose.foreign or (name and name.rank == TEN and not table.rules.cards.tens.value):
        loose.foreign = True
        what = "a card of another design" if flags & FOREIGN else f"{name or 'a card'}"
        return FOREIGN_FAULT, f"{what} does not belong to the set in play"
    if name is None and table.shoe.burning:
        return None
    if name is None:
        return UNREAD_FAULT, "a card left the shoe unread: look at it and name it"
    if table.shoe.used[name] >= table.settings.decks:
        return (
            EXCESS_FAULT,
            f"{name} has come {table.shoe.used[name] + 1} times from {table.settings.decks} decks",
        )
    joins = not loose.used and _fits_before(table, loose)
    expected = table.card_expected
    due = expected or table.dealing.kept is not None or not table.mid_round
    if not loose.used and (verdict := _as_it_came(loose, joins=joins, due=due)) is not None:
        return verdict
    if not expected:
        return "card-unexpected", f"{name} left the shoe when no card was due"
    if loose.leftover and not loose.used:
        return "card-unexpected", f"{name} left the shoe for the round that is void"
    return None


def _as_it_came(loose: LooseCard, *, joins: bool, due: bool) -> tuple[str, str] | None:
    """What is wrong with the way in which it left the shoe, unless the supervisor has had it used.
    The gate was locked for a card of those that left together when the first of them was
    reported."""
    if loose.flags & LOCKED and not joins:
        return "card-locked", f"{loose.card} was drawn while the gate was locked"
    if loose.flags & TOGETHER and (joins or due):
        return "cards-together", f"{loose.card} left the shoe together with the card before it"
    if loose.flags & FACE_UP:
        return "card-face-up", f"{loose.card} lay face up in the shoe"
    return None


def card(table: Table, event: CardCame) -> None:
    """A card has left the shoe."""
    rank, suit, flags = event.rank, event.suit, event.flags
    loose = LooseCard(card_of(rank, suit), flags)
    loose.foreign = bool(flags & FOREIGN) or rank > 13 or suit > 4
    loose.foreign |= rank == TEN and not table.rules.cards.tens.value
    loose.leftover = table.entering.leftover is not None
    remaining = book.UNKNOWN if event.remaining is None else event.remaining
    book.card_left_shoe(table, remaining, through_gate=not flags & LOCKED)
    card_sets.card_came(table, loose)
    table.entering.forget_saved()
    if table.corrections:
        correcting.end_before_event(table)
    if table.irregularity_open and table.holds.irregular is None:
        irregularities.hold_for_it(table, None)  # of where cards were said to lie
    if table.mid_round or table.irregularity_open:
        table.dealing.drawn.append(loose)
    _damaged(table, loose)
    waiting, is_open = table.holds.cards, table.irregularity_open
    if not waiting and is_open and _joins(table, loose):
        _join(table, loose)
        return
    if waiting or is_open:
        table.holds.wait_behind(loose)
    else:
        work_off(table, [loose])


def _joins(table: Table, loose: LooseCard) -> bool:
    verdict = examine(table, loose)
    fits = verdict is not None and verdict[0] in ("cards-together", FOREIGN_FAULT)
    return fits and _fits_before(table, loose)


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
            _join(table, cards[0])
        if joins or irregularities.lay_aside(table, cards[0], fault):
            loose = cards.pop(0)
            if table.irregularity_open:
                said = squeezing.without_name(table, loose, reason)
                irregularities.hold_for_it(table, None, said).replace_cards(cards)
                return
            continue
        if table.phase is Phase.ENDED and irregularities.is_overdraw(table, fault):
            table.hold_for(irregularities.overdrawn(table, cards))
        else:
            table.hold_for(Hold(fault, squeezing.without_name(table, cards[0], reason), cards))
        return


def discard_first(table: Table) -> None:
    """Discard the first of the cards that wait; it still counts as having left the shoe."""
    overdrawn = table.holds.has("overdraw")
    first = table.holds.take_first_card()
    count(table, first)
    if table.mid_round and table.rnd is not None and first.card is not None:
        burned = Input("burned", first.card)
        table.dealing.rnd = play.with_input(irregularities.with_kept(table), burned)
    elif overdrawn and table.rnd is not None and first.card is not None:
        # A correction may say where it lies.
        table.dealing.rnd = play.take_step(table.rnd, Overdraw(first.card))
        known = [drawn for drawn in table.dealing.drawn if drawn is not first]
        table.dealing.drawn = [*known, first]
    work_off(table, table.holds.take_cards())


def count(table: Table, loose: LooseCard) -> None:
    """Count a card that will not be played."""
    if loose.card is not None and not loose.foreign:
        table.shoe.use(loose.card)


def _play(table: Table, loose: LooseCard) -> None:
    if table.shoe.burning:
        shuffling.burn(table, loose)
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


def _before(table: Table, loose: LooseCard) -> list[LooseCard]:
    drawn = table.dealing.drawn
    return drawn[: next((at for at, one in enumerate(drawn) if one is loose), len(drawn))]


def _fits_before(table: Table, loose: LooseCard) -> bool:
    """Whether the card left the shoe together with the one before it, which has just been taken, or
    waits for the same reason. The gate may have been locked for that one meanwhile, and the round
    settled with it."""
    rnd = table.rnd
    if not loose.flags & TOGETHER or loose.card is None or rnd is None:
        return False
    drawn = _before(table, loose)
    return bool(drawn) and judging.joins(rnd) and drawn[-1].card == rnd.log[-1].cards[-1]


def _join(table: Table, loose: LooseCard) -> None:
    """Have the card wait with the one that it left together with (:func:`_fits_before`)."""
    rnd, drawn = table.rnd, _before(table, loose)
    assert rnd
    assert loose.card
    if len(drawn) == len(table.dealing.drawn):  # the round was over
        table.dealing.drawn = [*drawn, loose]
    if not loose.foreign:
        table.shoe.use(loose.card)
    again = play.together(rnd, loose.card, foreign=loose.foreign)
    if takes_back(rnd, again):
        table.note(f"{drawn[-1].card} is taken back: its place is not known yet")
    table.dealing.update(again)


def _damaged(table: Table, loose: LooseCard) -> None:
    """Record a damaged card for later, where the document says how to treat it."""
    cases = table.rnd.rules.irregularities if table.rnd and table.mid_round else ()
    if loose.flags & DAMAGED and any(case.trigger == "damaged" for case in cases):
        irregularities.noticed(table, "damaged")
