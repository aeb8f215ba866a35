"""Events that people bring about: commands, and who may give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command, read_dealers, read_supervisors
from controller.table.events.event import Event, OfDevice

KEY_SWITCH: Final = "key switch"
"""Who gives a command by the keypad's key switch."""


@dataclass(frozen=True, slots=True)
class Giver:
    """``user`` is a name to show, ``uid`` the user's number (None: the key switch), ``person`` who
    he is by PIN (None: not signed in)."""

    user: str
    uid: int | None = None
    person: str | None = None

    @property
    def name(self) -> str:
        """What he is called."""
        return self.person or self.user

    @property
    def key(self) -> tuple[str, ...]:
        """What is the same for the same person only."""
        if self.person is not None:
            return ("person", self.person)
        return (self.user,) if self.uid is None else ("uid", str(self.uid))

    def is_another(self, other: Giver) -> bool:
        """Whether it is certain that the two are different people."""
        if self.person is not None and other.person is not None:
            return self.person != other.person
        if self.uid is None and other.uid is None:
            return self.user != other.user
        if self.uid is None or other.uid is None:
            return (self if self.uid is None else other).user == KEY_SWITCH
        return self.uid != other.uid


@dataclass(frozen=True, kw_only=True)
class ByPerson:
    """Of an event that a person has brought about: ``user`` is his user's name, ``uid`` that
    user's number, ``person`` who he is by PIN; None where he did not say so."""

    __slots__ = ()
    user: str | None = None
    uid: int | None = None
    person: str | None = None

    @property
    def giver(self) -> Giver:
        """Who it was."""
        return Giver(self.user or "", self.uid, self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPerson(Event, ByPerson):
    """What a person has done at the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTrial(OfDevice, ByPerson):
    """What a technician has done with a device."""


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
