"""Outcomes: what an event has done to the live table, as the journal stores it beside the event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.game.commands.command import Command
from controller.game.round.result_fields import SettlementResult

ROUND: Final = "round"
"""Key of an outcome in the journal: the number of the round that the event has opened."""
TO: Final = "to"
"""Key of an outcome in the journal: the place where a card was put
(:mod:`.dealing.card_places`)."""
HANDS: Final = "hands"
"""Key of an outcome in the journal: the hands that the event has changed otherwise."""
ENDED: Final = "ended"
"""Key of an outcome in the journal: the faults whose holds a supervisor's ``resume`` has ended."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: accepted, or refused with the reason. ``entry`` is the number of the
    command at this table, so that a later answer reaches the client that made it. The
    journal stores neither ``clause`` nor ``code``."""

    entry: int
    refused: str = ""
    clause: str = ""
    code: str = ""


@dataclass(slots=True)
class Outcome:
    """The effect of an event: ``state`` after it, ``notes`` as sentences, ``settlements`` made by
    it, and the results of commands (also of one that had to wait). ``entry`` is the number given to
    a command that has to wait for the shoe's gate; ``opened`` that of the round whose bets it has
    opened; ``to`` the place where a card was put, ``hands`` what else has changed, as cards by
    place; ``ended`` are the faults whose holds a ``resume`` has ended. ``carried_out`` are the
    dealer's commands that took effect with it, also those that keys made: a replay finds them
    again, so the journal does not store them."""

    state: str = ""
    notes: list[str] = field(default_factory=list)
    settlements: list[SettlementResult] = field(default_factory=list)
    answered: list[CommandResult] = field(default_factory=list)
    entry: int | None = None
    opened: int | None = None
    to: str | None = None
    hands: dict[str, str] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    carried_out: list[Command] = field(default_factory=list)

    def as_body(self) -> dict[str, object]:
        """The outcome as the journal stores it, for comparison on replay."""
        after: dict[str, object] = {
            ROUND: self.opened,
            TO: self.to,
            HANDS: self.hands,
            ENDED: self.ended,
            "notes": self.notes,
            "settlements": self.settlements,
            "answered": [
                {"entry": a.entry, "refused": a.refused} if a.refused else {"entry": a.entry}
                for a in self.answered
            ],
        }
        return {"state": self.state, **{name: value for name, value in after.items() if value}}
