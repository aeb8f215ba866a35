"""What ``tablectl`` ends with: its exit codes, and the error that carries one.

0 done; 1 the thing checked is not well; 2 wrong use or configuration; 3 not permitted now; 4 no
controller answers. Installers and floor systems rely on them.
"""

from __future__ import annotations

from typing import Final

DONE: Final = 0
NOT_WELL: Final = 1
WRONG_USE: Final = 2
NOT_PERMITTED: Final = 3
NO_CONTROLLER: Final = 4


class CommandFailed(Exception):
    """Ends the command with ``code`` and a message, which may have several lines."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        super().__init__(message)
