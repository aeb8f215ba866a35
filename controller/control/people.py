"""People known by PIN, as clients of the control socket bring them; the daemon has the list.

A person adds the rights of his role to a connection that may at least be a dealer, and what he does
is his, whatever user he works as. What is not taken (a wrong PIN, a person that there is none of,
one who is barred) is answered in the same words after the same work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Protocol

from controller.control.peers import Peer, PersonsRole
from controller.forms.json_values import JsonObject

Change = Literal["add", "pin", "remove"]

NOT_TAKEN: Final = (
    "this person and PIN are not taken; after five wrong ones in a row none is for a minute, then "
    "for longer each time"
)
"""In these words whatever the cause is."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Person:
    """Who has shown his PIN; ``stands`` until he is removed or is given another one."""

    name: str
    role: PersonsRole
    stands: bool = True


class PinNotTaken(Exception):
    """A PIN that is not taken; ``name`` is whose it was to be, "" where there is no such person."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(NOT_TAKEN)


class People(Protocol):
    """What the daemon does; errors as in :class:`controller.control.handler.Handler`."""

    async def known(self, name: str, pin: str, uid: int) -> Person:
        """The person, where that is his PIN and he is not barred on connections of that user.

        Raises:
            PinNotTaken: it is not, or he is. RequestRefused: the list cannot be used.
            Unavailable: it could not be found out in time.
        """

    async def listed(self) -> JsonObject:
        """``people``: of each the ``name`` and ``role``, by name."""

    async def change(self, change: Change, name: str, role: str, pin: str, who: Peer) -> JsonObject:
        """Add a person with a role, give him another PIN, or remove him; ``role`` and ``pin`` are
        empty where they are not needed.

        Raises:
            RequestRefused: not now. BadCommand: no such person, role or name.
        """
