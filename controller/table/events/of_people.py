"""Events that people bring about: commands, and who may give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command, read_dealers, read_supervisors
from controller.table.events.event import Event, OfPerson, OfTrial


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonCommanded(OfPerson):
    """A command, ``by`` whom where he has said so or signed in by PIN. ``at`` is the entry behind
    which the table looked as he saw it, ``key`` the client's own name for the command."""

    READ: ClassVar[Any]
    command: str
    by: str | None = None
    at: int | None = None
    key: str | None = None

    @property
    def said_command(self) -> Command:
        """What its text says; Malformed where it cannot be read."""
        command: Command = type(self).READ(self.command)
        return command


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerCommanded(PersonCommanded):
    """A command of the dealer."""

    TYPE: ClassVar = "dealer"
    READ: ClassVar = staticmethod(read_dealers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorCommanded(PersonCommanded):
    """A command of a supervisor, and why he gives it."""

    TYPE: ClassVar = "supervisor"
    READ: ClassVar = staticmethod(read_supervisors)
    by: str | None
    why: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleChanged(OfPerson):
    """Who is known by PIN has changed: ``change`` (``add``, ``pin``, ``remove``), ``of`` whom with
    which ``role``."""

    TYPE: ClassVar = "person"
    change: str
    of: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRefused(Event):
    """A client was refused a command beyond its role at the control socket: ``what``, and ``why``.
    ``count`` above 1: so many attempts, the last of which this is; ``uid`` and ``pid`` are None
    where several users are told together."""

    TYPE: ClassVar = "refused-attempt"
    user: str
    uid: int | None
    pid: int | None
    what: str
    why: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCommanded(OfTrial):
    """A technician has a device carry out a command, in service."""

    TYPE: ClassVar = "device-command"
    command: str
    fields: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTested(OfTrial):
    """A device was tested: ``what`` came of that ``test``, in plain words; ``at`` is the clock on
    the wall, ISO 8601."""

    TYPE: ClassVar = "device-tested"
    test: str
    ok: bool
    what: str
    by_hand: bool
    at: str
