"""What is counted; every figure begins at 0 and can be added to another of its kind.

- Money is in whole cents. A wager that plays without an amount is counted and has no sum, so sums
  are those of the wagers whose amounts were entered.
- A correction counts when it is judged, once however many cards it names, for whoever gave its last
  ``correct`` or ``lies``: a supervisor's name, the dealer's user, ``key switch``, or ``keypad``
  where the switch was not turned. One that was taken back or dropped is none.
- A command may have waited for the shoe's gate: it is of who made it, not of the lock.
- Names are free text, and a snapshot contains all of them. So the first ``MOST_NAMES`` of a span
  are counted each by itself, later ones together under ``OTHERS``, and a name is cut after
  ``LONGEST_NAME`` characters. A table has fewer supervisors in years; the sums stay right, and the
  journal has each name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Final, Self

from controller.game.round.model import Settlement
from controller.table.events.event import Event
from controller.table.events.of_devices import KeyPressed
from controller.table.events.of_people import KEY_SWITCH, ByPerson, PersonCommanded
from controller.table.state.table import Table

BY_KEY: Final = KEY_SWITCH
BY_ITSELF: Final = "the table"
OTHERS: Final = "others"
MOST_NAMES: Final = 64
LONGEST_NAME: Final = 64


def who_of(event: Event) -> str:
    """Who brought the event about."""
    if isinstance(event, KeyPressed):
        return BY_KEY
    by = event.by if isinstance(event, PersonCommanded) else None
    user = event.user if isinstance(event, ByPerson) else None
    return (by or user or BY_ITSELF)[:LONGEST_NAME]


def count_name(by: dict[str, int], who: str) -> None:
    """Count once more for that name."""
    if who not in by and len(by) >= MOST_NAMES:
        who = OTHERS
    by[who] = by.get(who, 0) + 1


CORRECTED: Final = "corrected"
"""The input of a round's log that stands for a correction that was judged."""

KEYPAD: Final = "keypad"
"""Who gave a command by keys without the key switch, or by keys that had to wait for the gate."""


@dataclass(slots=True)
class Corrections:
    """What is remembered from one event to the next: how many ``edits`` wait to be judged, who gave
    the last (``by``), who made the command that waits for the gate (``waits``; "": keys did), and
    how many were ``judged`` of this round and of the one before it, which may be brought back."""

    edits: int = 0
    by: str = ""
    waits: str = ""
    judged: dict[int, int] = field(default_factory=dict)

    def command_giver(self, event: Event) -> str:
        """Who has given the command that the event is, or that it has let through."""
        if isinstance(event, PersonCommanded):
            return who_of(event)
        if not isinstance(event, KeyPressed):
            return self.waits or KEYPAD
        return BY_KEY if event.supervisor else KEYPAD

    def note_corrector(self, event: Event, table: Table) -> str:
        """Who gave the correction that was judged in that event; empty: none was."""
        who = self.command_giver(event)
        edits = len(table.rnd.irregular.edits) if table.rnd else 0
        if edits > self.edits:
            self.by = who
        found = (self.by or who) if self._has_judged(table) else ""
        self.edits = edits
        if not edits:
            self.by = ""
        if table.outcome.entry is not None:
            self.waits = who
        elif table.entering.pending is None:
            self.waits = ""
        return found

    def _has_judged(self, table: Table) -> bool:
        rnd, number = table.rnd, table.round_number
        if rnd is None:
            return False
        judged = sum(given.what == CORRECTED for given in rnd.log)
        before = self.judged.get(number, 0)
        if judged != before:  # a reconstruction may have gone back behind one
            self.judged = {old: count for old, count in self.judged.items() if old == number - 1}
            if judged:
                self.judged[number] = judged
        return judged > before


SUMS: Final = frozenset({"super_bonus", "super_bonus_share"})
"""Kinds of settlements that pay a sum on the strength of a wager which is settled by itself."""


@dataclass(slots=True)
class _Counted:
    """Figures of one kind; a field of another type than theirs would fail here."""

    def add(self, other: Self) -> None:
        """Count what another one counts."""
        for each in fields(self):
            mine, its = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, dict):
                _merge(mine, its)
            else:
                setattr(self, each.name, mine + its)


@dataclass(slots=True)
class Money(_Counted):
    """What became of the wagers of one kind (:class:`~controller.counters.report.MoneyReport`)."""

    wagers: int = 0
    untold: int = 0
    wagered: int = 0
    paid: int = 0
    returned: int = 0
    given_back: int = 0

    @property
    def house_win(self) -> int:
        """What the house kept; below 0 when it paid more than was wagered."""
        return self.wagered - self.paid

    def settle(self, settlement: Settlement) -> None:
        """Count one settlement."""
        stake, net = settlement.stake, settlement.net
        if settlement.kind in SUMS:
            self.paid += net or 0
            self.untold += net is None
        elif settlement.outcome == "returned":
            self.returned += 1
            self.given_back += stake or 0
        else:
            self.wagers += 1
            if stake is None or net is None:
                self.untold += 1
            else:
                self.wagered += stake
                self.paid += stake + net


@dataclass(slots=True)
class Figures(_Counted):
    """What happened in a span of time.

    ``rounds`` that were settled, ``void`` ones; ``money`` by kind of wager; ``draws`` by the
    weights in force and multiplier; ``presses`` that counted and ``presses_ignored``, for no offer
    that stood; ``cards`` that left the shoe, ``unread`` of them; ``shuffles`` that ended,
    ``incomplete`` of them, ``jams``; ``refused``: the dealer's commands that were refused after
    they had waited for the gate, ``refusals`` of devices; ``voids`` by whom, and
    ``voids_after_draw``, those of rounds in which a multiplier was drawn, by who confirmed them;
    ``corrections`` that were judged, by who gave the last ``correct`` or ``lies``; ``orders`` of
    supervisors by verb and whom.
    """

    rounds: int = 0
    void: int = 0
    money: dict[str, Money] = field(default_factory=dict)
    draws: dict[str, dict[int, int]] = field(default_factory=dict)
    presses: int = 0
    presses_ignored: int = 0
    cards: int = 0
    unread: int = 0
    shuffles: int = 0
    incomplete: int = 0
    jams: int = 0
    refused: int = 0
    refusals: int = 0
    voids: dict[str, int] = field(default_factory=dict)
    voids_after_draw: dict[str, int] = field(default_factory=dict)
    corrections: dict[str, int] = field(default_factory=dict)
    orders: dict[str, dict[str, int]] = field(default_factory=dict)

    def settle(self, settlements: Iterable[Settlement]) -> None:
        """Count a round's settlements."""
        for settlement in settlements:
            self.money.setdefault(settlement.kind, Money()).settle(settlement)


def weights_text(weights: Iterable[tuple[int, int]]) -> str:
    """Weights as draws are counted by them: ``100=4 50=8``, in the order of the settings."""
    return " ".join(f"{multiplier}={weight}" for multiplier, weight in weights)


def _merge(mine: dict[object, object], its: Mapping[object, object]) -> None:
    for key, value in its.items():
        held = mine.setdefault(key, type(value)())
        if isinstance(held, int) and isinstance(value, int):
            mine[key] = held + value
        elif isinstance(held, Money) and isinstance(value, Money):
            held.add(value)
        elif isinstance(held, dict) and isinstance(value, dict):
            _merge(held, value)
