"""Who is at the other end of the control socket, and what that user may do.

The rules:

- Root and the daemon's own user have all roles. Members of the dealers' group may give dealer's
  commands, those of the supervisors' group these and the supervisor's. They, and members of the
  viewers' group where there is one, may read the state and the links' counters; everybody else is
  turned away. The user :data:`WITNESS` needs no group: he may read the state and has the requests
  of :mod:`controller.control.answers`.
- The kernel reports who connected (``SO_PEERCRED``) and with which groups (``SO_PEERGROUPS``); what
  the client says about itself is not used. Groups in the user database count as well: who is in the
  group there can take it on at any time.
- The user database may be a network service that is down, and a thread that waits for it cannot be
  ended. So each question has a thread of its own that the process does not wait for when it ends,
  and their number is limited; beyond it a client is identified by its uid only, without waiting.
"""

from __future__ import annotations

import asyncio
import grp
import logging
import os
import pwd
import socket
import struct
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypedDict

from controller.control.protocol import MAX_NAME, Role
from controller.threads import ask_in_thread

_log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 8


class Lookups:
    """The questions that are under way; ``numbers`` are those of the groups, once learnt."""

    def __init__(self, groups: Groups, within_s: float) -> None:
        self._groups = groups
        self._within_s = within_s
        self._under_way = 0
        self.numbers = Numbers()

    def learn(self) -> list[str]:
        """Ask once for the groups' numbers, for later; which groups there are none of."""
        self.numbers = self._groups.numbers()
        return self._groups.missing(self.numbers)

    async def identify(self, credentials: Credentials) -> Peer:
        """Who it is; what the kernel says where the database fails or is late."""
        if self._under_way >= MOST_AT_ONCE:
            _log.warning("the user database still owes %d answers", self._under_way)
            return nameless(credentials, self.numbers)
        self._under_way += 1
        _, answered = ask_in_thread(
            lambda: identify(credentials, self._groups), "user database", self._one_less
        )
        try:
            async with asyncio.timeout(self._within_s):
                return await answered
        except Exception as error:
            _log.warning("the user database does not say who uid %d is: %r", credentials.uid, error)
            return nameless(credentials, self.numbers)

    def _one_less(self) -> None:
        self._under_way -= 1


WITNESS: Final = "table-witness"
"""The user that process runs as."""

_UCRED: Final = struct.Struct("iII")
_SO_PEERGROUPS: Final = 59  # asm-generic/socket.h; the socket module does not name it
_MOST_BYTES: Final = 1024  # as many as Python's getsockopt gives: 256 groups


class WhoFields(TypedDict):
    """Who has done something, as entries of the journal say it."""

    user: str
    uid: int
    person: str | None


@dataclass(frozen=True, slots=True)
class Peer:
    """A client. ``name`` is the login name, or ``uid 1234`` where there is none; ``known``: the
    user database has said which groups are his besides the kernel's; ``views``: he is in the group
    of those who only look; ``person``: who he is by PIN (None: nobody has signed in)."""

    pid: int
    uid: int
    gid: int
    name: str
    roles: frozenset[Role]
    known: bool = True
    views: bool = False
    person: str | None = None

    @property
    def may_look(self) -> bool:
        """Whether the peer may see the state."""
        return self.views or bool(self.roles)

    def may(self, role: Role) -> bool:
        """Whether the peer may give that role's commands."""
        return role in self.roles or (role == "technician" and "supervisor" in self.roles)

    @property
    def called(self) -> str:
        """What messages call him."""
        return self.person or self.name

    @property
    def identity(self) -> str | int:
        """What is the same for the same person only: who he is by PIN, else his user's number."""
        return self.uid if self.person is None else self.person

    @property
    def as_fields(self) -> WhoFields:
        """Who he is, for an entry of the journal."""
        return {"user": self.name, "uid": self.uid, "person": self.person}


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the kernel noted when the client connected; ``gids`` with the primary group."""

    pid: int
    uid: int
    gid: int
    gids: frozenset[int]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Of the groups, of the user ``witness`` and his group; None where there is no such."""

    dealers: int | None = None
    supervisors: int | None = None
    viewers: int | None = None
    witness: int | None = None
    witnesses: int | None = None

    @property
    def known(self) -> frozenset[int]:
        """Those that there are."""
        numbers = (self.dealers, self.supervisors, self.viewers, self.witnesses)
        return frozenset(number for number in numbers if number is not None)


