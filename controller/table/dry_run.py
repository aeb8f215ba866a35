"""Dry runs: what commands would bring, tried on a copy of the table; the table is left alone.

The rules:

- Commands build on one another. Where one would wait for the shoe's gate, the gate is taken as
  locked with no more cards.
- What a person would have to say behind it is taken as said: ``done`` behind ``lies`` and
  ``correct``, the second person's yes behind ``void`` and ``void-hand``.
- Nobody learns by trying what he may not see: a run that would turn a card face up is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from controller.json_values import JsonObject
from controller.round.refusal import Refused
from controller.table.apply import apply
from controller.table.dealing import face_down
from controller.table.entering import voiding
from controller.table.events import Event, Outcome
from controller.table.showing.answer import answer
from controller.table.showing.status import status
from controller.table.state.table import Table
from controller.table.twin import twin

SECOND_PERSON: Final = "a second person"


def dry_run(table: Table, events: Iterable[Event], at: int) -> JsonObject:
    """The answer that the last of these commands would get, with the notes of all of them; ``at``
    is the present one.

    Raises:
        Refused, Malformed: one of them would not be taken.
    """
    tried = twin(table)
    notes: list[str] = []
    last: Event | None = None
    for last in events:
        notes += _given(tried, last)
        if tried.entering.void_asked is not None:
            who = {"by": SECOND_PERSON, "user": SECOND_PERSON}
            notes += _given(tried, replace(last, body={**who, "command": voiding.CONFIRM}))
    if last is not None and tried.rnd is not None and tried.rnd.edits:
        notes += _given(tried, replace(last, body={**last.body, "command": "done"}))
    hidden = face_down.hidden_cards(tried)
    if tried.round_number == table.round_number and any(
        card not in hidden for card in face_down.hidden_cards(table)
    ):
        raise Refused("it would turn a card that lies face down", short="CARD FACE DOWN")
    return answer(status(tried), at, notes)


def _given(table: Table, event: Event) -> list[str]:
    """Give the command; its notes."""
    outcome = apply(table, event)
    if outcome.entry is None:
        return outcome.notes
    shoe = table.devices["shoe"]
    locked = Event(
        "gate", {"entry": outcome.entry, "last_event": shoe.last_event}, device=shoe.name
    )
    return [*outcome.notes, *_ended(outcome.entry, apply(table, locked))]


def _ended(entry: int, outcome: Outcome) -> list[str]:
    for result in outcome.answered:
        if result.entry == entry and result.refused:
            raise Refused(result.refused, result.clause, code=result.code)
    return outcome.notes
