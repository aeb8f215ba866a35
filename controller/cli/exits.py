"""What ``tablectl`` ends with: its exit codes, and the error that carries one
(:mod:`controller.not_done`).

Installers and floor systems rely on them. What each says is :data:`MEANING`, which the man pages
and the page of all commands have, too.
"""

from __future__ import annotations

from typing import Final

from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.verbs import INTERRUPTED

__all__ = ["INTERRUPTED", "NOT_PERMITTED", "NOT_WELL", "WRONG_USE", "NotDone"]

DONE: Final = 0
NO_CONTROLLER: Final = 4

MEANING: Final = {
    DONE: "done",
    NOT_WELL: "the thing checked is not well, or a file could not be read or written",
    WRONG_USE: "wrong use, or a wrong configuration",
    NOT_PERMITTED: "not permitted now, or not to this user",
    NO_CONTROLLER: "no controller answers; where a command was under way it may have been done",
    INTERRUPTED: "interrupted (Ctrl-C)",
}
"""In the words of a manual."""
