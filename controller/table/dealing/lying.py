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

from controller.game.rules.cards import Card, write_cards
from controller.table.command_reading import read_supervisor_command
from controller.table.events.event import Event
from controller.table.events.of_devices import CardCame
from controller.table.events.of_people import SupervisorCommanded
from controller.table.state.table import Table

DEALER: Final = "dealer"
OUT: Final = "out"

Hands = dict[str, list[Card]]
"""Cards by place."""


def hands(table: Table) -> Hands:
    """The hands of the round, with the card that squeezing keeps back where it lies."""
    rnd, kept = table.rnd, table.dealing.kept
    if rnd is None:
        return {}
    receiver = rnd.receiver if kept is not None and kept.card is not None else None
    found: Hands = {}
    for box in rnd.boxes.values():
        for hand in box.hands:
            mine = [kept.card] if kept and kept.card and hand is receiver else []
            found[f"{box.number}.{hand.number}"] = [*hand.cards, *mine]
    found[DEALER] = list(rnd.dealer)
    return found


def tell(table: Table, event: Event, before: Hands) -> None:
    """Have the table's outcome tell where the cards lie that the event has moved."""
    now, card = hands(table), _card_of(event)
    to = OUT
    if card is not None:
        grown = (at for at in now if now[at].count(card) > before.get(at, []).count(card))
        to = next(grown, OUT)
    if card is not None or isinstance(event, CardCame):
        table.outcome.to = to
    if not now:
        return
    dealt = isinstance(event, CardCame) and card is not None
    expected = {**before, to: [*before.get(to, []), card]} if dealt else before
    table.outcome.hands = {
        place: write_cards(now.get(place, []))
        for place in {**now, **before}
        if now.get(place, []) != expected.get(place, [])
    }


def _card_of(event: Event) -> Card | None:
    """The card whose entry it is; None for another event, and for a card that was not read."""
    if isinstance(event, CardCame):
        rank, suit = event.rank, event.suit
        return Card(rank, suit) if 1 <= rank <= 13 and 1 <= suit <= 4 else None
    if isinstance(event, SupervisorCommanded):
        return read_supervisor_command(event.command).card
    return None
