"""Who gives a command, and whether two who give one are different people.

The rules:

- Who has signed in with a PIN is that person, whatever user he works as. Anybody else is the number
  of his user: a user database that is slow gives one user two names.
- The supervisor's key at the keypad is one person, whoever turns it, and has no number.
- Two entries without numbers, of a journal of before, are compared by their users' names, as they
  were then. Where only one of them has a number nobody knows, and they count as one person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KEY_SWITCH: Final = "key switch"
"""Who gives a command by the keypad's key switch."""


@dataclass(frozen=True, slots=True)
class Giver:
    """``user`` is a name to show, ``uid`` the user's number (None: the key switch, or not stored by
    an earlier version), ``person`` who he is by PIN (None: not signed in)."""

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
