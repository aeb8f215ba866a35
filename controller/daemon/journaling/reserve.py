"""Room that is kept on the journal's disk for the round at the table, whoever fills the disk.

The watch over free space holds play between rounds long before a disk is full
(:mod:`controller.daemon.health.watches`). That needs time, and somebody's file may take all the
room at once: then nothing can be stored, in the middle of a round. So a file is kept that is of no
other use. The commit that finds no room ends the process, as any that fails; the next start finds
the disk full, gives this room up, and the round is played to its end. Play is then held until there
is room, and a start that finds enough keeps some again.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

from controller.files.media import NoAnswer, Question, read_room
from controller.regular_files import new_regular

_log = logging.getLogger(__name__)

NAME: Final = "reserve"

BYTES: Final = 4 << 20
"""A hundred rounds, and the log moved into the file."""

FULL_BYTES: Final = 1 << 20
"""With less than this the disk counts as full, and the room is given up."""

MAKES_BYTES: Final = 64 << 20
"""With this much free it is kept: twice as much as lets play go on."""

ANSWER_S: Final = 2.0
"""How long a start waits for it."""


def keep_room(directory: Path) -> None:
    """Keep the room, or give it up. A disk that refuses, or does not answer, is no reason not to
    start: what is to be said of it is said by whoever opens the journal there."""
    try:
        Question(lambda: _keep(directory)).answer(ANSWER_S)
    except NoAnswer:
        _log.warning("%s does not answer", directory)
    except OSError as error:
        _log.info("no room is kept in %s: %s", directory, error.strerror)


def _keep(directory: Path) -> None:
    file = directory / NAME
    if not directory.is_dir():
        return
    free = read_room(directory)
    if file.exists():
        if free < FULL_BYTES:
            file.unlink()
            _log.warning(
                "the disk of %s is full: %d MiB that were kept for this round are given up. Make "
                "room: 'df -h %s'",
                directory,
                BYTES >> 20,
                directory,
            )
    elif free >= MAKES_BYTES:
        _make(file)


def _make(file: Path) -> None:
    """It has its name only with all of its room: a start that is cut off here leaves a file that
    the next one makes anew, and not one that would give up nothing."""
    new = file.with_name(f"{NAME}.new")
    new.unlink(missing_ok=True)
    try:
        with new_regular(new, 0o600) as made:
            os.posix_fallocate(made.fileno(), 0, BYTES)
        new.rename(file)
    except OSError:
        new.unlink(missing_ok=True)
        raise
