"""Files that a command writes: there whole or not at all, and never over another."""

from __future__ import annotations

import errno
import os
from io import BufferedWriter
from pathlib import Path

from controller.causes.finding import cause_of
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import new_regular


def write_new(path: Path, text: str) -> None:
    """Write a new file (UTF-8), or none; NotDone where it is there already or cannot be written."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        try:
            with new_regular(partial) as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            _link(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise NotDone(WRONG_USE, f"{path} cannot be written: {cause_of(error, path)}") from error


def open_new(path: Path) -> BufferedWriter:
    """A new file, to be written as things come; NotDone where it is there or cannot be made."""
    try:
        return new_regular(path)
    except FileExistsError:
        raise NotDone(WRONG_USE, f"{path} is there already: name another file") from None
    except OSError as error:
        raise NotDone(WRONG_USE, f"{path} cannot be written: {cause_of(error, path)}") from error


def check_new(path: Path) -> None:
    """Check before long work that there is no such file yet; NotDone where there is."""
    if path.exists():
        raise NotDone(WRONG_USE, f"{path} is there already: name another file")


def _link(partial: Path, path: Path) -> None:
    """Name the file, never over another; a stick may have no links, and only us to write there."""
    try:
        os.link(partial, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        partial.rename(path)
