"""Where the cards of a round lie, as an outcome tells it for the journal.

The rules:

- The entry of a card (``CARD``, or the supervisor's ``card``) tells ``to``: the place where the
  card was put when the entry was taken: ``1.2`` (box, hand), ``dealer``, or ``out``: in no hand. It
  was burned or put away, or it waits for its place.
- Whatever else changes a hand (a card that waited is placed, a split, a correction, ``undo``) tells
  ``hands``: each hand that it changed, with all its cards then; one that is gone has none.
- So the hands follow from a round's entries alone: a card is put behind the others at its ``to``,
  then each of ``hands`` takes the place of what lay there. What lies face down is among them: the
  journal has every card.
- A round that is cleared away tells nothing; one that is brought back tells its hands again.
"""

from __future__ import annotations

from typing import Final

from controller.game.round.state import Round
from controller.game.rules.cards import Card, card_of, write_cards
from controller.table.events.event import Event
from controller.table.events.of_devices import CardCame
from controller.table.events.of_people import SupervisorCommanded
from controller.table.state.table import Table

DEALER: Final = "dealer"
OUT: Final = "out"

Hands = dict[str, list[Card]]
"""Cards by place."""

Lay = tuple[Round | None, Card | None]
"""What the hands follow from: the round, which no event changes but by another one in its place,
and the card that squeezing keeps back."""


def lay_of(table: Table) -> Lay:
    """What the hands follow from now."""
    kept = table.dealing.kept
    return table.rnd, kept.card if kept else None


def hands(lay: Lay) -> Hands:
    """The hands of the round, with the card that squeezing keeps back where it lies."""
    rnd, kept = lay
    if rnd is None:
        return {}
    found = {f"{hand.box}.{hand.number}": hand.cards for hand in rnd.hands}
    found[DEALER] = rnd.dealer
    if kept is not None and (receiver := rnd.receiver) is not None:
        found[f"{receiver.box}.{receiver.number}"] = [*receiver.cards, kept]
    return found


def tell_places(table: Table, event: Event, lay: Lay) -> None:
    """Have the table's outcome tell where the cards lie that the event has moved since ``lay``."""
    card, (rnd, kept) = _card_of(event), lay_of(table)
    same = rnd is lay[0] and kept is lay[1]
    if same and card is None and not isinstance(event, CardCame):
        return
    before, now = hands(lay), hands((rnd, kept))
    places = {**now, **before}
    moved = {at: now.get(at, []) for at in places if now.get(at, []) != before.get(at, [])}
    if card is not None or isinstance(event, CardCame):
        grown = (at for at in moved if card and _count(moved, at, card) > _count(before, at, card))
        to = table.outcome.to = next(grown, OUT)
        if isinstance(event, CardCame) and moved.get(to) == [*before.get(to, []), card]:
            del moved[to]
    if now:
        table.outcome.hands = {at: write_cards(cards) for at, cards in moved.items()}


def _count(hands: Hands, at: str, card: Card) -> int:
    return hands.get(at, []).count(card)


def _card_of(event: Event) -> Card | None:
    """The card whose entry it is; None for another event, and for a card that was not read."""
    if isinstance(event, CardCame):
        return card_of(event.rank, event.suit)
    if isinstance(event, SupervisorCommanded):
        order = event.said_command
        return order.card if order.verb == "card" else None
    return None