@dataclass(frozen=True, slots=True)
class Groups:
    """Names of the groups that the configuration gives roles to, and of the user ``witness``."""

    dealers: str
    supervisors: str
    viewers: str | None = None
    witness: str = WITNESS

    @property
    def named(self) -> str:
        """All of them, for people."""
        names = [self.dealers, self.supervisors, *([self.viewers] if self.viewers else [])]
        return f"{', '.join(names[:-1])} or {names[-1]}"

    def numbers(self) -> Numbers:
        """Their numbers, from the group database."""
        viewers = _gid(self.viewers) if self.viewers else None
        witness = _user(self.witness)
        return Numbers(_gid(self.dealers), _gid(self.supervisors), viewers, *witness)

    def missing(self, numbers: Numbers) -> list[str]:
        """Those that this machine does not know: nobody has that role by them."""
        found = (
            (self.dealers, numbers.dealers),
            (self.supervisors, numbers.supervisors),
            (self.viewers, numbers.viewers),
        )
        return [name for name, number in found if name and number is None]


def credentials_of(connection: socket.socket) -> Credentials:
    """The kernel's note of who connected."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    pid, uid, gid = _UCRED.unpack(raw)
    try:
        packed = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, _MOST_BYTES)
    except OSError:  # more groups than fit: the user database knows them too
        packed = b""
    gids = struct.unpack(f"{len(packed) // 4}I", packed[: len(packed) // 4 * 4])
    return Credentials(pid, uid, gid, frozenset((gid, *gids)))


def nameless(credentials: Credentials, numbers: Numbers) -> Peer:
    """The peer without the user database: his number, and the groups that the kernel says."""
    name, gids = f"uid {credentials.uid}", credentials.gids
    return _peer(credentials, name, gids, numbers, known=False)


def identify(credentials: Credentials, groups: Groups) -> Peer:
    """The peer with name and roles; may take as long as the user database takes."""
    name, gids = f"uid {credentials.uid}", set(credentials.gids)
    try:
        user = pwd.getpwuid(credentials.uid)
    except KeyError:
        pass
    else:
        gids.update(os.getgrouplist(user.pw_name, user.pw_gid))
        # It stands in the journal and on terminals, and not every database checks it.
        if user.pw_name.isprintable() and 0 < len(user.pw_name) <= MAX_NAME:
            name = user.pw_name
    return _peer(credentials, name, gids, groups.numbers())


def _peer(
    of: Credentials, name: str, gids: Collection[int], numbers: Numbers, *, known: bool = True
) -> Peer:
    roles = _all_or_nothing(of.uid) or _of_numbers(of.uid, gids, numbers)
    return Peer(of.pid, of.uid, of.gid, name, roles, known, numbers.viewers in gids)


def _all_or_nothing(uid: int) -> frozenset[Role]:
    if uid in (0, os.geteuid()):
        return frozenset(("dealer", "supervisor", "witness"))
    return frozenset()


def _of_numbers(uid: int, gids: Collection[int], numbers: Numbers) -> frozenset[Role]:
    own: frozenset[Role] = frozenset(("witness",) if uid == numbers.witness else ())
    if numbers.supervisors in gids:
        return own | {"dealer", "supervisor"}
    return own | {"dealer"} if numbers.dealers in gids else own


def _user(name: str) -> tuple[int, int] | tuple[None, None]:
    try:
        user = pwd.getpwnam(name)
    except KeyError:
        return None, None
    return user.pw_uid, user.pw_gid


def _gid(name: str) -> int | None:
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        return None
