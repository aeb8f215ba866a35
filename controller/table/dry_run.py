"""Dry runs: what commands would bring, tried on a copy of the table; the table is left alone.

The rules:

- Commands build on one another. Where one would wait for the shoe's gate, the gate is taken as
  locked with no more cards.
- What a person would have to say behind it is taken as said: ``done`` behind ``lies`` and
  ``correct``, the second person's yes behind ``void`` and ``void-hand``.
- Nobody learns by trying what he may not see: a run that would turn a card face up is refused.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from typing import Final

from controller.forms.json_values import JsonObject
from controller.game.commands.verbs import CORRECTIONS
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.rules.schema import RuleSet
from controller.table.apply import apply
from controller.table.dealing import squeezing, voiding
from controller.table.entering.commands import DONE
from controller.table.events.of_controller import GateLocked
from controller.table.events.of_people import PersonCommanded, SupervisorCommanded
from controller.table.settings import Settings
from controller.table.showing.status import answer, status
from controller.table.state.table import Table

_NEVER_CHANGED: Final = (Settings, RuleSet, Round)
"""A table replaces its settings and its round, and changes none of them in place."""


class Mould:
    """Independent copies of a table, which share what is never changed; once the mould is made a
    copy costs little."""

    def __init__(self, table: Table) -> None:
        self._shared: list[object] = []
        self._numbers: dict[int, int] = {}
        buffer = BytesIO()
        pickler = pickle.Pickler(buffer, protocol=5)
        pickler.persistent_id = self._name_of  # type: ignore[method-assign]
        pickler.dump(table)
        self._bytes = buffer.getvalue()

    def _name_of(self, part: object) -> int | None:
        if not isinstance(part, _NEVER_CHANGED):
            return None
        if id(part) not in self._numbers:
            self._numbers[id(part)] = len(self._shared)
            self._shared.append(part)
        return self._numbers[id(part)]

    def cast(self) -> Table:
        """Another copy."""
        unpickler = pickle.Unpickler(BytesIO(self._bytes))  # noqa: S301 - of our own making
        unpickler.persistent_load = self._shared.__getitem__  # type: ignore[method-assign]
        table: Table = unpickler.load()
        return table


def twin(table: Table) -> Table:
    """An independent copy of a table."""
    return Mould(table).cast()


SECOND_PERSON: Final = "a second person"
NOBODY: Final = -1
"""No user's number."""


class DryRun:
    """A copy of ``table``, at which commands are tried. ``tried`` is the copy, as the last command
    that was taken has left it; ``command`` the one that was given last."""

    def __init__(self, table: Table) -> None:
        self.tried = twin(table)
        self.command = ""
        self._round = table.round_number
        self._hidden = Counter(squeezing.hidden_cards(table))

    def answer(self, events: Iterable[PersonCommanded], at: int) -> JsonObject:
        """The answer that the last of these commands would get, with the notes of all of them;
        ``at`` is the present one.

        Raises:
            Refused, Malformed: one of them would not be taken.
        """
        table, notes = self.tried, list[str]()
        last: PersonCommanded | None = None
        corrects = False
        for last in events:
            asked = table.entering.void_asked
            notes += self._give_command(last)
            corrects = last.said_command.verb in CORRECTIONS
            if asked is None and (asked := table.entering.void_asked) is not None:
                notes += self._give_command(
                    SupervisorCommanded(
                        command=str(voiding.CONFIRM),
                        by=SECOND_PERSON,
                        why=None,
                        user=SECOND_PERSON,
                        uid=None if asked.uid is None else NOBODY,
                    )
                )
        if corrects and last is not None and table.corrections:
            notes += self._give_command(replace(last, command=str(DONE)))
        return answer(status(table), at, notes)

    def _give_command(self, event: PersonCommanded) -> list[str]:
        table, self.command = self.tried, event.command
        outcome = apply(table, event)
        notes = outcome.notes
        if outcome.entry is not None:
            shoe = table.devices["shoe"]
            gate = GateLocked(device=shoe.name, entry=outcome.entry, last_event=shoe.last_event)
            locked = apply(table, gate)
            for result in locked.answered:
                if result.entry == outcome.entry and result.refused:
                    raise Refused(result.refused, result.clause, code=result.code)
            notes = [*notes, *locked.notes]
        self._check_hidden()
        return notes

    def _check_hidden(self) -> None:
        """Check that what lies face down at the table does so here, as long as it lies there."""
        table = self.tried
        if table.rnd is None or table.round_number != self._round:
            return
        if self._hidden - Counter(squeezing.hidden_cards(table)):
            raise Refused("it would turn a card that lies face down", short="CARD FACE DOWN")
