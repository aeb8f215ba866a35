"""The journal that the options name, opened for reading; errors end the command."""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.sqlite import of_content
from controller.causes.who_may import READ
from controller.cli.connection import state_directory
from controller.cli.exits import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.journal.errors import JournalError, NotAJournal
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME


@contextmanager
def opened(options: argparse.Namespace, *, may_be_stale: bool = False) -> Iterator[JournalReader]:
    """The journal that the options name; its errors end the command, and so does, at the end, a
    controller that was started on it meanwhile, unless the caller looks for that himself."""
    directory = state_directory(options)
    try:
        with JournalReader(directory) as reader:
            yield reader
            if reader.stale and not may_be_stale:
                raise NotDone(
                    NOT_WELL,
                    f"a controller was started on {reader.path} meanwhile: what was read may be "
                    "half old, repeat the command",
                )
    except NotAJournal as error:
        raise NotDone(NOT_WELL, str(error)) from error
    except sqlite3.DatabaseError as error:
        if not of_content(error):
            path = directory / FILE_NAME
            raise NotDone(
                NOT_WELL, f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
            ) from error
        raise NotDone(
            NOT_WELL,
            f"the journal in {directory} is damaged ({error}); 'tablectl journal verify' says "
            "where",
        ) from error
    except JournalError as error:
        raise NotDone(WRONG_USE, str(error)) from error


def archives(options: argparse.Namespace) -> list[Path]:
    """The directory that ``--archive`` names; empty where it is not given.

    Raises:
        NotDone: it is no directory, or may not be read.
    """
    archive: Path | None = options.archive
    if archive is None:
        return []
    try:
        if not archive.is_dir():
            raise NotDone(WRONG_USE, f"{archive} is no directory of archived journals")
        next(archive.iterdir(), None)
    except PermissionError as error:
        raise NotDone(NOT_PERMITTED, f"{archive} may not be read by this user: be root") from error
    return [archive]
