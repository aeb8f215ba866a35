"""Cards as the shoe reports them: each has one legal destination, or play is held.

A card that may not be played where it came (foreign, too many of its kind, drawn while the gate
was locked, face up, together with another, or early) is an irregularity of the round
(:mod:`~.putting_right`); between rounds, and unread, it waits as a loose card, and later ones
behind it, until the supervisor has said what becomes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.round.log import Given
from controller.rules.cards import TEN, Card
from controller.table.dealing import laying_aside, putting_right, squeezing
from controller.table.events import Event
from controller.table.holds.hold import Hold, LooseCard, hold
from controller.table.shoe import book, burning, card_sets, shuffling
from drivers.vocabulary import FACE_UP, FOREIGN, LOCKED, SHOE_EMPTY, SHOE_LOADED, TOGETHER

if TYPE_CHECKING:
    from controller.table.table import Table

UNREAD_FAULT = "card-unread"
FOREIGN_FAULT = "card-foreign"
EXCESS_FAULT = "card-excess"


def card(table: Table, event: Event) -> None:
    """A card has left the shoe."""
    body = event.body
    rank, suit, flags = int(body["rank"]), int(body["suit"]), int(body["flags"])
    readable = 1 <= rank <= 13 and 1 <= suit <= 4
    loose = LooseCard(Card(rank, suit) if readable else None, flags)
    loose.foreign = bool(flags & FOREIGN) or rank > 13 or suit > 4
    loose.leftover = table.leftover is not None
    if not flags & LOCKED:
        table.cards_taken += 1
    table.cards_seen += 1
    book.left(table, int(body.get("remaining", book.UNKNOWN)))
    table.saved = None
    if table.mid_round:
        table.drawn.append(loose)
    laying_aside.damaged(table, loose)
    waiting = waiting_cards(table)
    if not waiting and putting_right.is_open(table) and _joins(table, loose):
        return
    if waiting or putting_right.is_open(table):
        waiting.append(loose)
    else:
        work_off(table, [loose])


def _joins(table: Table, loose: LooseCard) -> bool:
    """Whether it left together with the cards that wait, and waits with them now."""
    verdict = examine(table, loose)
    return verdict is not None and laying_aside.join(table, loose, verdict[0])


def waiting_cards(table: Table) -> list[LooseCard]:
    """The cards that wait for the supervisor, in the order in which they left the shoe."""
    return table.holds[0].cards if table.holds else []


def work_off(table: Table, cards: list[LooseCard]) -> None:
    """Give the cards their places in order, up to the first that may not be played; that one and
    those behind it hold the table."""
    while cards:
        verdict = examine(table, cards[0])
        if verdict is not None:
            fault, reason = verdict
            if laying_aside.join(table, cards[0], fault) or laying_aside.lay_aside(
                table, cards[0], fault
            ):
                loose = cards.pop(0)
                if putting_right.is_open(table):
                    said = squeezing.without_name(table, loose, reason)
                    putting_right.hold_behind(table, cards, said)
                    return
                continue
            if table.phase == "ended" and laying_aside.is_overdraw(table, fault):
                hold(table, laying_aside.overdrawn(table, cards))
                return
            hold(table, Hold(fault, squeezing.without_name(table, cards[0], reason), cards))
            return
        play(table, cards.pop(0))


def discard_first(table: Table) -> None:
    """The first of the cards that wait is out of play; it has left the shoe all the same."""
    cards = waiting_cards(table)
    first = cards.pop(0)
    count(table, first)
    if table.mid_round and table.rnd is not None and first.card is not None:
        trial = laying_aside.with_kept(table)
        trial.give(Given("burned", first.card))
        table.rnd = trial
    work_off(table, table.holds.pop(0).cards)


def count(table: Table, loose: LooseCard) -> None:
    """A card that will not be played has left the shoe."""
    if loose.card is not None and not loose.foreign:
        table.used[loose.card] += 1


def play(table: Table, loose: LooseCard) -> None:
    """Give a card to the destination that the round has for it."""
    if table.burning:
        burning.burn(table, loose)
        return
    assert table.rnd
    assert loose.card
    table.used[loose.card] += 1
    if table.rnd.waiting:  # it left behind cards that were put back
        trial = table.rnd.clone()
        trial.give(Given("back", (loose.card,)))
        table.rnd = trial
    else:
        squeezing.deal(table, loose)
    table.keypad.seat = None
    table.notice = ""


def examine(table: Table, loose: LooseCard) -> tuple[str, str] | None:
    """Why the card may not be played as the next one: the fault's code and plain words."""
    flags, name = loose.flags, loose.card
    if loose.foreign or (name and name.rank == TEN and not table.rules.cards.tens.value):
        loose.foreign = True
        what = "a card of another design" if flags & FOREIGN else f"{name or 'a card'}"
        return FOREIGN_FAULT, f"{what} does not belong to the set in play"
    if name is None and table.burning:
        return None
    if name is None:
        return UNREAD_FAULT, "a card left the shoe unread: look at it and name it"
    if table.used[name] >= table.settings.decks:
        return (
            EXCESS_FAULT,
            f"{name} has come {table.used[name] + 1} times from {table.settings.decks} decks",
        )
    if not loose.used and (verdict := _as_it_came(loose)) is not None:
        return verdict
    if not table.card_expected:
        return "card-unexpected", f"{name} left the shoe when no card was due"
    if loose.leftover and not loose.used:
        return "card-unexpected", f"{name} left the shoe for the round that is void"
    return None


def _as_it_came(loose: LooseCard) -> tuple[str, str] | None:
    """What is amiss with the way in which it came, where the supervisor has not said to use it."""
    if loose.flags & LOCKED:
        return "card-locked", f"{loose.card} was drawn while the gate was locked"
    if loose.flags & TOGETHER:
        return "cards-together", f"{loose.card} left the shoe together with the card before it"
    if loose.flags & FACE_UP:
        return "card-face-up", f"{loose.card} lay face up in the shoe"
    return None


def cutting_card(table: Table, event: Event) -> None:
    """The cutting card has come."""
    shuffling.cutting_card(table)


def shoe_state(table: Table, event: Event) -> None:
    """The shoe says whether it is loaded. A full shoe between rounds is a new one, and so is one
    that was empty before."""
    shoe = table.named(event.device)
    if shoe is None:
        return
    remaining = int(event.body["remaining"])
    full = remaining == table.settings.shoe_size
    shoe.state = int(event.body["state"])
    if shoe.state == SHOE_EMPTY:
        shoe.emptied = True
        card_sets.shoe_emptied(table)
    if shoe.state != SHOE_LOADED:
        return
    reshuffled = table.mid_round and table.reshuffled == table.round_number
    if reshuffled and table.rnd is not None:
        laying_aside.discards_in_shoe(table)
    if full and (shoe.emptied or not table.mid_round):
        if shoe.emptied or not table.book.fresh or table.sets.in_shoe is None:
            card_sets.shoe_loaded(table)
        book.begin(table)
    else:
        book.compare(table, remaining, exchanged=shoe.emptied)
    if shoe.emptied and table.mid_round and not reshuffled:
        hold(
            table,
            Hold(
                "shoe-reloaded",
                f"the card shoe ran out and was loaded in the middle of round "
                f"{table.round_number}: the supervisor decides whether it goes on with these cards",
                device="shoe",
            ),
        )
    shoe.emptied = False
