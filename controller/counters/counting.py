"""Counting: a projection that is given every event with what it did, and the table behind it.

The rules:

- A round's money is counted from its settlements as they stand, not as they came: what a
  correction or a void has changed is not in the figures twice, nor with the wrong sign.
- The last round stays apart until the next one has a card: all that was entered before can be taken
  back, and then its settlements still stand.
- A shift begins when a supervisor says so. Between rounds the last round belongs to the old one.
- Equal events give equal counters; :meth:`Counters.dump` is what snapshots carry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.counters.figures import Corrections, Figures, count_name, weights_text, who_of
from controller.game.round.looks import drawn_and_seen
from controller.game.round.model import Settlement
from controller.game.round.states import State
from controller.table.events import of_devices
from controller.table.events.event import Event, Reported
from controller.table.events.of_controller import CommandRefused, MultiplierDrawn, PressRead
from controller.table.events.of_people import SupervisorCommanded
from controller.table.outcome import Outcome
from controller.table.snapshot import Plain, load, record
from controller.table.state.table import Table
from drivers.vocabulary import FOREIGN

SHIFT: Final = "shift"
"""The supervisor's command that begins a shift."""
_JAM: Final = 4


@dataclass(slots=True)
class CountersKept:
    """What counters remember. ``total`` and ``shift`` are without the ``last`` round, the round of
    that ``number``; ``state`` of the table before the next event. ``shifts`` have begun by
    command, the present one with round ``since``, by whom; ``corrections`` are looked for in every
    event."""

    total: Figures = field(default_factory=Figures)
    shift: Figures = field(default_factory=Figures)
    last: Figures = field(default_factory=Figures)
    number: int = 0
    state: str = ""
    shifts: int = 0
    since: int = 0
    by: str = ""
    corrections: Corrections = field(default_factory=Corrections)


class Counters:
    """The counters of a table; ``kept`` may be read, :meth:`take` alone changes it."""

    def __init__(self, kept: CountersKept | None = None) -> None:
        self.kept = kept or CountersKept()
        self._seen: tuple[str, list[Settlement]] = ("", [])

    @property
    def total(self) -> Figures:
        """Since commissioning, the last round included."""
        return _sum(self.kept.total, self.kept.last)

    @property
    def shift(self) -> Figures:
        """Of the present shift, the last round included."""
        return _sum(self.kept.shift, self.kept.last)

    def dump(self) -> dict[str, Plain]:
        """As plain data, which :meth:`load` takes."""
        return record(self.kept)

    @classmethod
    def load(cls, plain: object) -> Counters:
        """The counters of that plain data.

        Raises:
            controller.table.snapshot.BadSnapshot: it is none.
        """
        return cls(load(plain, CountersKept))

    def count_event(self, event: Event, outcome: Outcome, table: Table) -> None:
        """Count an event that ``table`` has taken, and what it did."""
        kept = self.kept
        void = (kept.number, kept.last.void)
        self._follow_round(table)
        before, kept.state = kept.state, outcome.state.removeprefix("held.")
        for answer in outcome.answered:
            if answer.refused:
                self._count("refused")
        if kept.last.void and void != (kept.number, kept.last.void):
            self._count_by("voids", who_of(event))  # not the one who takes back the `next` after it
            if table.rnd is not None and drawn_and_seen(table.rnd):
                self._count_by("voids_after_draw", who_of(event))
        if corrector := kept.corrections.note_corrector(event, table):
            self._count_by("corrections", corrector)
        count = _COUNTED.get(type(event))
        if count is not None and not (table.in_service and isinstance(event, Reported)):
            count(self, event, table, before)

    def has_moved_on(self, table: Table) -> bool:
        """Whether the table plays another round than the last one counted, with no way back."""
        rnd = table.rnd
        if rnd is None or table.round_number == self.kept.number:
            return False
        return not table.entering.saved

    def _follow_round(self, table: Table) -> None:
        """The round's settlements and end as they stand; the one before it is added up."""
        rnd, kept = table.rnd, self.kept
        if rnd is None:
            return
        if self.has_moved_on(table):
            self._add_up()
            kept.number = table.round_number
        if table.round_number != kept.number:
            return
        ended = rnd.state if rnd.is_over else ""
        if self._seen == (ended, rnd.settlements):
            return
        self._seen = (ended, rnd.settlements.copy())
        kept.last = Figures(rounds=int(ended == "settled"), void=int(ended == "void"))
        kept.last.settle(rnd.settlements)

    def _add_up(self) -> None:
        kept = self.kept
        kept.total.add(kept.last)
        kept.shift.add(kept.last)
        kept.last, self._seen = Figures(), ("", [])

    def _count(self, name: str) -> None:
        for figures in (self.kept.total, self.kept.shift):
            setattr(figures, name, getattr(figures, name) + 1)

    def _count_by(self, name: str, who: str) -> None:
        for figures in (self.kept.total, self.kept.shift):
            count_name(getattr(figures, name), who)

    def _card(self, event: of_devices.CardCame, _: Table, __: str) -> None:
        rank, suit = event.rank, event.suit
        self._count("cards")
        foreign = event.flags & FOREIGN or rank > 13 or suit > 4
        if not foreign and not (rank and suit):
            self._count("unread")

    def _press(self, event: of_devices.ButtonPressed | PressRead, _: Table, before: str) -> None:
        if before == State.JACKPOT_ARMED and self.kept.state == State.JACKPOT_DRAWING:
            self._count("presses")
        elif isinstance(event, of_devices.ButtonPressed):
            # A look at the unit tells of a press that is known as well.
            self._count("presses_ignored")

    def _draw(self, event: MultiplierDrawn, table: Table, _: str) -> None:
        weights, multiplier = weights_text(table.settings.weights), event.multiplier
        for figures in (self.kept.total, self.kept.shift):
            drawn = figures.draws.setdefault(weights, {})
            drawn[multiplier] = drawn.get(multiplier, 0) + 1

    def _shuffler(self, event: of_devices.ShufflerReported, _: Table, __: str) -> None:
        if event.state == _JAM:
            self._count("jams")

    def _shuffled(self, event: of_devices.ShuffleDone, _: Table, __: str) -> None:
        self._count("shuffles")
        if event.result:
            self._count("incomplete")

    def _refusal(self, _: CommandRefused, __: Table, ___: str) -> None:
        self._count("refusals")

    def _order(self, event: SupervisorCommanded, table: Table, _: str) -> None:
        verb, who = event.said_command.verb, who_of(event)
        for figures in (self.kept.total, self.kept.shift):
            count_name(figures.orders.setdefault(verb, {}), who)
        if verb == SHIFT:
            self._add_up()
            self.kept.shift = Figures()
            self.kept.shifts += 1
            self.kept.since, self.kept.by = table.round_number + 1, who


_COUNTED: Final[Mapping[type[Event], Callable[[Counters, Any, Table, str], None]]] = {
    of_devices.CardCame: Counters._card,
    of_devices.ButtonPressed: Counters._press,
    PressRead: Counters._press,
    MultiplierDrawn: Counters._draw,
    of_devices.ShufflerReported: Counters._shuffler,
    of_devices.ShuffleDone: Counters._shuffled,
    CommandRefused: Counters._refusal,
    SupervisorCommanded: Counters._order,
}


def _sum(first: Figures, second: Figures) -> Figures:
    both = Figures()
    both.add(first)
    both.add(second)
    return both
