"""Who is barred for wrong PINs, and for how long.

The rules:

- ``WRONG`` wrong PINs of one person in a row, on connections of one user, bar that person on that
  user's connections: for ``FIRST_S``, the next time for twice as long, at most ``LONGEST_S``. On
  other users' connections he is not barred, so nobody keeps a colleague out elsewhere.
- While he is barred no PIN is taken, and none counts as a wrong one.
- A right PIN forgets all of it, and so does another PIN given by who administers.
- It is kept in memory, for people who exist and users who may be dealers: few of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WRONG: Final = 5
FIRST_S: Final = 60.0
LONGEST_S: Final = 86_400.0


@dataclass(slots=True)
class _Tried:
    """Wrong PINs since the last bar, until when it lasts, and for how long the next one will."""

    wrong: int = 0
    until: float = 0.0
    next_s: float = FIRST_S


class Bars:
    """``judge`` is told of each PIN; times are monotonic seconds."""

    def __init__(self) -> None:
        self._tried: dict[tuple[int, str], _Tried] = {}

    def judge(self, uid: int, name: str, now: float, *, right: bool) -> bool:
        """Whether that PIN is taken."""
        tried = self._tried.get((uid, name), _Tried())
        if now < tried.until:
            return False
        if right:
            self._tried.pop((uid, name), None)
            return True
        tried.wrong += 1
        if tried.wrong >= WRONG:
            tried.until, tried.wrong = now + tried.next_s, 0
            tried.next_s = min(2 * tried.next_s, LONGEST_S)
        self._tried[uid, name] = tried
        return False

    def forget(self, name: str) -> None:
        """Nothing is held against that person any more."""
        self._tried = {key: tried for key, tried in self._tried.items() if key[1] != name}
