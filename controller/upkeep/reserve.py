"""Room that is kept on the journal's disk for the round at the table, whoever fills the disk.

The watch over free space holds play between rounds long before a disk is full
(:mod:`controller.daemon.health.watches`). That needs time, and somebody's file may take all the
room at once: then nothing can be stored, in the middle of a round. So a file is kept that is of no
other use. The commit that finds no room ends the process, as any that fails; the next start finds
the disk full, gives this room up, and the round is played to its end. Play is then held until there
is room, and a start that finds enough keeps some again.

A file system can be full with room on it, where it has no inode left for another file. A start
makes two (SQLite's log and the memory beside it), and a signed head needs one for a moment. So
three inodes are kept as well: those of the file with the room, and of two empty ones.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.files.media import MediumQuestion, MediumSilent, read_room
from controller.regular_files import new_regular

_log = logging.getLogger(__name__)
NAME: Final = "reserve"
MORE: Final = ("reserve.2", "reserve.3")  # empty files, kept for their inodes
FILES: Final = 1 + len(MORE)
BYTES: Final = 4 << 20  # A hundred rounds, and the log moved into the file
FULL_BYTES: Final = 1 << 20  # with less than this the disk counts as full, and the room is given up
MAKES_BYTES: Final = 64 << 20  # with this much free it is kept: twice as much as lets play go on
MAKES_FILES: Final = 32  # with so many inodes free they are kept: twice as many as let play go on
ANSWER_S: Final = 2.0  # how long a start waits for it


def keep_room(directory: Path) -> None:
    """Keep the room, or give it up. A disk that refuses, or does not answer, is no reason not to
    start: what is to be said of it is said by whoever opens the journal there."""
    try:
        MediumQuestion(lambda: _keep_reserve(directory)).answer(ANSWER_S)
    except MediumSilent:
        _log.warning("%s does not answer", directory)
    except OSError as error:
        _log.info("no room is kept in %s: %s", directory, cause_of(error, directory))


def is_reserve(file: Path) -> bool:
    """Whether it is one of the files that are kept."""
    return file.name in (NAME, *MORE)


def _keep_reserve(directory: Path) -> None:
    file = directory / NAME
    if not directory.is_dir():
        return
    free = read_room(directory)
    short = free.files is not None and free.files < FILES
    if file.exists() and (short or free.bytes < FULL_BYTES):
        file.unlink()
        for name in MORE:
            (directory / name).unlink(missing_ok=True)
        what, step = ("takes no more files", "df -i") if short else ("is full", "df -h")
        _log.warning(
            "the disk of %s %s: %d MiB and %d files that were kept for this round are given up. "
            "Make room: '%s %s'",
            directory,
            what,
            BYTES >> 20,
            FILES,
            step,
            directory,
        )
    elif free.bytes >= MAKES_BYTES and (free.files is None or free.files >= MAKES_FILES):
        if not file.exists():
            _make_file(file)
        for name in MORE:
            (directory / name).touch(0o600)


def _make_file(file: Path) -> None:
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
