"""What all steps of a round are.

The classes of steps stand by subject: :mod:`~.decisions` of the hand in turn, what is placed on
:mod:`~.wagers` beside them, the :mod:`~.jackpot`, what the :mod:`~.dealers` say, :mod:`~.reports`
of what went wrong, and :mod:`~.remedies`. Each is a command of :mod:`controller.game.commands`,
whose slots are its fields (:mod:`~.kinds`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final

from controller.game.commands.command import Command
from controller.game.commands.values import Seat


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round. ``verb`` is that of its command, and the trigger of the machine that it
    is."""

    verb: ClassVar[str]

    def __str__(self) -> str:
        return str(self.command)

    @property
    def command(self) -> Command:
        """It as a command; what it does not say is left out there."""
        return _command(self)

    @property
    def offered(self) -> Command:
        """It as a command that may be given, in which amounts and nominees are still open."""
        return _offered(self)


@dataclass(frozen=True, slots=True)
class AtBox(Step):
    """A step at a box: of the bettor that is named, or of whoever decides for the box."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PutsRight(Step):
    """A step about what went wrong: a report, a remedy or a correction."""


_KEPT: Final = 4096
"""How many commands are kept: the steps of a table are few, and are asked for again and again."""


@lru_cache(_KEPT)
def _command(step: Step) -> Command:
    names: tuple[str, ...] = step.__match_args__
    return Command(step.verb, **{name: getattr(step, name) for name in names})


@lru_cache(_KEPT)
def _offered(step: Step) -> Command:
    command = _command(step)
    names = (slot.name for slot in command.slots if slot.is_left_open)
    return replace(command, open=tuple(names))
