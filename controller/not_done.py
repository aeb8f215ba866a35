"""What somebody asked for and is not done: the error that says why, in words for him.

``code`` is the kind of the reason, which is the exit code of a command that ends with it.
"""

from __future__ import annotations

from typing import Final

NOT_WELL: Final = 1
"""What was looked at is not well, or cannot be read or written."""

WRONG_USE: Final = 2
"""What was named is not there, is none of its kind, or contradicts itself."""

NOT_PERMITTED: Final = 3
"""Not now, or not to this user."""


class NotDone(Exception):
    """It is not done; the message, which may have several lines, says why and what to do."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        super().__init__(message)

    def __reduce__(self) -> tuple[type[NotDone], tuple[int, str]]:
        # Between processes: Python would make it anew of other arguments than it was made of.
        return NotDone, (self.code, str(self))
